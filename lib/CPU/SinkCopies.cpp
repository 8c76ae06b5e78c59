//===- SinkCopies.cpp - Copies of what a branch chose ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSINKCOPIES
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

/// Whether nothing between `choice` and `copy` could tell if the copy came
/// first.
bool canCopyAtEndOf(scf::IfOp choice, memref::CopyOp copy) {
  if (choice->getBlock() != copy->getBlock())
    return false;
  for (Operation *op = choice->getNextNode(); op != copy;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op))
      return false;
  return true;
}

/// The choice that `copy` can be a part of, such that one branch needs none.
scf::IfOp getChoice(memref::CopyOp copy, const DominanceInfo &dominance) {
  auto result = dyn_cast<OpResult>(copy.getSource());
  auto choice = result ? dyn_cast<scf::IfOp>(result.getOwner()) : scf::IfOp();
  if (!choice || !result.hasOneUse() ||
      !dominance.properlyDominates(copy.getTarget(), choice) ||
      !canCopyAtEndOf(choice, copy))
    return {};
  unsigned number = result.getResultNumber();
  bool isChosen = choice.thenYield().getOperand(number) == copy.getTarget() ||
                  choice.elseYield().getOperand(number) == copy.getTarget();
  return isChosen ? choice : scf::IfOp();
}

void sink(RewriterBase &rewriter, memref::CopyOp copy, scf::IfOp choice) {
  unsigned number = cast<OpResult>(copy.getSource()).getResultNumber();
  for (scf::YieldOp yield : {choice.thenYield(), choice.elseYield()}) {
    Value chosen = yield.getOperand(number);
    if (chosen == copy.getTarget())
      continue;
    rewriter.setInsertionPoint(yield);
    memref::CopyOp::create(rewriter, copy.getLoc(), chosen, copy.getTarget());
  }
  rewriter.eraseOp(copy);
}

struct NormSinkCopies : rudnn::impl::NormSinkCopiesBase<NormSinkCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    auto &dominance = getAnalysis<DominanceInfo>();
    IRRewriter rewriter(&getContext());
    for (memref::CopyOp copy : copies)
      if (scf::IfOp choice = getChoice(copy, dominance))
        sink(rewriter, copy, choice);
  }
};

} // namespace
