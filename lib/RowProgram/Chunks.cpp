//===- Chunks.cpp - Row programs on chunks of columns ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chunks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rudnn;

SmallVector<ChunkRange> rudnn::getChunkRanges(OpBuilder &b, Location loc,
                                              OpFoldResult columns,
                                              norm::ScheduleAttr schedule) {
  auto roundDown = [&](int64_t step) {
    AffineExpr n = b.getAffineSymbolExpr(0);
    return affine::makeComposedFoldedAffineApply(
        b, loc, n.floorDiv(step) * step, {columns});
  };
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult chunks = roundDown(schedule.getChunk());
  int64_t vector = schedule.getChunk() / schedule.getUnroll();
  OpFoldResult vectors = roundDown(vector);
  SmallVector<ChunkRange> ranges{{zero, chunks, schedule.getChunk(), false},
                                 {chunks, vectors, vector, false},
                                 {vectors, columns, vector, true}};
  llvm::erase_if(ranges, [](const ChunkRange &range) {
    return isEqualConstantIntOrValue(range.begin, range.end);
  });
  return ranges;
}

static Value sliceColumns(OpBuilder &b, Location loc, Value tensor,
                          const Chunk &chunk) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  offsets.back() = chunk.column;
  sizes.back() = chunk.size;
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes,
                                        strides);
}

/// A slice of a whole chunk's width: zeros stand where the row has ended.
static Value padToChunk(OpBuilder &b, Location loc, Value slice,
                        const Chunk &chunk) {
  if (!chunk.masked)
    return slice;
  auto type = cast<RankedTensorType>(slice.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = chunk.width;
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0)), high(low);
  AffineExpr size = b.getAffineSymbolExpr(0);
  high.back() = affine::makeComposedFoldedAffineApply(
      b, loc, chunk.width - size, {chunk.size});
  return tensor::PadOp::create(b, loc, type.clone(shape), slice, low, high,
                               zero);
}

Value rudnn::insertChunk(OpBuilder &b, Location loc, Value value,
                         Value destination, const Chunk &chunk) {
  auto type = cast<RankedTensorType>(destination.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, destination);
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  sizes.back() = chunk.size;
  if (chunk.masked) {
    // Through the padded slice, which vectorizes to a masked write.
    Value padded =
        padToChunk(b, loc, sliceColumns(b, loc, destination, chunk), chunk);
    Value copy = linalg::CopyOp::create(b, loc, value, padded).getResult(0);
    value =
        tensor::ExtractSliceOp::create(b, loc, copy, offsets, sizes, strides);
  }
  offsets.back() = chunk.column;
  return tensor::InsertSliceOp::create(b, loc, value, destination, offsets,
                                       sizes, strides);
}

FailureOr<Value> ChunkEmitter::emit(linalg::GenericOp op, Value carried) {
  Value init = getInit(op, carried);
  auto extents = op.getStaticLoopRanges();
  if (!llvm::all_of(ArrayRef(extents).drop_back(),
                    [](int64_t extent) { return extent == 1; })) {
    FailureOr<Value> sum = emitRows(op, init);
    if (succeeded(sum))
      chunks[op.getResult(0)] = *sum;
    return sum;
  }
  SmallVector<Value> inputs, wholeRow(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value &known = chunks[input->get()];
    if (!known)
      known = sliceOperand(op, *input, wholeRow);
    inputs.push_back(known);
  }
  linalg::GenericOp onChunk = clone(op, inputs, init, wholeRow);
  if (chunk.masked && reducesColumns(op))
    keepInsideRow(onChunk);
  return chunks[op.getResult(0)] = onChunk.getResult(0);
}

Value ChunkEmitter::getInit(linalg::GenericOp op, Value carried) {
  if (carried && reducesColumns(op))
    return carried;
  OpOperand &init = op.getDpsInitsMutable()[0];
  bool isRead = op.payloadUsesValueFromOperand(&init);
  if (Value computed = chunks.lookup(init.get()); computed && isRead)
    return computed;
  if (isRead || (carried && !chunk.masked))
    return padToChunk(
        b, op.getLoc(),
        sliceColumns(b, op.getLoc(), carried ? carried : init.get(), chunk),
        chunk);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, op.getLoc(), columnOps.getDestination(op));
  sizes.back() = b.getIndexAttr(chunk.width);
  return tensor::EmptyOp::create(b, op.getLoc(), sizes,
                                 getElementTypeOrSelf(init.get().getType()));
}

