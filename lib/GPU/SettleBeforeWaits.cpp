//===- SettleBeforeWaits.cpp - No arithmetic passes a wait ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "MoveWords.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSETTLEBEFOREWAITS
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
using NVVM::CpAsyncWaitGroupOp;

/// Whether `value` is arithmetic that LLVM would put off. Constants and what
/// else does not depend on memory it may have anywhere.
static bool isArithmetic(Value value) {
  Operation *def = value.getDefiningOp();
  return getElementTypeOrSelf(value.getType()).isF32() && isPure(def) &&
         def->getNumOperands() > 0;
}

/// Settles what is made between the wait before `wait` and itself.
static void settleBefore(CpAsyncWaitGroupOp wait) {
  SmallVector<Value> late;
  auto isAfter = [&](OpOperand &use) {
    Operation *here = wait->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return here && wait->isBeforeInBlock(here);
  };
  Operation *op = wait->getPrevNode();
  for (; op && !isa<CpAsyncWaitGroupOp>(op); op = op->getPrevNode())
    for (Value result : op->getResults())
      if (isArithmetic(result) && llvm::any_of(result.getUses(), isAfter))
        late.push_back(result);
  if (!op) // nothing was waited for yet
    return;
  ImplicitLocOpBuilder b(wait.getLoc(), wait);
  for (Value value : llvm::reverse(late)) {
    Value settled = moveWords(b, value);
    value.replaceUsesWithIf(settled, isAfter);
  }
}

namespace {
struct NormSettleBeforeWaits
    : rudnn::impl::NormSettleBeforeWaitsBase<NormSettleBeforeWaits> {
  void runOnOperation() override {
    getOperation().walk([](CpAsyncWaitGroupOp wait) { settleBefore(wait); });
  }
};
} // namespace
