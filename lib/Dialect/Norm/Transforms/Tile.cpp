//===- Tile.cpp - Norm ops to loops over rows -----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMTILE
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// Takes the schedule off `op`.
ScheduleAttr takeSchedule(RowwiseOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  op.setScheduleAttr(nullptr);
  return schedule;
}

/// Marks `loop` as a loop over tasks lowered by `schedule`.
void makeRowProgram(scf::ForallOp loop, ScheduleAttr schedule) {
  loop->setDiscardableAttr(NormDialect::kScheduleAttrName, schedule);
  loop.setMappingAttr(
      ScheduleAttr::getTaskMapping(loop.getContext(), loop.getRank()));
}

/// Rows that do not depend on each other: one iteration each.
LogicalResult tileParallelRows(RewriterBase &rewriter, RowwiseOpInterface op) {
  ScheduleAttr schedule = takeSchedule(op);
  auto tileable = cast<TilingInterface>(op.getOperation());
  SmallVector<OpFoldResult> sizes(tileable.getLoopIteratorTypes().size(),
                                  rewriter.getIndexAttr(1));
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, tileable, options);
  if (failed(tiled))
    return op->emitOpError("could not be tiled");
  makeRowProgram(cast<scf::ForallOp>(tiled->loops.front()), schedule);
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

/// Index arithmetic on values or constants.
class IndexMath {
public:
  IndexMath(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  template <typename OpTy> Value apply(Value x, Value y) {
    return b.createOrFold<OpTy>(loc, x, y);
  }
  Value mul(Value x, Value y) { return apply<arith::MulIOp>(x, y); }
  Value sub(Value x, Value y) { return apply<arith::SubIOp>(x, y); }
  Value min(Value x, Value y) { return apply<arith::MinSIOp>(x, y); }
  Value max(Value x, Value y) { return apply<arith::MaxSIOp>(x, y); }
  Value ceilDiv(Value x, Value y) { return apply<arith::CeilDivUIOp>(x, y); }

private:
  OpBuilder &b;
  Location loc;
};

/// Rows summed over: an op with a weight gradient becomes a loop over parts of
/// consecutive rows and a merge of the parts.
class WeightGradTiler {
  /// Steps of the row loop in one task of the merge: long enough to be worth
  /// a task, short enough that narrow rows still spread over threads.
  static constexpr int64_t kMergeSteps = 8;

public:
  WeightGradTiler(RewriterBase &rewriter, RMSNormBackwardOp op)
      : b(rewriter), op(op), loc(op.getLoc()),
        schedule(takeSchedule(cast<RowwiseOpInterface>(op.getOperation()))) {}

  LogicalResult run();

private:
  /// How many parts there are; see the schedule's field.
  Value getNumParts();
  /// The loop over parts. Its results are dx, if asked for, and the sums.
  FailureOr<scf::ForallOp> sumParts(Value parts);
  /// The body of that loop: one part's rows, row by row.
  LogicalResult sumOnePart(scf::ForallOp loop, Value rowsPerPart);
  FailureOr<SmallVector<Value>> loopOverRows(Operation *part);
  /// weight_grad = the parts added in ascending order, in its element type.
  FailureOr<Value> mergeParts(Value sums);
  /// Tiles the last op of the merge over columns and fuses the rest into it.
  FailureOr<Value> tileColumns(Operation *elementwise);

  Value getRowCount();
  RankedTensorType f32Type(ArrayRef<int64_t> shape) const {
    return RankedTensorType::get(shape, b.getF32Type());
  }
  Value fillWithZeros(Value tensor) {
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
    return linalg::FillOp::create(b, loc, zero, tensor).getResult(0);
  }

