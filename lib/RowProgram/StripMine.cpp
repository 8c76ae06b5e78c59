//===- StripMine.cpp - Cut rows into chunks of columns -===//
//
// Part of the RuDNN project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSTRIPMINE
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

//===----------------------------------------------------------------------===//
// Which ops and values have columns
//===----------------------------------------------------------------------===//

unsigned columnLoop(linalg::GenericOp op) { return op.getNumLoops() - 1; }

/// Whether `operand` is indexed by the innermost loop, on its last axis.
bool isIndexedByColumn(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return map.getNumResults() > 0 && op.getNumLoops() > 0 &&
         map.getResults().back() ==
             getAffineDimExpr(columnLoop(op), op.getContext());
}

/// Finds the ops of a row program whose innermost loop runs over columns.
/// Every reduction is known to (along the row, or over rows for each column);
/// the rest follows from sharing tensors, also through loops.
class ColumnAnalysis {
public:
  explicit ColumnAnalysis(scf::ForallOp program) {
    program.walk([&](linalg::GenericOp op) {
      if (op.getNumReductionLoops() > 0)
        markOp(op);
    });
    while (changed) {
      changed = false;
      program.walk([&](Operation *op) { propagate(op); });
    }
  }

  bool hasColumns(Operation *op) const { return ops.contains(op); }
  bool hasColumns(Value value) const { return values.contains(value); }

private:
  void markValue(Value value) { changed |= values.insert(value).second; }
  void markOp(linalg::GenericOp op) {
    changed |= ops.insert(op).second;
    for (OpOperand &operand : op->getOpOperands())
      if (isIndexedByColumn(op, operand))
        markValue(operand.get());
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isIndexedByColumn(op, init))
        markValue(op.getTiedOpResult(&init));
  }
  void propagate(Operation *op) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        if (isIndexedByColumn(generic, operand) && hasColumns(operand.get()))
          markOp(generic);
      for (OpOperand &init : generic.getDpsInitsMutable())
        if (hasColumns(generic.getTiedOpResult(&init)))
          markOp(generic);
      return;
    }
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      shareColumns({slice.getSource(), slice.getResult()});
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      shareColumns({slice.getSource(), slice.getDest(), slice.getResult()});
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return;
    for (auto [init, arg, yielded, result] :
         llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs(),
                         loop.getYieldedValues(), loop.getResults()))
      shareColumns({init, arg, yielded, result});
  }
  void shareColumns(ArrayRef<Value> same) {
    if (llvm::any_of(same, [&](Value v) { return hasColumns(v); }))
      llvm::for_each(same, [&](Value v) { markValue(v); });
  }

  DenseSet<Operation *> ops;
  DenseSet<Value> values;
  bool changed = true;
};

