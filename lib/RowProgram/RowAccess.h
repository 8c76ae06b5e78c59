//===- RowAccess.h - Which reads of a row program are what ------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_ROWACCESS_H
#define RUDNN_LIB_ROWPROGRAM_ROWACCESS_H

#include "RowLayout.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace rudnn {

/// What `memref` is a view of, as far as `program` makes the views.
mlir::Value getRoot(mlir::Value memref, mlir::scf::ForallOp program);

/// The row programs on buffers below `root` that are for a GPU.
llvm::SmallVector<mlir::scf::ForallOp> getThreadPrograms(mlir::Operation *root);

/// Sorts the accesses of a row program on buffers for a GPU.
class RowAccesses {
public:
  explicit RowAccesses(mlir::scf::ForallOp program);

  const RowLayout &getLayout() const { return layout; }
  mlir::scf::ForallOp getProgram() const { return program; }

  /// Whether `read` has columns that are the same for each row: gamma.
  bool isPerColumn(mlir::vector::TransferReadOp read);
  /// Whether `read` has columns of one or more rows.
  bool isOfRows(mlir::vector::TransferReadOp read);
  /// Whether `write` has columns of one or more rows.
  bool isOfRows(mlir::vector::TransferWriteOp write) {
    return hasColumns(write.getVectorType());
  }
  /// Whether `type` is a vector with columns.
  bool hasColumns(mlir::Type type);
  /// The ops of the program that reduce the columns of rows.
  llvm::SmallVector<mlir::Operation *> getColumnReductions();
  /// Whether `program` writes to what `read` reads.
  bool isWritten(mlir::vector::TransferReadOp read);
  /// Whether `program` writes there in the same place and iteration only,
  /// behind `read`, if at all: what the read finds does not depend on the
  /// iterations before.
  bool isSteady(mlir::vector::TransferReadOp read);
  /// The writes of `program` to the memory that `read` reads from.
  llvm::SmallVector<mlir::vector::TransferWriteOp>
  getWritesTo(mlir::vector::TransferReadOp read);

private:
  bool reducesColumns(mlir::Operation *op);

  mlir::scf::ForallOp program;
  RowLayout layout;
  llvm::SmallVector<mlir::vector::TransferWriteOp> writes;
};

/// The ops of the block of `op` that make its operands, in order, `op` last;
/// nothing if one of them has side effects or regions. With `throughReads`,
/// reads are taken as well.
mlir::FailureOr<llvm::SetVector<mlir::Operation *>>
getLocalSlice(mlir::Operation *op, bool throughReads = false);

/// Memory of the threads of a block, allocated where `b` stands.
mlir::Value allocateWorkgroup(mlir::OpBuilder &b, mlir::Location loc,
                              llvm::ArrayRef<int64_t> shape,
                              mlir::Type element);

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_ROWACCESS_H