  RewriterBase &b;
  RMSNormBackwardOp op;
  Location loc;
  ScheduleAttr schedule;
  OpFoldResult columns;
};

Value WeightGradTiler::getRowCount() {
  IndexMath math(b, loc);
  Value count = math.constant(1);
  for (int64_t axis = 0; axis + 1 < op.getXType().getRank(); ++axis)
    count =
        math.mul(count, b.createOrFold<tensor::DimOp>(loc, op.getX(), axis));
  return count;
}

Value WeightGradTiler::getNumParts() {
  IndexMath math(b, loc);
  if (schedule.getParts() != 0)
    return math.constant(schedule.getParts());
  Value wanted = math.ceilDiv(getRowCount(), math.constant(32));
  return math.max(math.min(wanted, math.constant(128)), math.constant(1));
}

FailureOr<SmallVector<Value>> WeightGradTiler::loopOverRows(Operation *part) {
  auto tileable = cast<TilingInterface>(part);
  SmallVector<OpFoldResult> sizes(tileable.getLoopIteratorTypes().size(),
                                  b.getIndexAttr(1));
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForOp);
  b.setInsertionPoint(part);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(b, tileable, options);
  if (failed(tiled))
    return failure();
  b.eraseOp(part);
  return llvm::to_vector(tiled->replacements);
}

LogicalResult WeightGradTiler::sumOnePart(scf::ForallOp loop,
                                          Value rowsPerPart) {
  b.setInsertionPointToStart(loop.getBody());
  IndexMath math(b, loc);
  Value outerRows = b.createOrFold<tensor::DimOp>(loc, op.getX(), 0);
  Value part = loop.getInductionVar(0);
  Value first = math.min(math.mul(part, rowsPerPart), outerRows);
  Value count = math.min(math.sub(outerRows, first), rowsPerPart);

  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> sumOffsets{part, zero}, sumSizes{one, columns},
      sumStrides{one, one};
  Value destination = loop.getRegionIterArgs().back();
  Value sum = fillWithZeros(tensor::ExtractSliceOp::create(
      b, loc, f32Type(op.getXType().getShape().back()), destination, sumOffsets,
      sumSizes, sumStrides));

  SmallVector<Value> operands(op->getOperands());
  operands.back() = sum;
  SmallVector<Type> types{sum.getType()};
  if (op.getInputGrad()) {
    operands[operands.size() - 2] = loop.getRegionIterArgs().front();
    types.insert(types.begin(), op.getInputGrad().getType());
  }
  auto whole = cast<RMSNormBackwardOp>(mlir::clone(b, op, types, operands));
  whole.setAccumulate(true);
  SmallVector<Range> domain = whole.getIterationDomain(b);
  SmallVector<OpFoldResult> offsets, sizes;
  for (Range range : domain) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  offsets.front() = first;
  sizes.front() = count;
  FailureOr<TilingResult> tiled =
      whole.getTiledImplementation(b, offsets, sizes);
  if (failed(tiled))
    return failure();
  FailureOr<SmallVector<Value>> results = loopOverRows(tiled->tiledOps.front());
  if (failed(results))
    return failure();

  b.setInsertionPointToStart(loop.getTerminator().getBody());
  if (op.getInputGrad()) {
    offsets.push_back(zero);
    sizes.push_back(columns);
    SmallVector<OpFoldResult> strides(offsets.size(), one);
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
  IndexMath math(b, loc);
  Value outerRows = b.createOrFold<tensor::DimOp>(loc, op.getX(), 0);
  Value rowsPerPart = math.ceilDiv(outerRows, parts);
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
  if (failed(sumOnePart(loop, rowsPerPart)))
    return failure();
  return loop;
}

FailureOr<Value> WeightGradTiler::mergeParts(Value sums) {
  MLIRContext *context = b.getContext();
  Value grad = op.getWeightGrad();
  bool isF32 = getElementTypeOrSelf(grad.getType()).isF32();
  Value init = grad;
  if (!op.getAccumulate())
    init = fillWithZeros(
        isF32 ? grad
              : tensor::EmptyOp::create(b, loc, {columns}, b.getF32Type()));
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, context);
  using utils::IteratorType;
  auto add = linalg::GenericOp::create(
      b, loc, init.getType(), sums, init,
      ArrayRef<AffineMap>{all, all.dropResult(0)},
      ArrayRef<IteratorType>{IteratorType::reduction, IteratorType::parallel},
      [](OpBuilder &nested, Location loc, ValueRange in) {
        Value sum = arith::AddFOp::create(nested, loc, in[1], in[0]);
        linalg::YieldOp::create(nested, loc, sum);
      });
  Operation *last = add;
  if (!isF32) {
    AffineMap columnMap = AffineMap::getMultiDimIdentityMap(1, context);
    last = linalg::GenericOp::create(
        b, loc, grad.getType(), add.getResult(0), grad,
        ArrayRef<AffineMap>{columnMap, columnMap},
        ArrayRef<IteratorType>{IteratorType::parallel},
        [](OpBuilder &nested, Location loc, ValueRange in) {
          Value sum =
              arith::TruncFOp::create(nested, loc, in[1].getType(), in[0]);
          linalg::YieldOp::create(nested, loc, sum);
        });
  }
  return tileColumns(last);
}

