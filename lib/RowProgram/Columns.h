//===- Columns.h - Which loops and values are columns ---------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_COLUMNS_H
#define RUDNN_LIB_ROWPROGRAM_COLUMNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rudnn {

/// The loop of `op` that would run over columns: its innermost.
unsigned columnLoop(mlir::linalg::GenericOp op);

/// Whether `operand` is indexed by that loop, on its last axis.
bool isIndexedByColumn(mlir::linalg::GenericOp op, mlir::OpOperand &operand);

/// Whether `op`, known to have columns, reduces along them.
bool reducesColumns(mlir::linalg::GenericOp op);

/// The op that combines partial results of a reduction, null if there is not
/// one such op.
mlir::Operation *getCombiner(mlir::linalg::GenericOp op);

/// Finds the ops of a row program whose innermost loop runs over columns.
/// Every reduction is known to (along the row, or over rows for each column);
/// the rest follows from sharing tensors, also through loops and slices.
class ColumnAnalysis {
public:
  explicit ColumnAnalysis(mlir::scf::ForallOp program);

  bool hasColumns(mlir::Operation *op) const { return ops.contains(op); }
  bool hasColumns(mlir::Value value) const { return values.contains(value); }

private:
  void markOp(mlir::linalg::GenericOp op);
  void markValue(mlir::Value value) { changed |= values.insert(value).second; }
  void shareColumns(llvm::ArrayRef<mlir::Value> same);
  void propagate(mlir::Operation *op);

  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Value> values;
  bool changed = true;
};

/// The ops on columns of one stretch of a block, all of them still in place.
class ColumnOps {
public:
  void insert(mlir::linalg::GenericOp op) { ops.insert(op); }
  bool contains(mlir::Operation *op) const { return op && ops.contains(op); }

  /// The tensor from outside the stretch that the result of `op` ends up in:
  /// its init, or what that was written into.
  mlir::Value getDestination(mlir::linalg::GenericOp op) const;
  /// The extent of a loop of `op`, taken from a tensor from outside.
  mlir::OpFoldResult getExtent(mlir::OpBuilder &b, mlir::linalg::GenericOp op,
                               unsigned loop) const;

private:
  llvm::DenseSet<mlir::Operation *> ops;
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_COLUMNS_H