/// The op that combines partial results of a reduction along the row.
Operation *getCombiner(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  if (op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

bool reducesColumns(linalg::GenericOp op) {
  return op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// A range of columns that is run through in steps of `width`; with `masked`,
/// the last step may reach past the row.
struct ChunkRange {
  OpFoldResult begin, end;
  int64_t width;
  bool masked;
};

/// One step of such a range: `size` columns from `column` on.
struct Chunk {
  Value column;
  OpFoldResult size;
  int64_t width;
  bool masked;
};

/// The parts of a row of `columns`: whole chunks, whole vectors, the rest.
SmallVector<ChunkRange> getChunkRanges(OpBuilder &b, Location loc,
                                       OpFoldResult columns,
                                       norm::ScheduleAttr schedule) {
  auto roundDown = [&](int64_t step) {
    AffineExpr n = b.getAffineSymbolExpr(0);
    return affine::makeComposedFoldedAffineApply(
        b, loc, n.floorDiv(step) * step, {columns});
  };
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult chunks = roundDown(schedule.getChunk());
  OpFoldResult vectors = roundDown(schedule.getVector());
  SmallVector<ChunkRange> ranges{
      {zero, chunks, schedule.getChunk(), false},
      {chunks, vectors, schedule.getVector(), false},
      {vectors, columns, schedule.getVector(), true}};
  llvm::erase_if(ranges, [](const ChunkRange &range) {
    return isEqualConstantIntOrValue(range.begin, range.end);
  });
  return ranges;
}

Value sliceColumns(OpBuilder &b, Location loc, Value tensor,
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
Value padToChunk(OpBuilder &b, Location loc, Value slice, const Chunk &chunk) {
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

Value insertChunk(OpBuilder &b, Location loc, Value value, Value destination,
                  const Chunk &chunk) {
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

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Rewrites the ops between two structured ops of one block: a loop in the
/// block may write what comes after reads, so nothing moves across it.
class SegmentMiner {
public:
  SegmentMiner(IRRewriter &rewriter, const ColumnAnalysis &analysis,
               norm::ScheduleAttr schedule, ArrayRef<Operation *> segment,
               Operation *fence)
      : b(rewriter), analysis(analysis), schedule(schedule), segment(segment),
        fence(fence), loc(fence->getLoc()) {}

  LogicalResult run();

private:
  /// What one op of a phase carries through the loops over chunks: a
  /// destination `[..., N]`, or for a reduction the chunks of partial results,
  /// by width.
  struct Sink {
    linalg::GenericOp op;
    Value destination;
    SmallVector<std::pair<int64_t, Value>> partials;
  };

  bool isColumnOp(Operation *op) const {
    return op->getBlock() == fence->getBlock() && analysis.hasColumns(op) &&
           phases.contains(op);
  }
  LogicalResult assignPhases();
  Value getDestination(linalg::GenericOp op);
  OpFoldResult getExtent(linalg::GenericOp op, unsigned loop);
  SmallVector<Sink> collectSinks(int phase);
  SmallVector<linalg::GenericOp> collectNeeded(ArrayRef<Sink> sinks);
  LogicalResult minePhase(SmallVector<Sink> sinks);
  LogicalResult mineRange(const ChunkRange &range, SmallVector<Sink> &sinks,
                          ArrayRef<linalg::GenericOp> needed);
  /// Where the partial results of `width` columns are, made on first use.
  Value &getPartials(Sink &sink, int64_t width);
  Value combinePartials(Sink &sink);

  /// The chunk of one op, given the chunks of what it reads.
  FailureOr<Value> emitChunk(linalg::GenericOp op, const Chunk &chunk,
                             Value carried, DenseMap<Value, Value> &chunks);
  Value getChunkInit(linalg::GenericOp op, const Chunk &chunk, Value carried,
                     const DenseMap<Value, Value> &chunks);
  linalg::GenericOp cloneOnChunk(linalg::GenericOp op, ValueRange inputs,
                                 Value init);
  void keepInsideRow(linalg::GenericOp op, const Chunk &chunk);
  Value sliceOperand(linalg::GenericOp op, OpOperand &operand,
                     ArrayRef<Value> row, const Chunk &chunk);
  FailureOr<Value> emitRows(linalg::GenericOp op, const Chunk &chunk,
                            Value init);

  IRRewriter &b;
  const ColumnAnalysis &analysis;
  norm::ScheduleAttr schedule;
  ArrayRef<Operation *> segment;
  Operation *fence;
  Location loc;
  DenseMap<Operation *, int> phases;
  int lastPhase = 0;
};

LogicalResult SegmentMiner::assignPhases() {
  for (Operation *op : segment) {
    int phase = 0;
    for (Value operand : op->getOperands()) {
      auto it = phases.find(operand.getDefiningOp());
      if (it == phases.end())
        continue;
      // What is not on columns comes in front of its phase's loops.
      bool waits = isColumnOp(it->first) &&
                   (!analysis.hasColumns(op) ||
                    reducesColumns(cast<linalg::GenericOp>(it->first)));
      phase = std::max(phase, it->second + (waits ? 1 : 0));
    }
    phases[op] = phase;
    lastPhase = std::max(lastPhase, phase);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !analysis.hasColumns(op))
      continue;
    if (generic.getNumDpsInits() != 1)
      return op->emitOpError("with several results in a row program");
    if (reducesColumns(generic) &&
        (!getCombiner(generic) ||
         !arith::getNeutralElement(getCombiner(generic))))
      return op->emitOpError("reduces a row in a way that can't be cut");
  }
  return success();
}

/// The tensor that the result of `op` ends up in: its init, or what that was
/// written into.
Value SegmentMiner::getDestination(linalg::GenericOp op) {
  Value init = op.getDpsInits().front();
  Operation *def = init.getDefiningOp();
  return def && isColumnOp(def) ? getDestination(cast<linalg::GenericOp>(def))
                                : init;
}

/// The extent of a loop of `op`, from a tensor that stays.
OpFoldResult SegmentMiner::getExtent(linalg::GenericOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> axis =
        map.getResultPosition(b.getAffineDimExpr(loop));
    if (!axis)
      continue;
    Value tensor = operand.get();
    if (Operation *def = tensor.getDefiningOp(); def && isColumnOp(def))
      tensor = getDestination(cast<linalg::GenericOp>(def));
    return tensor::getMixedSize(b, loc, tensor, *axis);
  }
  llvm_unreachable("each loop indexes an operand");
}

SmallVector<SegmentMiner::Sink> SegmentMiner::collectSinks(int phase) {
  SmallVector<Sink> sinks;
  for (Operation *op : segment) {
    if (!isColumnOp(op) || phases.lookup(op) != phase)
      continue;
    auto generic = cast<linalg::GenericOp>(op);
    bool isRead = llvm::any_of(
        op->getUsers(), [&](Operation *user) { return !isColumnOp(user); });
    if (reducesColumns(generic))
      sinks.push_back({generic, Value(), {}});
    else if (isRead)
      sinks.push_back({generic, getDestination(generic), {}});
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
      if (def && isColumnOp(def) &&
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

Value &SegmentMiner::getPartials(Sink &sink, int64_t width) {
  for (auto &[known, value] : sink.partials)
    if (known == width)
      return value;
  Value init = sink.op.getDpsInits().front();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, init);
  sizes.push_back(b.getIndexAttr(width));
  Value empty = tensor::EmptyOp::create(b, loc, sizes,
                                        getElementTypeOrSelf(init.getType()));
  Value neutral = arith::ConstantOp::create(
      b, loc, *arith::getNeutralElement(getCombiner(sink.op)));
  Value filled = linalg::FillOp::create(b, loc, neutral, empty).getResult(0);
  linalg::GenericOp generic = *linalg::generalizeNamedOp(
      b, cast<linalg::LinalgOp>(filled.getDefiningOp()));
  sink.partials.emplace_back(width, generic.getResult(0));
  return sink.partials.back().second;
}

Value SegmentMiner::combinePartials(Sink &sink) {
  linalg::GenericOp op = sink.op;
  Operation *combiner = getCombiner(op);
  Value result = op.getDpsInits().front();
  int64_t loops = cast<RankedTensorType>(result.getType()).getRank() + 1;
  AffineMap all = b.getMultiDimIdentityMap(loops);
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  for (auto [width, partials] : sink.partials)
    result = linalg::GenericOp::create(
                 b, loc, result.getType(), partials, result,
                 ArrayRef<AffineMap>{all, all.dropResult(loops - 1)}, iterators,
                 [&](OpBuilder &nested, Location, ValueRange in) {
                   IRMapping mapping;
                   for (Value operand : combiner->getOperands())
                     mapping.map(operand, operand == op.getRegionOutputArgs()[0]
                                              ? in[1]
                                              : in[0]);
                   Operation *combined = nested.clone(*combiner, mapping);
                   linalg::YieldOp::create(nested, loc, combined->getResults());
                 })
                 .getResult(0);
  return result;
}

Value SegmentMiner::getChunkInit(linalg::GenericOp op, const Chunk &chunk,
                                 Value carried,
                                 const DenseMap<Value, Value> &chunks) {
  if (carried && reducesColumns(op))
    return carried;
  OpOperand &init = op.getDpsInitsMutable()[0];
  bool isRead = op.payloadUsesValueFromOperand(&init);
  if (Value computed = chunks.lookup(init.get()); computed && isRead)
    return computed;
  if (isRead || (carried && !chunk.masked))
    return padToChunk(
        b, loc, sliceColumns(b, loc, carried ? carried : init.get(), chunk),
        chunk);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, getDestination(op));
  sizes.back() = b.getIndexAttr(chunk.width);
  return tensor::EmptyOp::create(b, loc, sizes,
                                 getElementTypeOrSelf(init.get().getType()));
}

linalg::GenericOp SegmentMiner::cloneOnChunk(linalg::GenericOp op,
                                             ValueRange inputs, Value init) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (reducesColumns(op)) {
    AffineMap &out = maps.back();
    out = out.insertResult(b.getAffineDimExpr(columnLoop(op)),
                           out.getNumResults());
    iterators.back() = utils::IteratorType::parallel;
  }
  auto clone = linalg::GenericOp::create(b, loc, init.getType(), inputs, init,
                                         maps, iterators);
  b.cloneRegionBefore(op.getRegion(), clone.getRegion(),
                      clone.getRegion().begin());
  return clone;
}

/// Lanes past the end of the row keep what they have: zeros stand there, and
/// what is computed from zeros need not be neutral.
void SegmentMiner::keepInsideRow(linalg::GenericOp op, const Chunk &chunk) {
  OpBuilder::InsertionGuard guard(b);
  Operation *yield = op.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  Value size = getValueOrCreateConstantIndexOp(b, loc, chunk.size);
  Value column = linalg::IndexOp::create(b, loc, columnLoop(op));
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, column, size);
  Value kept = arith::SelectOp::create(b, loc, inside, yield->getOperand(0),
                                       op.getRegionOutputArgs()[0]);
  yield->setOperand(0, kept);
}

/// `operand` of `op` at one row and one chunk: `row` has an index for each loop
/// that runs over several rows, and null elsewhere.
Value SegmentMiner::sliceOperand(linalg::GenericOp op, OpOperand &operand,
                                 ArrayRef<Value> row, const Chunk &chunk) {
  Value value = operand.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, value);
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
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, value, offsets, sizes, strides);
  return hasColumns ? padToChunk(b, loc, slice, chunk) : slice;
}

/// An op that sums several rows adds them one by one, the chunk of the sum
/// staying in registers.
FailureOr<Value> SegmentMiner::emitRows(linalg::GenericOp op,
                                        const Chunk &chunk, Value init) {
  SmallVector<Value> row(op.getNumLoops());
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  scf::ForOp outermost;
  OpBuilder::InsertionGuard guard(b);
  for (unsigned loop = 0; loop < columnLoop(op); ++loop) {
    if (extents[loop] == 1)
      continue;
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      return op->emitOpError("writes several rows in a row program");
    Value end = getValueOrCreateConstantIndexOp(b, loc, getExtent(op, loop));
    auto rows = scf::ForOp::create(
        b, loc, arith::ConstantIndexOp::create(b, loc, 0), end,
        arith::ConstantIndexOp::create(b, loc, 1), init);
    if (outermost)
      scf::YieldOp::create(b, loc, rows.getResults());
    else
      outermost = rows;
    row[loop] = rows.getInductionVar();
    init = rows.getRegionIterArg(0);
    b.setInsertionPointToStart(rows.getBody());
  }
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (Operation *def = input->get().getDefiningOp(); def && isColumnOp(def))
      return op->emitOpError("sums rows that are computed in its loop");
    inputs.push_back(sliceOperand(op, *input, row, chunk));
  }
  linalg::GenericOp clone = cloneOnChunk(op, inputs, init);
  if (chunk.masked && reducesColumns(op))
    keepInsideRow(clone, chunk);
  scf::YieldOp::create(b, loc, clone.getResult(0));
  return outermost.getResult(0);
}

