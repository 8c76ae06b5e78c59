//===- RowTiles.h - Pieces of norm-tile -------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn::norm {

/// Index arithmetic on values or constants.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b, loc, value);
  }
  template <typename OpTy> mlir::Value apply(mlir::Value x, mlir::Value y) {
    return b.createOrFold<OpTy>(loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::MulIOp>(x, y);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::AddIOp>(x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::SubIOp>(x, y);
  }
  mlir::Value min(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::MinSIOp>(x, y);
  }
  mlir::Value max(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::MaxSIOp>(x, y);
  }
  mlir::Value ceilDiv(mlir::Value x, mlir::Value y) {
    return apply<mlir::arith::CeilDivUIOp>(x, y);
  }

private:
  mlir::OpBuilder &b;
  mlir::Location loc;
};

/// Some of the rows along the outermost axis.
struct RowRange {
  mlir::OpFoldResult first;
  mlir::Value count;
  mlir::OpFoldResult stride;
};

/// Every `parts`-th of `rows` rows, from row `part` on.
RowRange getInterleavedRows(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value rows, mlir::Value part,
                            mlir::Value parts);

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

/// `destination` [n] or [1, n] = `sum` [n], f32, in the element type of the
/// destination.
mlir::Operation *storeSum(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value sum, mlir::Value destination);

/// Lets `tile`, made of `op` in a loop that carries its destinations, read the
/// rows of an input that is a destination too from what the loop carries: then
/// bufferization sees that it reads each before it writes it. Only where a
/// row is read as a whole; steps along a row write one while the next is to be
/// read.
void readInPlace(RowwiseOpInterface op, mlir::Operation *tile,
                 ScheduleAttr schedule);

/// Replaces `op` on at most `rows` rows by the op on exactly so many, with
/// zeros in rows that are not there.
void padToTile(mlir::RewriterBase &b, RowwiseOpInterface op, int64_t rows);

/// Replaces `op` by a loop over tiles of rows and returns what comes of it.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
loopOverRows(mlir::RewriterBase &b, RowwiseOpInterface op,
             ScheduleAttr schedule);

/// Replaces `op`, whose rows do not depend on each other, by a loop over parts
/// of the rows, each of which loops over its tiles.
llvm::LogicalResult tileWalkedRows(mlir::RewriterBase &b,
                                   RowwiseOpInterface op);

/// Replaces `op`, whose rows do not depend on each other, by a loop with an
/// iteration for each tile of rows.
mlir::FailureOr<mlir::scf::ForallOp> tileParallelRows(mlir::RewriterBase &b,
                                                      RowwiseOpInterface op);

/// How many partial sums `op` has by `schedule`; see the field `parts`.
mlir::Value getNumParts(mlir::OpBuilder &b, RMSNormBackwardOp op,
                        ScheduleAttr schedule);

/// Adds the rows of `sums`, f32 of shape [parts, N], up in ascending order into
/// `grad`, of shape [N], in a loop over columns; on top of what `grad` holds if
/// `accumulate`. Returns the new `grad`.
mlir::FailureOr<mlir::Value> mergeParts(mlir::RewriterBase &b,
                                        mlir::Location loc, mlir::Value sums,
                                        mlir::Value grad, bool accumulate,
                                        ScheduleAttr schedule);

/// Replaces `op`, which has a weight gradient, by loops over whole rows.
llvm::LogicalResult tileWeightGrad(mlir::RewriterBase &rewriter,
                                   RMSNormBackwardOp op);

/// The same with the weight gradient in strips of columns, and dx, if asked
/// for, in a loop of its own that is to be part of the same launch.
llvm::LogicalResult tileByStrips(mlir::RewriterBase &b, RMSNormBackwardOp op);

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWTILES_H
