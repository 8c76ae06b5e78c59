//===- RowWalk.cpp - Rows dealt to blocks that stay -----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// An op on rows that do not depend on each other as a loop over parts of the
/// rows, each of which has a loop over its rows.
class RowWalk {
public:
  RowWalk(RewriterBase &b, RowwiseOpInterface op)
      : b(b), op(op), loc(op.getLoc()), schedule(takeSchedule(op)),
        inits(cast<DestinationStyleOpInterface>(op.getOperation())
                  .getDpsInits()) {}

  LogicalResult run();

private:
  /// The rows of one part.
  FailureOr<SmallVector<Value>> walk(scf::ForallOp loop, RowRange rows);
  /// Puts what came of `rows` where it belongs.
  void insert(scf::ForallOp loop, ArrayRef<Value> results, RowRange rows);
  /// Offsets, sizes and strides of `rows`, with all of the other `axes`.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
  };
  Slice getSlice(RowRange rows, ArrayRef<OpFoldResult> sizes);

  RewriterBase &b;
  RowwiseOpInterface op;
  Location loc;
  ScheduleAttr schedule;
  SmallVector<Value> inits;
  /// Of the rows of the op.
  SmallVector<OpFoldResult> sizes;
};

RowWalk::Slice RowWalk::getSlice(RowRange rows, ArrayRef<OpFoldResult> sizes) {
  Slice slice;
  slice.offsets.assign(sizes.size(), b.getIndexAttr(0));
  slice.sizes.assign(sizes.begin(), sizes.end());
  slice.strides.assign(sizes.size(), b.getIndexAttr(1));
  slice.offsets.front() = rows.first;
  slice.sizes.front() = rows.count;
  slice.strides.front() = rows.stride;
  return slice;
}

/// Has the loop over rows hand on what nobody uses as it was, so that nothing
/// writes it: it has no memory that the loop over parts could share.
static void dropUnused(RowwiseOpInterface op, ArrayRef<Value> results) {
  for (auto [wanted, made] : llvm::zip_equal(op->getResults(), results)) {
    auto loop = made.getDefiningOp<scf::ForOp>();
    if (!loop || !wanted.use_empty())
      continue;
    unsigned index = cast<OpResult>(made).getResultNumber();
    (*loop.getYieldedValuesMutable())[index].assign(
        loop.getRegionIterArg(index));
  }
}

FailureOr<SmallVector<Value>> RowWalk::walk(scf::ForallOp loop, RowRange rows) {
  SmallVector<Value> operands(op->getOperands());
  llvm::copy(loop.getRegionIterArgs(), operands.end() - inits.size());
  auto whole = cast<RowwiseOpInterface>(cloneOnOperands(b, op, operands));
  readInPlace(op, whole, schedule);
  int64_t rowAxes = sizes.size() - 1;
  Slice slice = getSlice(rows, ArrayRef(sizes).take_front(rowAxes));
  FailureOr<TilingResult> part =
      tileRows(b, whole, slice.offsets, slice.sizes, slice.strides);
  if (failed(part))
    return failure();
  readInPlace(whole, part->tiledOps.front(), schedule);
  b.eraseOp(whole);
  FailureOr<SmallVector<Value>> results = loopOverRows(
      b, cast<RowwiseOpInterface>(part->tiledOps.front()), schedule);
  if (succeeded(results))
    dropUnused(op, *results);
  return results;
}

void RowWalk::insert(scf::ForallOp loop, ArrayRef<Value> results,
                     RowRange rows) {
  b.setInsertionPointToEnd(loop.getTerminator().getBody());
  for (auto [result, init] :
       llvm::zip_equal(results, loop.getRegionIterArgs())) {
    // The same sizes as those of what is taken out: then nothing is copied.
    int64_t rank = cast<ShapedType>(init.getType()).getRank();
    Slice slice = getSlice(rows, ArrayRef(sizes).take_front(rank));
    tensor::ParallelInsertSliceOp::create(b, loc, result, init, slice.offsets,
                                          slice.sizes, slice.strides);
  }
}

LogicalResult RowWalk::run() {
  b.setInsertionPoint(op);
  sizes = tensor::getMixedSizes(b, loc, op.getRows());
  Value rowCount = b.createOrFold<tensor::DimOp>(loc, op.getRows(), 0);
  Value parts = arith::ConstantIndexOp::create(b, loc, schedule.getParts());
  auto loop = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{b.getIndexAttr(schedule.getParts())},
      inits, std::nullopt);
  makeRowProgram(loop, schedule);
  b.setInsertionPointToStart(loop.getBody());
  RowRange rows =
      getInterleavedRows(b, loc, rowCount, loop.getInductionVar(0), parts);
  FailureOr<SmallVector<Value>> results = walk(loop, rows);
  if (failed(results))
    return op->emitOpError("could not be tiled");
  insert(loop, *results, rows);
  b.replaceOp(op, loop.getResults());
  return success();
}

} // namespace

LogicalResult rudnn::norm::tileWalkedRows(RewriterBase &b,
                                          RowwiseOpInterface op) {
  return RowWalk(b, op).run();
}
