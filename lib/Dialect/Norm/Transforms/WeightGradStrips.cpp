//===- WeightGradStrips.cpp - A weight gradient by strips of columns ------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnSums.h"

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// The weight gradient of an op as a program over strips of columns.
class StripTiler {
public:
  StripTiler(RewriterBase &b, RMSNormBackwardOp op, ScheduleAttr schedule)
      : b(b), op(op), loc(op.getLoc()), schedule(schedule),
        strip(getStripProgram(
            ScheduleProblem(cast<RowwiseOpInterface>(op.getOperation())),
            schedule.getValue())) {}

  /// One part goes where the gradient is, several to partial sums.
  scf::ForallOp run();

private:
  Value sumTile(const ColumnTile &tile, Value part, Value parts, Value init);
  /// A tile of rows of x or dy, or of rstd: zeros where there is nothing.
  Value getTile(Value operand, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides,
                ArrayRef<int64_t> shape);
  Value addRows(const ColumnTile &tile, ArrayRef<OpFoldResult> rows,
                OpFoldResult stride, OpFoldResult count, Value sum);

  RewriterBase &b;
  RMSNormBackwardOp op;
  Location loc;
  ScheduleAttr schedule;
  StripsProgram strip;
};

} // namespace

Value StripTiler::getTile(Value operand, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes,
                          ArrayRef<OpFoldResult> strides,
                          ArrayRef<int64_t> shape) {
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, operand, offsets, sizes, strides);
  return padAtEnd(b, loc, slice, shape);
}

Value StripTiler::addRows(const ColumnTile &tile, ArrayRef<OpFoldResult> rows,
                          OpFoldResult stride, OpFoldResult count, Value sum) {
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(rows), sizes(rows.size(), one),
      strides(rows.size(), one);
  SmallVector<int64_t> shape(rows.size(), 1);
  sizes.back() = count;
  strides.front() = stride;
  shape.back() = strip.schedule.rows;
  Value rstd = getTile(op.getRstd(), offsets, sizes, strides, shape);
  offsets.push_back(tile.first);
  sizes.push_back(tile.size);
  strides.push_back(one);
  shape.push_back(tile.columns);
  Value x = getTile(op.getX(), offsets, sizes, strides, shape);
  Value dy = getTile(op.getDy(), offsets, sizes, strides, shape);
  auto add = RMSNormBackwardOp::create(
      b, loc, sum.getType(), x, dy, rstd, /*gamma=*/Value(),
      /*input_grad=*/Value(), /*weight_grad=*/sum,
      /*gamma_offset=*/APFloat(0.0f), /*accumulate=*/true,
      /*schedule=*/ScheduleAttr());
  return add.getResult(0);
}

Value StripTiler::sumTile(const ColumnTile &tile, Value part, Value parts,
                          Value init) {
  SmallVector<Value> counts;
  for (int64_t axis = 0; axis + 1 < op.getXType().getRank(); ++axis)
    counts.push_back(b.createOrFold<tensor::DimOp>(loc, op.getX(), axis));
  RowRange range{b.getIndexAttr(0), counts.front(), b.getIndexAttr(1)};
  if (part)
    range = getInterleavedRows(b, loc, counts.front(), part, parts);
  counts.front() = range.count;
  return createRowWalk(
      b, loc, counts, strip.schedule.rows, init,
      [&](ValueRange indices, OpFoldResult count, Value sum) {
        IndexMath math(b, loc);
        SmallVector<OpFoldResult> rows(indices.begin(), indices.end());
        if (part)
          rows.front() = math.add(part, math.mul(indices.front(), parts));
        return addRows(tile, rows, range.stride, count, sum);
      });
}

scf::ForallOp StripTiler::run() {
  SumDestination destination{op.getWeightGrad(), op.getAccumulate()};
  Value parts;
  if (strip.schedule.parts != 1) {
    parts = getNumParts(b, op, schedule);
    OpFoldResult columns = tensor::getMixedSizes(b, loc, op.getX()).back();
    destination.grad = tensor::EmptyOp::create(
        b, loc, ArrayRef<OpFoldResult>{getAsOpFoldResult(parts), columns},
        b.getF32Type());
    destination.accumulate = false;
  }
  return createColumnSums(b, loc, destination, strip.problem.columns,
                          ScheduleAttr::get(b.getContext(), strip.schedule),
                          [&](const ColumnTile &tile, Value part, Value init) {
                            return sumTile(tile, part, parts, init);
                          });
}

/// dx, a loop over rows of its own.
static FailureOr<scf::ForallOp>
tileInputGrad(RewriterBase &b, RMSNormBackwardOp op, ScheduleAttr schedule) {
  auto problem = ScheduleProblem(cast<RowwiseOpInterface>(op.getOperation()));
  StripsProgram program = getRowProgram(problem, schedule.getValue());
  auto alone = RMSNormBackwardOp::create(
      b, op.getLoc(), op.getInputGrad().getType(), op.getX(), op.getDy(),
      op.getRstd(), op.getGamma(), op.getInputGrad(),
      /*weight_grad=*/Value(), op.getGammaOffset(), /*accumulate=*/false,
      ScheduleAttr::get(b.getContext(), program.schedule));
  return tileParallelRows(b, cast<RowwiseOpInterface>(alone.getOperation()));
}

LogicalResult rudnn::norm::tileByStrips(RewriterBase &b, RMSNormBackwardOp op) {
  auto schedule = takeSchedule(cast<RowwiseOpInterface>(op.getOperation()));
  b.setInsertionPoint(op);
  scf::ForallOp strips = StripTiler(b, op, schedule).run();
  SmallVector<Value> results;
  if (op.getInputGrad()) {
    FailureOr<scf::ForallOp> rows = tileInputGrad(b, op, schedule);
    if (failed(rows))
      return failure();
    auto launch = DistinctAttr::create(schedule);
    for (scf::ForallOp loop : {strips, *rows})
      loop->setDiscardableAttr(NormDialect::kLaunchAttrName, launch);
    results.push_back(rows->getResult(0));
  }
  Value grad = strips.getResult(0);
  if (cast<ShapedType>(grad.getType()).getRank() == 2) {
    b.setInsertionPoint(op);
    FailureOr<Value> merged = mergeParts(
        b, op.getLoc(), grad, op.getWeightGrad(), op.getAccumulate(), schedule);
    if (failed(merged))
      return op->emitOpError("could not merge its parts");
    grad = *merged;
  }
  results.push_back(grad);
  b.replaceOp(op, results);
  return success();
}
