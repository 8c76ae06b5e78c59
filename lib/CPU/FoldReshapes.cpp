//===- FoldReshapes.cpp - Reshapes that are undone -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMFOLDRESHAPES
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

/// Whether `expand` gives the axes that it splits the sizes of `original`. One
/// dynamic size in a group follows from the others.
bool hasSizesOf(RewriterBase &rewriter, memref::ExpandShapeOp expand,
                Value original) {
  auto type = cast<MemRefType>(original.getType());
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    int64_t unknown = llvm::count_if(
        group, [&](int64_t axis) { return type.isDynamicDim(axis); });
    for (int64_t axis : group) {
      if (unknown < 2 || !type.isDynamicDim(axis))
        continue;
      auto size = dyn_cast<Value>(sizes[axis]);
      auto dim = size ? size.getDefiningOp<memref::DimOp>() : memref::DimOp();
      bool isDim =
          dim && dim.getSource() == original && dim.getConstantIndex() == axis;
      if (!isDim && rewriter.createOrFold<memref::DimOp>(
                        expand.getLoc(), original, axis) != size)
        return false;
    }
  }
  return true;
}

/// Upstream's lowering of expand_shape takes a group to have at most one
/// dynamic size, and crashes otherwise.
bool isBeyondUpstream(memref::ExpandShapeOp expand) {
  return llvm::any_of(expand.getReassociationIndices(), [&](auto &group) {
    return llvm::count_if(group, [&](int64_t axis) {
             return expand.getResultType().isDynamicDim(axis);
           }) > 1;
  });
}

void lowerToCast(RewriterBase &rewriter, memref::ExpandShapeOp expand) {
  Location loc = expand.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, expand.getSrc());
  SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  AffineExpr x, y;
  bindSymbols(rewriter.getContext(), x, y);
  for (auto [group, inner] :
       llvm::zip_equal(expand.getReassociationIndices(),
                       metadata.getConstifiedMixedStrides())) {
    OpFoldResult stride = inner;
    for (int64_t axis : llvm::reverse(group)) {
      strides[axis] = stride;
      stride = affine::makeComposedFoldedAffineApply(rewriter, loc, x * y,
                                                     {stride, sizes[axis]});
    }
  }
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      expand, expand.getResultType(), expand.getSrc(),
      metadata.getConstifiedMixedOffset(), sizes, strides);
}

struct NormFoldReshapes : rudnn::impl::NormFoldReshapesBase<NormFoldReshapes> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](memref::ExpandShapeOp expand) {
      rewriter.setInsertionPoint(expand);
      auto collapse = expand.getSrc().getDefiningOp<memref::CollapseShapeOp>();
      if (collapse && collapse.getSrc().getType() == expand.getType() &&
          collapse.getReassociationIndices() ==
              expand.getReassociationIndices() &&
          hasSizesOf(rewriter, expand, collapse.getSrc()))
        rewriter.replaceOp(expand, collapse.getSrc());
      else if (isBeyondUpstream(expand))
        lowerToCast(rewriter, expand);
    });
  }
};

} // namespace
