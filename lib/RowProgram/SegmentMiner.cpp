//===- SegmentMiner.cpp - Rows of one stretch of a block ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SegmentMiner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace rudnn;

/// Terms that one partial result adds up before it goes into another: rounding
/// errors of a sum of like terms grow with their number.
static constexpr int64_t kBlockSteps = 64;

LogicalResult SegmentMiner::checkColumnOp(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1)
    return op->emitOpError("with several results in a row program");
  if (!reducesColumns(op))
    return success();
  Operation *combiner = getCombiner(op);
  if (!combiner || !arith::getNeutralElement(combiner))
    return op->emitOpError("reduces a row in a way that can't be cut");
  return success();
}

LogicalResult SegmentMiner::assignPhases() {
  for (Operation *op : segment) {
    int phase = 0;
    for (Value operand : op->getOperands()) {
      auto it = phases.find(operand.getDefiningOp());
      if (it == phases.end())
        continue;
      // What is not on columns comes in front of its phase's loops.
      bool waits = columnOps.contains(it->first) &&
                   (!analysis.hasColumns(op) ||
                    reducesColumns(cast<linalg::GenericOp>(it->first)));
      phase = std::max(phase, it->second + (waits ? 1 : 0));
    }
    phases[op] = phase;
    lastPhase = std::max(lastPhase, phase);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !analysis.hasColumns(op))
      continue;
    if (failed(checkColumnOp(generic)))
      return failure();
    columnOps.insert(generic);
  }
  return success();
}

SmallVector<SegmentMiner::Sink> SegmentMiner::collectSinks(int phase) {
  SmallVector<Sink> sinks;
  for (Operation *op : segment) {
    if (!columnOps.contains(op) || phases.lookup(op) != phase)
      continue;
    auto generic = cast<linalg::GenericOp>(op);
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !columnOps.contains(user);
    });
    if (reducesColumns(generic))
      sinks.push_back({generic, Value(), {}});
    else if (isRead)
      sinks.push_back({generic, columnOps.getDestination(generic), {}});
  }
  return sinks;
}

SmallVector<linalg::GenericOp>
SegmentMiner::collectNeeded(ArrayRef<Sink> sinks) {
  DenseSet<Operation *> needed;
  SmallVector<Operation *> worklist;
  for (const Sink &sink : sinks)
    worklist.push_back(sink.op);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    auto generic = cast<linalg::GenericOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      if (columnOps.contains(def) &&
          !reducesColumns(cast<linalg::GenericOp>(def)) &&
          generic.payloadUsesValueFromOperand(&operand))
        worklist.push_back(def);
    }
  }
  SmallVector<linalg::GenericOp> ordered;
  for (Operation *op : segment)
    if (needed.contains(op))
      ordered.push_back(cast<linalg::GenericOp>(op));
  return ordered;
}

Value SegmentMiner::makeNeutralPartials(linalg::GenericOp op, int64_t width) {
  Value init = op.getDpsInits().front();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, init);
  sizes.push_back(b.getIndexAttr(width));
  Value empty = tensor::EmptyOp::create(b, loc, sizes,
                                        getElementTypeOrSelf(init.getType()));
  Value neutral = arith::ConstantOp::create(
      b, loc, *arith::getNeutralElement(getCombiner(op)));
  return linalg::FillOp::create(b, loc, neutral, empty).getResult(0);
}

Value &SegmentMiner::getPartials(Sink &sink, int64_t width) {
  for (auto &[known, value] : sink.partials)
    if (known == width)
      return value;
  sink.partials.emplace_back(width, makeNeutralPartials(sink.op, width));
  return sink.partials.back().second;
}

Value SegmentMiner::combine(linalg::GenericOp op, Value value, Value into) {
  Operation *combiner = getCombiner(op);
  Value accumulator = op.getRegionOutputArgs()[0];
  int64_t loops = cast<RankedTensorType>(value.getType()).getRank();
  AffineMap all = b.getMultiDimIdentityMap(loops);
  bool isReduction = cast<RankedTensorType>(into.getType()).getRank() < loops;
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  if (isReduction)
    iterators.back() = utils::IteratorType::reduction;
  auto combined = linalg::GenericOp::create(
      b, loc, into.getType(), value, into,
      ArrayRef<AffineMap>{all, isReduction ? all.dropResult(loops - 1) : all},
      iterators, [&](OpBuilder &nested, Location, ValueRange in) {
        IRMapping mapping;
        for (Value operand : combiner->getOperands())
          mapping.map(operand, operand == accumulator ? in[1] : in[0]);
        Operation *result = nested.clone(*combiner, mapping);
        linalg::YieldOp::create(nested, loc, result->getResults());
      });
  return combined.getResult(0);
}

