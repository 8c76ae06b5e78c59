//===- WeightGrad.cpp - Gradients summed over rows as loops ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// Rows summed over: an op with a weight gradient becomes a loop over parts of
/// the rows and a merge of the parts.
class WeightGradTiler {
public:
  WeightGradTiler(RewriterBase &rewriter, RMSNormBackwardOp op)
      : b(rewriter), op(op), loc(op.getLoc()),
        schedule(takeSchedule(cast<RowwiseOpInterface>(op.getOperation()))) {}

  LogicalResult run();

private:
  /// The loop over parts. Its results are dx, if asked for, and the sums.
  FailureOr<scf::ForallOp> sumParts(Value parts);
  /// The body of that loop: one part's rows, row by row.
  LogicalResult sumOnePart(scf::ForallOp loop, Value parts, Value rowsPerPart);
  /// The rows that `part` of `parts` adds up.
  RowRange getRows(Value part, Value parts, Value rowsPerPart);
  RankedTensorType f32Type(ArrayRef<int64_t> shape) const {
    return RankedTensorType::get(shape, b.getF32Type());
  }

  RewriterBase &b;
  RMSNormBackwardOp op;
  Location loc;
  ScheduleAttr schedule;
  OpFoldResult columns;
};

/// Neighbouring blocks of a GPU take neighbouring rows, which memory serves
/// best; a thread of a CPU keeps to a range of its own.
RowRange WeightGradTiler::getRows(Value part, Value parts, Value rowsPerPart) {
  IndexMath math(b, loc);
  Value rows = b.createOrFold<tensor::DimOp>(loc, op.getX(), 0);
  if (schedule.isGPU())
    return getInterleavedRows(b, loc, rows, part, parts);
  Value first = math.min(math.mul(part, rowsPerPart), rows);
  Value count = math.min(math.sub(rows, first), rowsPerPart);
  return {first, count, b.getIndexAttr(1)};
}

LogicalResult WeightGradTiler::sumOnePart(scf::ForallOp loop, Value parts,
                                          Value rowsPerPart) {
  b.setInsertionPointToStart(loop.getBody());
  Value part = loop.getInductionVar(0);
  RowRange rows = getRows(part, parts, rowsPerPart);

  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> sumOffsets{part, zero}, sumSizes{one, columns},
      sumStrides{one, one};
  Value destination = loop.getRegionIterArgs().back();
  Value sum =
      fillWithZeros(b, loc,
                    tensor::ExtractSliceOp::create(
                        b, loc, f32Type(op.getXType().getShape().back()),
                        destination, sumOffsets, sumSizes, sumStrides));

  SmallVector<Value> operands(op->getOperands());
  operands.back() = sum;
  if (op.getInputGrad())
    operands[operands.size() - 2] = loop.getRegionIterArgs().front();
  auto rowwise = cast<RowwiseOpInterface>(op.getOperation());
  auto whole = cast<RMSNormBackwardOp>(cloneOnOperands(b, rowwise, operands));
  whole.setAccumulate(true);
  readInPlace(rowwise, whole, schedule);
  SmallVector<OpFoldResult> offsets, sizes;
  for (Range range : whole.getIterationDomain(b)) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  SmallVector<OpFoldResult> strides(offsets.size(), one);
  offsets.front() = rows.first;
  sizes.front() = rows.count;
  strides.front() = rows.stride;
  FailureOr<TilingResult> tiled =
      tileRows(b, cast<RowwiseOpInterface>(whole.getOperation()), offsets,
               sizes, strides);
  if (failed(tiled))
    return failure();
  readInPlace(cast<RowwiseOpInterface>(whole.getOperation()),
              tiled->tiledOps.front(), schedule);
  FailureOr<SmallVector<Value>> results = loopOverRows(
      b, cast<RowwiseOpInterface>(tiled->tiledOps.front()), schedule);
  if (failed(results))
    return failure();

  b.setInsertionPointToStart(loop.getTerminator().getBody());
  if (op.getInputGrad()) {
    offsets.push_back(zero);
    sizes.push_back(columns);
    strides.push_back(one);
    tensor::ParallelInsertSliceOp::create(b, loc, results->front(),
                                          loop.getRegionIterArgs().front(),
                                          offsets, sizes, strides);
  }
  tensor::ParallelInsertSliceOp::create(b, loc, results->back(), destination,
                                        sumOffsets, sumSizes, sumStrides);
  b.eraseOp(whole);
  return success();
}

FailureOr<scf::ForallOp> WeightGradTiler::sumParts(Value parts) {
  Value rows = b.createOrFold<tensor::DimOp>(loc, op.getX(), 0);
  Value rowsPerPart = IndexMath(b, loc).ceilDiv(rows, parts);
  SmallVector<Value> inits;
  if (op.getInputGrad())
    inits.push_back(op.getInputGrad());
  inits.push_back(tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{getAsOpFoldResult(parts), columns},
      b.getF32Type()));
  auto loop = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{getAsOpFoldResult(parts)}, inits,
      std::nullopt);
  makeRowProgram(loop, schedule);
  OpBuilder::InsertionGuard guard(b);
  if (failed(sumOnePart(loop, parts, rowsPerPart)))
    return failure();
  return loop;
}

LogicalResult WeightGradTiler::run() {
  b.setInsertionPoint(op);
  columns =
      tensor::getMixedSize(b, loc, op.getX(), op.getXType().getRank() - 1);
  FailureOr<scf::ForallOp> loop = sumParts(getNumParts(b, op, schedule));
  if (failed(loop))
    return op->emitOpError("could not be tiled");
  FailureOr<Value> grad =
      mergeParts(b, loc, loop->getResults().back(), op.getWeightGrad(),
                 op.getAccumulate(), schedule);
  if (failed(grad))
    return op->emitOpError("could not merge its parts");
  SmallVector<Value> results;
  if (op.getInputGrad())
    results.push_back(loop->getResult(0));
  results.push_back(*grad);
  b.replaceOp(op, results);
  return success();
}

} // namespace

static Value getRowCount(OpBuilder &b, RMSNormBackwardOp op) {
  IndexMath math(b, op.getLoc());
  Value count = math.constant(1);
  for (int64_t axis = 0; axis + 1 < op.getXType().getRank(); ++axis)
    count = math.mul(
        count, b.createOrFold<tensor::DimOp>(op.getLoc(), op.getX(), axis));
  return count;
}

Value rudnn::norm::getNumParts(OpBuilder &b, RMSNormBackwardOp op,
                               ScheduleAttr schedule) {
  IndexMath math(b, op.getLoc());
  if (schedule.getParts() != 0)
    return math.constant(schedule.getParts());
  Value wanted = math.ceilDiv(getRowCount(b, op), math.constant(32));
  return math.max(math.min(wanted, math.constant(128)), math.constant(1));
}

RowRange rudnn::norm::getInterleavedRows(OpBuilder &b, Location loc, Value rows,
                                         Value part, Value parts) {
  IndexMath math(b, loc);
  Value one = math.constant(1);
  Value behind = math.sub(math.add(rows, math.sub(parts, one)), part);
  return {part, math.apply<arith::DivUIOp>(behind, parts), parts};
}

LogicalResult rudnn::norm::tileWeightGrad(RewriterBase &rewriter,
                                          RMSNormBackwardOp op) {
  return WeightGradTiler(rewriter, op).run();
}
