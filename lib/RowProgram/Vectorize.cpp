//===- Vectorize.cpp - Linalg in row programs to vectors ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PadTiles.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#include "llvm/ADT/StringExtras.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMVECTORIZE
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

LogicalResult reportShape(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!ShapedType::isDynamicShape(extents))
    return op->emitOpError("in a row program can't be vectorized");
  std::string shape =
      llvm::join(llvm::map_range(extents,
                                 [](int64_t extent) {
                                   return ShapedType::isDynamic(extent)
                                              ? std::string("?")
                                              : std::to_string(extent);
                                 }),
                 "x");
  return op->emitOpError("in a row program can't be vectorized: expected "
                         "static loop bounds, got ")
         << shape
         << "; norm-strip-mine cuts columns, and an op beside a norm has to be "
            "fused into the innermost loop over rows";
}

LogicalResult vectorizeOps(IRRewriter &rewriter, scf::ForallOp program) {
  SmallVector<linalg::LinalgOp> ops;
  program.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::VectorizationResult> vectorized =
        linalg::vectorize(rewriter, op);
    if (failed(vectorized))
      return reportShape(op);
    rewriter.replaceOp(op, vectorized->replacements);
  }
  return success();
}

/// Equal ops become one: a read then sees that it reads what was just written.
void mergeEqualOps(IRRewriter &rewriter, scf::ForallOp program) {
  DominanceInfo dominance(program);
  eliminateCommonSubExpressions(rewriter, dominance, program);
}

/// Reads past the end of a padded row become reads with padding, and a read
/// that spreads a value over the row becomes a read and a broadcast, so that
/// equal reads are seen to be equal.
LogicalResult simplifyTransfers(scf::ForallOp program) {
  MLIRContext *context = program.getContext();
  RewritePatternSet patterns(context);
  linalg::populatePadOpVectorizationPatterns(patterns);
  vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  vector::TransferReadOp::getCanonicalizationPatterns(patterns, context);
  vector::TransferWriteOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns, context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  SmallVector<Operation *> ops;
  program.getBody()->walk([&](Operation *op) { ops.push_back(op); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(ops, std::move(patterns), config);
}

/// Whether something takes a part of `carried`, in the same place in each
/// iteration of `loop`; also in a loop inside that carries it on.
bool hasFixedParts(Value carried, LoopLikeOpInterface loop) {
  return llvm::any_of(carried.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto inner = dyn_cast<LoopLikeOpInterface>(user))
      return hasFixedParts(inner.getTiedLoopRegionIterArg(&use), loop);
    return isa<tensor::ExtractSliceOp>(user) &&
           llvm::all_of(user->getOperands().drop_front(), [&](Value v) {
             return loop.isDefinedOutsideOfLoop(v);
           });
  });
}

/// Whether `loop` updates a part of a tensor that it carries. Hoisting such
/// parts one by one would leave them conflicting with each other, and
/// bufferization to copy them; out of several loops at once, upstream's
/// hoisting leaves values that are used where they are not defined.
bool updatesParts(LoopLikeOpInterface loop) {
  return llvm::any_of(loop.getRegionIterArgs(), [&](BlockArgument carried) {
    return hasFixedParts(carried, loop);
  });
}

/// What does not change in a loop moves out of it; reads only where the
/// schedule keeps values per column in registers.
void hoistInvariants(LoopLikeOpInterface loop, norm::ScheduleAttr schedule) {
  bool keeps = schedule.getValue().getGamma() == norm::GammaStage::Registers;
  moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        return isMemoryEffectFree(op) && isSpeculatable(op) &&
               (keeps || !isa<vector::TransferReadOp>(op));
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

/// Accumulators of loops move from tensors to vectors.
void hoistAccumulators(IRRewriter &rewriter, scf::ForallOp program) {
  SmallVector<LoopLikeOpInterface> loops;
  program.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (LoopLikeOpInterface loop : loops) {
    hoistInvariants(loop, getRowSchedule(program));
    if (!updatesParts(loop))
      (void)hoistLoopInvariantSubsets(rewriter, loop);
  }
}

struct NormVectorize : rudnn::impl::NormVectorizeBase<NormVectorize> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForallOp> programs = getRowPrograms(getOperation());
    // Part of another, a program is vectorized, or erased, with that one.
    llvm::erase_if(programs, norm::isInRowProgram);
    for (scf::ForallOp program : programs) {
      padProducers(rewriter, program);
      if (failed(vectorizeOps(rewriter, program)))
        return signalPassFailure();
      mergeEqualOps(rewriter, program);
      if (failed(simplifyTransfers(program)))
        return signalPassFailure();
      hoistAccumulators(rewriter, program);
      mergeEqualOps(rewriter, program);
      // The second time loops no longer carry what they pass on as it is, and
      // what is written after them is seen to go to where it came from.
      if (failed(simplifyTransfers(program)) ||
          failed(simplifyTransfers(program)))
        return signalPassFailure();
    }
  }
};

} // namespace
