//===- ColumnSums.h - Sums of columns, in tasks of a GPU --------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What sums rows up column by column needs no whole rows: a task takes some
// columns, and its threads lie over these and as many rows as there are threads
// left, each adding up every n-th row.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_COLUMNSUMS_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_COLUMNSUMS_H

#include "RowTiles.h"

namespace rudnn::norm {

/// The columns of a task, all of them or what is left at the end.
struct ColumnTile {
  int64_t columns;          ///< with those that are filled up
  mlir::OpFoldResult first; ///< the first
  mlir::OpFoldResult size;  ///< how many exist
};

/// Where the sums go: `grad` [N], in its own type and on top of what it holds
/// if `accumulate`, or `grad` [parts, N] of f32, the sums of each part of the
/// rows by tasks of their own.
struct SumDestination {
  mlir::Value grad;
  bool accumulate = false;
};

/// Makes the sum of a tile of columns, in f32, over the rows of `part` (null:
/// over all rows), on top of `init`.
using SumTileFn = llvm::function_ref<mlir::Value(
    const ColumnTile &tile, mlir::Value part, mlir::Value init)>;

/// A loop by `schedule` over tiles of `columns` columns, and over parts where
/// there are. Its result is the destination's new value.
mlir::scf::ForallOp createColumnSums(mlir::RewriterBase &b, mlir::Location loc,
                                     SumDestination destination,
                                     int64_t columns, ScheduleAttr schedule,
                                     SumTileFn sumTile);

/// Adds a tile of rows, from `indices` on along each axis of rows, `count`
/// along the last, to `sum`.
using AddRowsFn = llvm::function_ref<mlir::Value(
    mlir::ValueRange indices, mlir::OpFoldResult count, mlir::Value sum)>;

/// A walk over rows of which there are `counts` along each axis, `rows` at a
/// time along the last, that carries a sum.
mlir::Value createRowWalk(mlir::OpBuilder &b, mlir::Location loc,
                          llvm::ArrayRef<mlir::Value> counts, int64_t rows,
                          mlir::Value init, AddRowsFn addRows);

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_COLUMNSUMS_H