FailureOr<SmallVector<Value>>
SegmentMiner::loopOverChunks(const ChunkRange &range, ArrayRef<Sink> sinks,
                             ArrayRef<linalg::GenericOp> needed,
                             ArrayRef<Value> carried) {
  AffineExpr begin, end;
  bindSymbols(b.getContext(), begin, end);
  OpFoldResult size = range.masked
                          ? affine::makeComposedFoldedAffineApply(
                                b, loc, end - begin, {range.begin, range.end})
                          : OpFoldResult(b.getIndexAttr(range.width));
  auto loop = scf::ForOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, range.begin),
      getValueOrCreateConstantIndexOp(b, loc, range.end),
      arith::ConstantIndexOp::create(b, loc, range.width), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Chunk chunk{loop.getInductionVar(), size, range.width, range.masked};
  ChunkEmitter emitter(b, columnOps, chunk);
  SmallVector<Value> yielded(loop.getRegionIterArgs());
  for (linalg::GenericOp op : needed) {
    auto *sink =
        llvm::find_if(sinks, [&](const Sink &s) { return s.op == op; });
    Value *slot =
        sink == sinks.end() ? nullptr : &yielded[sink - sinks.begin()];
    FailureOr<Value> result = emitter.emit(op, slot ? *slot : Value());
    if (failed(result))
      return failure();
    if (slot)
      *slot = sink->destination ? insertChunk(b, loc, *result, *slot, chunk)
                                : *result;
  }
  scf::YieldOp::create(b, loc, yielded);
  return SmallVector<Value>(loop.getResults());
}

FailureOr<SmallVector<Value>>
SegmentMiner::loopOverBlocks(const ChunkRange &range, ArrayRef<Sink> sinks,
                             ArrayRef<linalg::GenericOp> needed,
                             ArrayRef<Value> carried, int64_t steps) {
  if (steps == 1)
    return loopOverChunks(range, sinks, needed, carried);
  int64_t block = range.width * steps;
  auto loop = scf::ForOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, range.begin),
      getValueOrCreateConstantIndexOp(b, loc, range.end),
      arith::ConstantIndexOp::create(b, loc, block), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  AffineExpr first, end;
  bindSymbols(b.getContext(), first, end);
  ChunkRange inBlock = range;
  inBlock.begin = loop.getInductionVar();
  inBlock.end = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 2, {first + block, end}, b.getContext()),
      {inBlock.begin, range.end});
  SmallVector<Value> fresh;
  for (auto [sink, value] : llvm::zip_equal(sinks, loop.getRegionIterArgs()))
    fresh.push_back(sink.destination
                        ? Value(value)
                        : makeNeutralPartials(sink.op, range.width));
  auto results =
      loopOverBlocks(inBlock, sinks, needed, fresh, steps / kBlockSteps);
  if (failed(results))
    return failure();
  SmallVector<Value> yielded;
  for (auto [sink, value, result] :
       llvm::zip_equal(sinks, loop.getRegionIterArgs(), *results))
    yielded.push_back(sink.destination ? result
                                       : combine(sink.op, result, value));
  scf::YieldOp::create(b, loc, yielded);
  return SmallVector<Value>(loop.getResults());
}

/// The steps of the outermost blocks of `range`, so that no partial result has
/// more than `kBlockSteps` terms; 1 where there is no need for blocks.
static int64_t getOuterBlock(const ChunkRange &range) {
  std::optional<int64_t> begin = getConstantIntValue(range.begin);
  std::optional<int64_t> end = getConstantIntValue(range.end);
  if (!begin || !end)
    // What a chunk leaves over is less than a chunk.
    return begin && *begin == 0 ? kBlockSteps * kBlockSteps : 1;
  int64_t steps = llvm::divideCeil(*end - *begin, range.width);
  int64_t block = 1;
  while (steps > block * kBlockSteps)
    block *= kBlockSteps;
  return block;
}

LogicalResult SegmentMiner::mineRange(const ChunkRange &range,
                                      SmallVector<Sink> &sinks,
                                      ArrayRef<linalg::GenericOp> needed) {
  SmallVector<Value> carried;
  for (Sink &sink : sinks)
    carried.push_back(sink.destination ? sink.destination
                                       : getPartials(sink, range.width));
  bool sums = llvm::any_of(sinks, [](Sink &s) { return !s.destination; });
  auto results = loopOverBlocks(range, sinks, needed, carried,
                                sums ? getOuterBlock(range) : 1);
  if (failed(results))
    return failure();
  for (auto [sink, result] : llvm::zip_equal(sinks, *results))
    (sink.destination ? sink.destination : getPartials(sink, range.width)) =
        result;
  return success();
}

LogicalResult SegmentMiner::minePhase(SmallVector<Sink> sinks) {
  if (sinks.empty())
    return success();
  SmallVector<linalg::GenericOp> needed = collectNeeded(sinks);
  linalg::GenericOp first = sinks.front().op;
  OpFoldResult columns = columnOps.getExtent(b, first, columnLoop(first));
  for (const ChunkRange &range : getChunkRanges(b, loc, columns, schedule))
    if (failed(mineRange(range, sinks, needed)))
      return failure();
  for (Sink &sink : sinks) {
    Value result = sink.destination;
    if (!result) {
      result = sink.op.getDpsInits().front();
      for (auto [width, partials] : sink.partials)
        result = combine(sink.op, partials, result);
    }
    b.replaceAllUsesWith(sink.op.getResult(0), result);
  }
  return success();
}

LogicalResult SegmentMiner::run() {
  if (failed(assignPhases()))
    return failure();
  b.setInsertionPoint(fence);
  for (int phase = 0; phase <= lastPhase; ++phase) {
    for (Operation *op : segment)
      if (phases.lookup(op) == phase && !columnOps.contains(op))
        b.moveOpBefore(op, fence);
    if (failed(minePhase(collectSinks(phase))))
      return failure();
  }
  for (Operation *op : llvm::reverse(segment))
    if (columnOps.contains(op))
      b.eraseOp(op);
  return success();
}