FailureOr<Value> SegmentMiner::emitChunk(linalg::GenericOp op,
                                         const Chunk &chunk, Value carried,
                                         DenseMap<Value, Value> &chunks) {
  Value init = getChunkInit(op, chunk, carried, chunks);
  auto extents = op.getStaticLoopRanges();
  if (!llvm::all_of(ArrayRef(extents).drop_back(),
                    [](int64_t extent) { return extent == 1; })) {
    FailureOr<Value> sum = emitRows(op, chunk, init);
    if (succeeded(sum))
      chunks[op.getResult(0)] = *sum;
    return sum;
  }
  SmallVector<Value> inputs, wholeRow(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value &known = chunks[input->get()];
    if (!known)
      known = sliceOperand(op, *input, wholeRow, chunk);
    inputs.push_back(known);
  }
  linalg::GenericOp clone = cloneOnChunk(op, inputs, init);
  if (chunk.masked && reducesColumns(op))
    keepInsideRow(clone, chunk);
  return chunks[op.getResult(0)] = clone.getResult(0);
}

LogicalResult SegmentMiner::mineRange(const ChunkRange &range,
                                      SmallVector<Sink> &sinks,
                                      ArrayRef<linalg::GenericOp> needed) {
  SmallVector<Value> carried;
  for (Sink &sink : sinks)
    carried.push_back(sink.destination ? sink.destination
                                       : getPartials(sink, range.width));
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
  DenseMap<Value, Value> chunks;
  SmallVector<Value> yielded(loop.getRegionIterArgs());
  for (linalg::GenericOp op : needed) {
    auto *sink = llvm::find_if(sinks, [&](Sink &s) { return s.op == op; });
    Value *slot =
        sink == sinks.end() ? nullptr : &yielded[sink - sinks.begin()];
    FailureOr<Value> result =
        emitChunk(op, chunk, slot ? *slot : Value(), chunks);
    if (failed(result))
      return failure();
    if (slot)
      *slot = sink->destination ? insertChunk(b, loc, *result, *slot, chunk)
                                : *result;
  }
  scf::YieldOp::create(b, loc, yielded);
  for (auto [sink, result] : llvm::zip_equal(sinks, loop.getResults()))
    (sink.destination ? sink.destination : getPartials(sink, range.width)) =
        result;
  return success();
}

