//===- NormDialect.cpp - The norm dialect and its attributes --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rudnn::norm;

#include "rudnn/Dialect/Norm/IR/NormDialect.cpp.inc"

#include "rudnn/Dialect/Norm/IR/NormInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "rudnn/Dialect/Norm/IR/NormAttrs.cpp.inc"

void NormDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rudnn/Dialect/Norm/IR/NormAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "rudnn/Dialect/Norm/IR/NormOps.cpp.inc"
      >();
}

LogicalResult NormDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() != kScheduleAttrName)
    return op->emitOpError("unknown attribute '")
           << attr.getName().getValue() << "'";
  if (!isa<ScheduleAttr>(attr.getValue()))
    return op->emitOpError("expected '")
           << attr.getName().getValue() << "' to be a #norm.schedule, got "
           << attr.getValue();
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t vector, int64_t unroll,
                                   int64_t parts, int64_t prefetch,
                                   int64_t nontemporal) {
  if (vector < 1 || vector > 64 || !llvm::isPowerOf2_64(vector))
    return emitError() << "expected vector to be a power of two in 1..64, got "
                       << vector;
  if (unroll < 1 || unroll > 16)
    return emitError() << "expected unroll in 1..16, got " << unroll;
  if (parts < 0 || parts > 65536)
    return emitError() << "expected parts in 0..65536, got " << parts;
  if (prefetch < 0 || prefetch > 64)
    return emitError() << "expected prefetch in 0..64 rows, got " << prefetch;
  if (nontemporal < 0)
    return emitError() << "expected nontemporal to be a number of bytes >= 0, "
                          "got "
                       << nontemporal;
  return success();
}

ArrayAttr ScheduleAttr::getTaskMapping(MLIRContext *context, int64_t rank) {
  SmallVector<Attribute> tasks;
  for (int64_t dim = rank; dim-- > 0;)
    tasks.push_back(TaskAttr::get(context, dim));
  return ArrayAttr::get(context, tasks);
}

int64_t TaskAttr::getMappingId() const { return getDim(); }
bool TaskAttr::isLinearMapping() const { return false; }
int64_t TaskAttr::getRelativeIndex() const { return getDim(); }
