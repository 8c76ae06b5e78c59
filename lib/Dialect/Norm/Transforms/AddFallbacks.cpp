//===- AddFallbacks.cpp - Norm ops for buffers that are not aligned -------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMADDFALLBACKS
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

/// Whether `op` has a fallback, or is one.
static bool isInChoice(Operation *op) {
  auto choice = dyn_cast<scf::IfOp>(op->getParentOp());
  return choice && choice.getCondition().getDefiningOp<IsAlignedOp>();
}

/// Whether `op` becomes row programs with wide accesses, of rows that have a
/// known length. Rows that have none are walked in steps in any case.
static bool hasWideAccesses(RowwiseOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return schedule && schedule.isGPU() && schedule.getVector() > 1 &&
         isa<TensorType>(op.getRows().getType()) && !isInRowProgram(op) &&
         !isInChoice(op) && op->getNumResults() > 0 &&
         ScheduleProblem(op).hasColumns();
}

/// `op` in the block that `b` stands in, with `schedule`, and a yield of those
/// results that are used: a use by the yield would keep the others alive.
static void cloneInto(OpBuilder &b, RowwiseOpInterface op,
                      ScheduleAttr schedule) {
  auto clone = cast<RowwiseOpInterface>(b.clone(*op));
  clone.setScheduleAttr(schedule);
  SmallVector<Value> used;
  for (auto [result, cloned] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    if (!result.use_empty())
      used.push_back(cloned);
  scf::YieldOp::create(b, op.getLoc(), used);
}

static void addFallback(RewriterBase &rewriter, RowwiseOpInterface op,
                        const GPUChip &chip) {
  auto narrow = ScheduleAttr::get(
      op.getContext(), chooseUnalignedSchedule(ScheduleProblem(op), chip));
  rewriter.setInsertionPoint(op);
  auto id = DistinctAttr::create(rewriter.getUnitAttr());
  auto aligned = IsAlignedOp::create(rewriter, op.getLoc(), id);
  auto choice = scf::IfOp::create(
      rewriter, op.getLoc(), aligned,
      [&](OpBuilder &b, Location) { cloneInto(b, op, op.getScheduleAttr()); },
      [&](OpBuilder &b, Location) { cloneInto(b, op, narrow); });
  auto results = choice.getResults().begin();
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(result, *results++);
  rewriter.eraseOp(op);
}

namespace {
struct NormAddFallbacks
    : rudnn::norm::impl::NormAddFallbacksBase<NormAddFallbacks> {
  using NormAddFallbacksBase::NormAddFallbacksBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (findGPUChip(chip))
      return success();
    return emitUnknownGPUChip(
        chip, [&] { return emitError(UnknownLoc::get(context)); });
  }

  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    getOperation()->walk([&](RowwiseOpInterface op) {
      if (hasWideAccesses(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (RowwiseOpInterface op : ops)
      addFallback(rewriter, op, *findGPUChip(chip));
  }
};
} // namespace