LogicalResult SegmentMiner::minePhase(SmallVector<Sink> sinks) {
  if (sinks.empty())
    return success();
  SmallVector<linalg::GenericOp> needed = collectNeeded(sinks);
  linalg::GenericOp first = sinks.front().op;
  OpFoldResult columns = getExtent(first, columnLoop(first));
  for (const ChunkRange &range : getChunkRanges(b, loc, columns, schedule))
    if (failed(mineRange(range, sinks, needed)))
      return failure();
  for (Sink &sink : sinks)
    b.replaceAllUsesWith(sink.op.getResult(0), sink.destination
                                                   ? sink.destination
                                                   : combinePartials(sink));
  return success();
}

LogicalResult SegmentMiner::run() {
  if (failed(assignPhases()))
    return failure();
  b.setInsertionPoint(fence);
  for (int phase = 0; phase <= lastPhase; ++phase) {
    for (Operation *op : segment)
      if (phases.lookup(op) == phase && !isColumnOp(op))
        b.moveOpBefore(op, fence);
    if (failed(minePhase(collectSinks(phase))))
      return failure();
  }
  for (Operation *op : llvm::reverse(segment))
    if (isColumnOp(op))
      b.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult mineBlock(IRRewriter &rewriter, const ColumnAnalysis &analysis,
                        norm::ScheduleAttr schedule, Block &block) {
  SmallVector<std::pair<SmallVector<Operation *>, Operation *>> segments;
  SmallVector<Operation *> current;
  for (Operation &op : block) {
    bool isFence = op.hasTrait<OpTrait::IsTerminator>() ||
                   (op.getNumRegions() > 0 && !isa<linalg::LinalgOp>(op));
    if (!isFence) {
      current.push_back(&op);
      continue;
    }
    segments.emplace_back(std::move(current), &op);
    current.clear();
  }
  for (auto &[segment, fence] : segments)
    if (llvm::any_of(segment,
                     [&](Operation *op) { return analysis.hasColumns(op); }) &&
        failed(
            SegmentMiner(rewriter, analysis, schedule, segment, fence).run()))
      return failure();
  return success();
}

LogicalResult mineProgram(IRRewriter &rewriter, scf::ForallOp program) {
  SmallVector<linalg::LinalgOp> named;
  program.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op->emitOpError("can't be written as linalg.generic");
  }
  ColumnAnalysis analysis(program);
  SmallVector<Block *> blocks;
  program->walk([&](Operation *op) {
    if (isa<scf::ForallOp, scf::ForOp, scf::IfOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
  });
  for (Block *block : blocks)
    if (failed(mineBlock(rewriter, analysis, getRowSchedule(program), *block)))
      return failure();
  return success();
}

struct NormStripMine : rudnn::impl::NormStripMineBase<NormStripMine> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp program : getRowPrograms(getOperation()))
      if (failed(mineProgram(rewriter, program)))
        return signalPassFailure();
  }
};

} // namespace
