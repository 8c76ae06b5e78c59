//===- MergeParts.cpp - The sum of a gradient's parts ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts lie one below the other, so a merge reads a few columns of each.
// On a CPU a task goes down the parts alone. On a GPU many threads share the
// columns, each going down every n-th part, so that enough reads are under way.
//
//===----------------------------------------------------------------------===//

#include "ColumnSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

/// Steps of the row loop in one task of the merge on a CPU: long enough to be
/// worth a task, short enough that narrow rows still spread over threads.
static constexpr int64_t kMergeSteps = 8;

/// Threads of a block of the merge on a GPU, and columns that one takes.
static constexpr int64_t kMergeThreads = 256, kMergeVector = 4;

namespace {

class PartMerger {
public:
  PartMerger(RewriterBase &b, Location loc, Value sums, Value grad,
             bool accumulate, ScheduleAttr schedule)
      : b(b), loc(loc), sums(sums), grad(grad), accumulate(accumulate),
        schedule(schedule), element(getElementTypeOrSelf(grad.getType())) {}

  FailureOr<Value> onCPU();
  Value onGPU();

private:
  /// `init` [n] plus all rows of `rows` [m, n].
  Value addRows(Value rows, Value init);
  FailureOr<Value> tileColumns(Operation *elementwise);
  Schedule getGPUSchedule();

  RewriterBase &b;
  Location loc;
  Value sums, grad;
  bool accumulate;
  ScheduleAttr schedule;
  Type element;
};

} // namespace

Value PartMerger::addRows(Value rows, Value init) {
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  using utils::IteratorType;
  auto add = linalg::GenericOp::create(
      b, loc, init.getType(), rows, init,
      ArrayRef<AffineMap>{all, all.dropResult(0)},
      ArrayRef<IteratorType>{IteratorType::reduction, IteratorType::parallel},
      [](OpBuilder &nested, Location loc, ValueRange in) {
        Value sum = arith::AddFOp::create(nested, loc, in[1], in[0]);
        linalg::YieldOp::create(nested, loc, sum);
      });
  return add.getResult(0);
}

FailureOr<Value> PartMerger::tileColumns(Operation *elementwise) {
  auto tileable = cast<TilingInterface>(elementwise);
  SmallVector<OpFoldResult> sizes;
  for (utils::IteratorType iterator : tileable.getLoopIteratorTypes())
    sizes.push_back(b.getIndexAttr(iterator == utils::IteratorType::parallel
                                       ? kMergeSteps * schedule.getChunk()
                                       : 0));
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setTileSizes(sizes);
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(b, tileable, options);
  if (failed(tiled))
    return failure();
  makeRowProgram(cast<scf::ForallOp>(tiled->loops.front()), schedule);
  return tiled->replacements.lookup(elementwise->getResult(0));
}

FailureOr<Value> PartMerger::onCPU() {
  Value init = grad;
  if (!accumulate)
    init = fillWithZeros(
        b, loc,
        element.isF32() ? grad
                        : tensor::EmptyOp::create(
                              b, loc, {tensor::getMixedSize(b, loc, grad, 0)},
                              b.getF32Type())
                              .getResult());
  Value sum = addRows(sums, init);
  return tileColumns(element.isF32() ? sum.getDefiningOp()
                                     : storeSum(b, loc, sum, grad));
}

Schedule PartMerger::getGPUSchedule() {
  Schedule merge;
  merge.launch = schedule.getValue().launch;
  int64_t columns = schedule.getValue().merge_columns;
  merge.vector = std::min(columns, kMergeVector);
  merge.threads = columns / merge.vector;
  merge.rows = std::max<int64_t>(kMergeThreads / merge.threads, 1);
  // A vector of so many elements is columns, not one value for each row.
  if (merge.rows == columns)
    merge.rows *= 2;
  return merge;
}

Value PartMerger::onGPU() {
  Schedule merge = getGPUSchedule();
  Value parts = b.createOrFold<tensor::DimOp>(loc, sums, 0);
  auto sumTile = [&](const ColumnTile &tile, Value, Value init) {
    auto addTile = [&](ValueRange part, OpFoldResult count, Value sum) {
      OpFoldResult one = b.getIndexAttr(1);
      Value slice = tensor::ExtractSliceOp::create(
          b, loc, sums, ArrayRef<OpFoldResult>{part.front(), tile.first},
          ArrayRef<OpFoldResult>{count, tile.size},
          ArrayRef<OpFoldResult>{one, one});
      return addRows(padAtEnd(b, loc, slice, {merge.rows, tile.columns}), sum);
    };
    return createRowWalk(b, loc, parts, merge.rows, init, addTile);
  };
  return createColumnSums(b, loc, {grad, accumulate},
                          merge.threads * merge.vector,
                          ScheduleAttr::get(b.getContext(), merge), sumTile)
      .getResult(0);
}

FailureOr<Value> rudnn::norm::mergeParts(RewriterBase &b, Location loc,
                                         Value sums, Value grad,
                                         bool accumulate,
                                         ScheduleAttr schedule) {
  PartMerger merger(b, loc, sums, grad, accumulate, schedule);
  if (schedule.isGPU())
    return merger.onGPU();
  return merger.onCPU();
}
