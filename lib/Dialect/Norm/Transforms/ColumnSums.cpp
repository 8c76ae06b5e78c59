//===- ColumnSums.cpp - Sums of columns, in tasks of a GPU ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnSums.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

namespace {

class ColumnSums {
public:
  ColumnSums(RewriterBase &b, Location loc, SumDestination destination,
             int64_t columns, ScheduleAttr schedule)
      : b(b), loc(loc), destination(destination), columns(columns),
        schedule(schedule), all(tensor::getMixedSizes(b, loc, grad())) {}

  scf::ForallOp run(SumTileFn sumTile);

private:
  Value grad() const { return destination.grad; }
  bool hasParts() const { return all.size() == 2; }
  scf::ForallOp createLoop();
  ColumnTile getTile(Value first);
  /// What the sum of a tile whose place is `padded` starts from.
  Value getInit(Value padded);

  RewriterBase &b;
  Location loc;
  SumDestination destination;
  int64_t columns;
  ScheduleAttr schedule;
  SmallVector<OpFoldResult> all;
};

} // namespace

scf::ForallOp ColumnSums::createLoop() {
  SmallVector<OpFoldResult> begins(all.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> steps(all.size(), b.getIndexAttr(1));
  steps.back() = b.getIndexAttr(columns);
  auto loop = scf::ForallOp::create(b, loc, begins, all, steps,
                                    ValueRange(grad()), std::nullopt);
  makeRowProgram(loop, schedule);
  return loop;
}

ColumnTile ColumnSums::getTile(Value first) {
  OpFoldResult end = all.back(), size = b.getIndexAttr(columns);
  std::optional<int64_t> known = getConstantIntValue(end);
  if (!known || *known % columns != 0) {
    AffineExpr left = b.getAffineSymbolExpr(1) - b.getAffineSymbolExpr(0);
    size = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 2, {b.getAffineConstantExpr(columns), left},
                       b.getContext()),
        {first, end});
  }
  return {columns, first, size};
}

/// Sums of the result's own type and shape are built where they go.
Value ColumnSums::getInit(Value padded) {
  Value init = padded;
  if (!getElementTypeOrSelf(grad().getType()).isF32() || hasParts())
    init = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{columns},
                                   b.getF32Type());
  return destination.accumulate ? init : fillWithZeros(b, loc, init);
}

scf::ForallOp ColumnSums::run(SumTileFn sumTile) {
  scf::ForallOp loop = createLoop();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value part = hasParts() ? loop.getInductionVar(0) : Value();
  ColumnTile tile = getTile(loop.getInductionVars().back());
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets{tile.first}, sizes{tile.size};
  SmallVector<int64_t> shape{columns};
  if (part) {
    offsets.insert(offsets.begin(), part);
    sizes.insert(sizes.begin(), one);
    shape.insert(shape.begin(), 1);
  }
  SmallVector<OpFoldResult> ones(all.size(), one);
  Value shared = loop.getRegionIterArgs().front();
  Value place =
      tensor::ExtractSliceOp::create(b, loc, shared, offsets, sizes, ones);
  Value padded = padAtEnd(b, loc, place, shape);
  Value sum = sumTile(tile, part, getInit(padded));
  if (sum.getType() != padded.getType())
    sum = storeSum(b, loc, sum, padded)->getResult(0);
  Value result = takeFront(b, loc, sum, place);
  b.setInsertionPointToStart(loop.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, result, shared, offsets, sizes,
                                        ones);
  return loop;
}

scf::ForallOp rudnn::norm::createColumnSums(RewriterBase &b, Location loc,
                                            SumDestination destination,
                                            int64_t columns,
                                            ScheduleAttr schedule,
                                            SumTileFn sumTile) {
  return ColumnSums(b, loc, destination, columns, schedule).run(sumTile);
}

Value rudnn::norm::createRowWalk(OpBuilder &b, Location loc,
                                 ArrayRef<Value> counts, int64_t rows,
                                 Value init, AddRowsFn addRows) {
  IndexMath math(b, loc);
  SmallVector<Value> begins(counts.size(), math.constant(0));
  SmallVector<Value> steps(counts.size(), math.constant(1));
  steps.back() = math.constant(rows);
  std::optional<int64_t> known = getConstantIntValue(counts.back());
  bool isWhole = rows == 1 || (known && *known % rows == 0);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, begins, counts, steps, init,
      [&](OpBuilder &, Location, ValueRange indices,
          ValueRange carried) -> scf::ValueVector {
        OpFoldResult count = b.getIndexAttr(rows);
        if (!isWhole)
          count =
              math.min(math.sub(counts.back(), indices.back()), steps.back());
        return {addRows(indices, count, carried.front())};
      });
  return nest.results.front();
}
