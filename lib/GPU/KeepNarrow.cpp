//===- KeepNarrow.cpp - Widen anew in each iteration ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "MoveWords.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMKEEPNARROW
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

static bool asksForIt(gpu::GPUFuncOp kernel) {
  auto schedule = kernel->getAttrOfType<norm::ScheduleAttr>(
      norm::NormDialect::kScheduleAttrName);
  return schedule && schedule.getValue().getWidening() == norm::Widening::Mixed;
}

/// `narrow` in registers that nothing is known of, widened where `b` is.
static Value widenAgain(ImplicitLocOpBuilder &b, arith::ExtFOp widening) {
  auto copy = cast<arith::ExtFOp>(b.clone(*widening));
  b.setInsertionPoint(copy);
  copy.getInMutable().assign(moveWords(b, widening.getIn()));
  return copy;
}

/// Whether `op` is in a loop that `value` comes into from outside.
static bool isInLoopAfter(Operation *op, Value value) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop && loop.isDefinedOutsideOfLoop(value);
}

static void keepNarrow(arith::ExtFOp widening) {
  Value narrow = widening.getIn();
  if (!hasWholeWords(narrow.getType()))
    return;
  if (isInLoopAfter(widening, narrow)) {
    ImplicitLocOpBuilder b(widening.getLoc(), widening);
    widening.getInMutable().assign(moveWords(b, narrow));
    return;
  }
  // Widened before a loop, as what does not change in it is: in the loop, then,
  // for each use anew.
  for (OpOperand &use : llvm::make_early_inc_range(widening->getUses())) {
    if (!isInLoopAfter(use.getOwner(), widening.getOut()))
      continue;
    ImplicitLocOpBuilder b(widening.getLoc(), use.getOwner());
    use.set(widenAgain(b, widening));
  }
}

namespace {
struct NormKeepNarrow : rudnn::impl::NormKeepNarrowBase<NormKeepNarrow> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (asksForIt(kernel))
        kernel.walk(keepNarrow);
  }
};
} // namespace
