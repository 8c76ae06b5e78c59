//===- FoldViews.cpp - Row programs on the buffers of the caller ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMFOLDVIEWS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

/// The axes, behind the first one of the vector, that `map` leaves out; none if
/// it does more than that.
static llvm::SmallBitVector findFixedAxes(AffineMap map) {
  llvm::SmallBitVector fixed(map.getNumDims());
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return fixed;
  unsigned next = map.getDimPosition(0);
  for (unsigned result = 0; result < map.getNumResults(); ++result) {
    unsigned axis = map.getDimPosition(result);
    if (axis < next)
      return llvm::SmallBitVector(map.getNumDims());
    fixed.set(next, axis);
    next = axis + 1;
  }
  fixed.set(next, map.getNumDims());
  return fixed;
}

/// The outermost loop around `op` that none of `values` depends on, or `op`.
static Operation *findPlace(Operation *op, ArrayRef<Value> values) {
  while (auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp())) {
    if (!llvm::all_of(values, [&](Value value) {
          return loop.isDefinedOutsideOfLoop(value);
        }))
      break;
    op = loop;
  }
  return op;
}

/// `memref` at `indices` of its axes in `fixed`, which the view does not have.
static Value viewWithout(OpBuilder &b, Location loc, Value memref,
                         ValueRange indices,
                         const llvm::SmallBitVector &fixed) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, memref);
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!fixed.test(axis)) {
      shape.push_back(type.getDimSize(axis));
      continue;
    }
    offsets[axis] = getAsOpFoldResult(indices[axis]);
    sizes[axis] = b.getIndexAttr(1);
  }
  MemRefType viewType = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, loc, viewType, memref, offsets, sizes,
                                   strides);
}

template <typename TransferOp> static void dropFixedAxes(TransferOp transfer) {
  auto type = dyn_cast<MemRefType>(transfer.getBase().getType());
  llvm::SmallBitVector fixed = findFixedAxes(transfer.getPermutationMap());
  if (!type || fixed.none())
    return;
  SmallVector<Value> needed = {transfer.getBase()}, kept;
  for (auto [axis, index] : llvm::enumerate(transfer.getIndices())) {
    if (!fixed.test(axis))
      kept.push_back(index);
    else if (!getConstantIntValue(index))
      needed.push_back(index);
  }
  OpBuilder b(findPlace(transfer, needed));
  Value view = viewWithout(b, transfer.getLoc(), transfer.getBase(),
                           transfer.getIndices(), fixed);
  transfer.getBaseMutable().assign(view);
  transfer.getIndicesMutable().assign(kept);
  transfer.setPermutationMapAttr(
      AffineMapAttr::get(vector::getTransferMinorIdentityMap(
          cast<ShapedType>(view.getType()), transfer.getVectorType())));
}

static void dropFixedAxes(scf::ForallOp program) {
  program.walk([](Operation *op) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      dropFixedAxes(read);
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      dropFixedAxes(write);
  });
}

/// Whether `view` takes all of its source but for axes that it leaves out.
static bool onlyDropsAxes(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  ArrayRef<int64_t> shape = view.getSourceType().getShape();
  for (auto [axis, offset, size, stride] :
       llvm::enumerate(view.getMixedOffsets(), view.getMixedSizes(),
                       view.getMixedStrides())) {
    if (dropped.test(axis))
      continue;
    auto value = dyn_cast<Value>(size);
    auto dim = value ? value.getDefiningOp<memref::DimOp>() : nullptr;
    bool isWhole = dim ? dim.getSource() == view.getSource() &&
                             dim.getConstantIndex() == int64_t(axis)
                       : getConstantIntValue(size) == shape[axis];
    if (!isWhole || !isZeroInteger(offset) || !isOneInteger(stride))
      return false;
  }
  return dropped.any();
}

/// Whether `transfer` goes to a view as `dropFixedAxes` makes it, where it puts
/// it: folded, it would only be made again.
static bool goesWithoutFixedAxes(VectorTransferOpInterface transfer) {
  auto view = transfer.getBase().getDefiningOp<memref::SubViewOp>();
  if (!view || !onlyDropsAxes(view) || transfer.getTransferRank() == 0 ||
      !transfer.getPermutationMap().isMinorIdentity())
    return false;
  llvm::SmallBitVector kept = view.getDroppedDims().flip();
  int64_t first = kept.find_first();
  for (int64_t i = 0; i < transfer.getLeadingShapedRank(); ++i)
    first = kept.find_next(first);
  SmallVector<Value> needed(view.getOffsets());
  needed.push_back(view.getSource());
  return view.getDroppedDims().find_first() > first &&
         findPlace(view, needed) == view;
}

/// Rewrites the ops of `program` that `isWanted` chooses.
static LogicalResult rewriteOps(scf::ForallOp program,
                                const FrozenRewritePatternSet &patterns,
                                function_ref<bool(Operation *)> isWanted,
                                GreedyRewriteStrictness strictness,
                                bool *changed = nullptr) {
  SmallVector<Operation *> ops;
  program.walk([&](Operation *op) {
    if (isWanted(op))
      ops.push_back(op);
  });
  GreedyRewriteConfig config;
  config.setStrictness(strictness);
  return applyOpPatternsGreedily(ops, patterns, config, changed);
}

/// Views of views that `program` makes become views of what is outside, so that
/// copies of a buffer to itself are seen to be such.
static LogicalResult composeViews(scf::ForallOp program,
                                  const FrozenRewritePatternSet &patterns) {
  auto isOfOwnView = [&](Operation *op) {
    auto view = dyn_cast<memref::SubViewOp>(op);
    Operation *source = view ? view.getSource().getDefiningOp() : nullptr;
    return isa_and_present<memref::SubViewOp>(source) &&
           program->isAncestor(source);
  };
  // What a view becomes is one of the caller's buffer, or composed next time.
  for (bool changed = true; changed;)
    if (failed(rewriteOps(program, patterns, isOfOwnView,
                          GreedyRewriteStrictness::ExistingOps, &changed)))
      return failure();
  return success();
}

static LogicalResult foldViews(scf::ForallOp program,
                               const FrozenRewritePatternSet &patterns) {
  auto isWanted = [](Operation *op) {
    if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
      return !goesWithoutFixedAxes(transfer);
    return isa<memref::LoadOp, memref::StoreOp>(op);
  };
  return rewriteOps(program, patterns, isWanted,
                    GreedyRewriteStrictness::ExistingAndNewOps);
}

namespace {

struct NormFoldViews : rudnn::impl::NormFoldViewsBase<NormFoldViews> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    memref::populateFoldMemRefAliasOpPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      if (failed(composeViews(program, frozen)) ||
          failed(foldViews(program, frozen)))
        return signalPassFailure();
      dropFixedAxes(program);
    }
  }
};

} // namespace
