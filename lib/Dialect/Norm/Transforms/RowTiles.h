//===- RowTiles.h - Pieces of norm-tile -------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn::norm {

/// Takes the schedule off `op`.
ScheduleAttr takeSchedule(RowwiseOpInterface op);

/// Marks `loop` as a loop over tasks lowered by `schedule`.
void makeRowProgram(mlir::scf::ForallOp loop, ScheduleAttr schedule);

/// The size of a tile along each loop of `op`: the schedule's rows along the
/// innermost, one along the others.
llvm::SmallVector<mlir::OpFoldResult> getTileSizes(mlir::OpBuilder &b,
                                                   mlir::TilingInterface op,
                                                   ScheduleAttr schedule);

/// `value` with zeros after its end until it has `sizes`.
mlir::Value padAtEnd(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<int64_t> sizes);

/// The part of `value` that `padded`, made from it by padAtEnd, has of it.
mlir::Value takeFront(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value padded, mlir::Value value);

/// `tensor`, of f32, filled with zeros.
mlir::Value fillWithZeros(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value tensor);

/// Replaces `op` on at most `rows` rows by the op on exactly so many, with
/// zeros in rows that are not there.
void padToTile(mlir::RewriterBase &b, RowwiseOpInterface op, int64_t rows);

/// Adds the rows of `sums`, f32 of shape [parts, N], up in ascending order into
/// `grad`, of shape [N], in a loop over columns; on top of what `grad` holds if
/// `accumulate`. Returns the new `grad`.
mlir::FailureOr<mlir::Value> mergeParts(mlir::RewriterBase &b,
                                        mlir::Location loc, mlir::Value sums,
                                        mlir::Value grad, bool accumulate,
                                        ScheduleAttr schedule);

/// Replaces `op`, which has a weight gradient, by loops.
llvm::LogicalResult tileWeightGrad(mlir::RewriterBase &rewriter,
                                   RMSNormBackwardOp op);

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H