FailureOr<Value> WeightGradTiler::tileColumns(Operation *elementwise) {
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

LogicalResult WeightGradTiler::run() {
  b.setInsertionPoint(op);
  columns =
      tensor::getMixedSize(b, loc, op.getX(), op.getXType().getRank() - 1);
  FailureOr<scf::ForallOp> loop = sumParts(getNumParts());
  if (failed(loop))
    return op->emitOpError("could not be tiled");
  FailureOr<Value> grad = mergeParts(loop->getResults().back());
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

bool rudnn::norm::isInRowProgram(Operation *op) {
  while ((op = op->getParentOp()))
    if (op->hasAttr(NormDialect::kScheduleAttrName))
      return true;
  return false;
}

/// With no rows at all, sums are zeros and everything else is as it was.
static void replaceWithoutRows(RewriterBase &rewriter, RowwiseOpInterface op) {
  SmallVector<Value> results;
  bool adds = op.isTileable();
  for (OpOperand &init : cast<DestinationStyleOpInterface>(op.getOperation())
                             .getDpsInitsMutable()) {
    Value value = init.get();
    OperandRole role = op.getOperandRole(init.getOperandNumber());
    if (role == OperandRole::PerColumn && !adds) {
      Type element = getElementTypeOrSelf(value.getType());
      Value zero = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             rewriter.getZeroAttr(element));
      value = linalg::FillOp::create(rewriter, op.getLoc(), zero, value)
                  .getResult(0);
    }
    results.push_back(value);
  }
  rewriter.replaceOp(op, results);
}

LogicalResult rudnn::norm::tileToRows(RewriterBase &rewriter,
                                      RowwiseOpInterface op) {
  rewriter.setInsertionPoint(op);
  bool writes =
      cast<DestinationStyleOpInterface>(op.getOperation()).getNumDpsInits() > 0;
  auto type = cast<ShapedType>(op.getRows().getType());
  if (!writes || llvm::is_contained(type.getShape(), 0)) {
    replaceWithoutRows(rewriter, op);
    return success();
  }
  if (!op.getScheduleAttr())
    return op->emitOpError("has no schedule; run norm-assign-schedule first");
  if (type.getRank() < 2)
    return op->emitOpError("expected rank >= 2; run norm-collapse-rows first");
  if (!op.reducesRows())
    return tileParallelRows(rewriter, op);
  return WeightGradTiler(rewriter, cast<RMSNormBackwardOp>(op.getOperation()))
      .run();
}

namespace {
struct NormTile : rudnn::norm::impl::NormTileBase<NormTile> {
  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    getOperation()->walk([&](RowwiseOpInterface op) {
      if (isa<TensorType>(op.getRows().getType()) && !isInRowProgram(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (RowwiseOpInterface op : ops) {
      if (failed(tileToRows(rewriter, op)))
        return signalPassFailure();
      ++numTiled;
    }
  }
};
} // namespace
