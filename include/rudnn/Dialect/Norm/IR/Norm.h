//===- Norm.h - The norm dialect --------------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORM_H
#define RUDNN_DIALECT_NORM_IR_NORM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "rudnn/Dialect/Norm/IR/Schedule.h"

namespace rudnn::norm {

// The declarations that TableGen makes for some upstream interfaces name these
// without their namespace.
using mlir::FailureOr;
using mlir::function_ref;
using mlir::OpBuilder;
using mlir::Operation;
using mlir::SmallVector;
using mlir::StringRef;
using mlir::Value;

/// What an operand of a row-wise op holds, and so which shape it has when the
/// rows have shape `[..., N]`.
enum class OperandRole {
  Rows,     ///< a value per element: `[..., N]`
  PerRow,   ///< a value per row: the leading shape
  PerColumn ///< a value per column: `[N]`
};

/// Whether `op` stands inside a loop over row tiles, as norm-tile makes them.
bool isInRowProgram(mlir::Operation *op);

/// The number of the constraint, the same in each op's list, that fixes the
/// shape of an operand of `role`.
unsigned getShapeConstraint(OperandRole role);

/// What leaves any value of the float type `type` as it is when combined with
/// it by `kind`; null for kinds that threads can't combine.
mlir::TypedAttr getNeutralElement(mlir::vector::CombiningKind kind,
                                  mlir::Type type);

} // namespace rudnn::norm

#include "rudnn/Dialect/Norm/IR/NormDialect.h.inc"

#include "rudnn/Dialect/Norm/IR/NormEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rudnn/Dialect/Norm/IR/NormAttrs.h.inc"

#include "rudnn/Dialect/Norm/IR/NormInterfaces.h.inc"

#define GET_OP_CLASSES
#include "rudnn/Dialect/Norm/IR/NormOps.h.inc"

namespace rudnn::norm {

/// `op` on `operands`; results on tensors have the types of the destinations
/// among them.
mlir::Operation *cloneOnOperands(mlir::OpBuilder &b, RowwiseOpInterface op,
                                 llvm::ArrayRef<mlir::Value> operands);

/// `op` on some of its rows: along each leading axis `sizes` of them from
/// `offsets` on, `strides` apart (1 if not given). Fails if `op` is not
/// tileable.
mlir::FailureOr<mlir::TilingResult>
tileRows(mlir::OpBuilder &b, RowwiseOpInterface op,
         llvm::ArrayRef<mlir::OpFoldResult> offsets,
         llvm::ArrayRef<mlir::OpFoldResult> sizes,
         llvm::ArrayRef<mlir::OpFoldResult> strides = {});

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_IR_NORM_H