linalg::GenericOp ChunkEmitter::clone(linalg::GenericOp op, ValueRange inputs,
                                      Value init, ArrayRef<Value> row) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (reducesColumns(op)) {
    AffineMap &out = maps.back();
    out = out.insertResult(b.getAffineDimExpr(columnLoop(op)),
                           out.getNumResults());
    iterators.back() = utils::IteratorType::parallel;
  }
  auto onChunk = linalg::GenericOp::create(b, op.getLoc(), init.getType(),
                                           inputs, init, maps, iterators);
  b.cloneRegionBefore(op.getRegion(), onChunk.getRegion(),
                      onChunk.getRegion().begin());
  // The loops of the clone count from the row and the chunk that it is for.
  SmallVector<OpFoldResult> origin(row.begin(), row.end());
  origin[columnLoop(op)] = chunk.column;
  linalg::offsetIndices(b, onChunk, origin);
  return onChunk;
}

/// Lanes past the end of the row keep what they have: zeros stand there, and
/// what is computed from zeros need not be neutral.
void ChunkEmitter::keepInsideRow(linalg::GenericOp op) {
  OpBuilder::InsertionGuard guard(b);
  Operation *yield = op.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  Value size = getValueOrCreateConstantIndexOp(b, op.getLoc(), chunk.size);
  Value column = linalg::IndexOp::create(b, op.getLoc(), columnLoop(op));
  Value inside = arith::CmpIOp::create(b, op.getLoc(),
                                       arith::CmpIPredicate::ult, column, size);
  Value kept =
      arith::SelectOp::create(b, op.getLoc(), inside, yield->getOperand(0),
                              op.getRegionOutputArgs()[0]);
  yield->setOperand(0, kept);
}

/// `operand` of `op` at one row and one chunk: `row` has an index for each loop
/// that runs over several rows, and null elsewhere.
Value ChunkEmitter::sliceOperand(linalg::GenericOp op, OpOperand &operand,
                                 ArrayRef<Value> row) {
  Value value = operand.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, op.getLoc(), value);
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  bool cut = false;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || !row[loop.getPosition()])
      continue;
    offsets[axis] = row[loop.getPosition()];
    sizes[axis] = b.getIndexAttr(1);
    cut = true;
  }
  bool hasColumns = isIndexedByColumn(op, operand);
  if (hasColumns) {
    offsets.back() = chunk.column;
    sizes.back() = chunk.size;
  }
  if (!cut && !hasColumns)
    return value;
  Value slice = tensor::ExtractSliceOp::create(b, op.getLoc(), value, offsets,
                                               sizes, strides);
  return hasColumns ? padToChunk(b, op.getLoc(), slice, chunk) : slice;
}

/// An op that sums several rows adds them one by one, the chunk of the sum
/// staying in registers.
FailureOr<Value> ChunkEmitter::emitRows(linalg::GenericOp op, Value init) {
  SmallVector<Value> row(op.getNumLoops());
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  scf::ForOp outermost;
  OpBuilder::InsertionGuard guard(b);
  for (unsigned loop = 0; loop < columnLoop(op); ++loop) {
    if (extents[loop] == 1)
      continue;
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      return op->emitOpError("writes several rows in a row program");
    Value end = getValueOrCreateConstantIndexOp(
        b, op.getLoc(), columnOps.getExtent(b, op, loop));
    auto rows = scf::ForOp::create(
        b, op.getLoc(), arith::ConstantIndexOp::create(b, op.getLoc(), 0), end,
        arith::ConstantIndexOp::create(b, op.getLoc(), 1), init);
    if (outermost)
      scf::YieldOp::create(b, op.getLoc(), rows.getResults());
    else
      outermost = rows;
    row[loop] = rows.getInductionVar();
    init = rows.getRegionIterArg(0);
    b.setInsertionPointToStart(rows.getBody());
  }
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (Operation *def = input->get().getDefiningOp(); columnOps.contains(def))
      return op->emitOpError("sums rows that are computed in its loop");
    inputs.push_back(sliceOperand(op, *input, row));
  }
  linalg::GenericOp onChunk = clone(op, inputs, init, row);
  if (chunk.masked && reducesColumns(op))
    keepInsideRow(onChunk);
  scf::YieldOp::create(b, op.getLoc(), onChunk.getResult(0));
  return outermost.getResult(0);
}
