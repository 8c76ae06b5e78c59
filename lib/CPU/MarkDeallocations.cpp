//===- MarkDeallocations.cpp - Memory that a module frees itself ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMMARKDEALLOCATIONS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

/// The buffer that `op` frees. What allocates another in its place is
/// upstream's to expand.
Value getFreedBuffer(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<bufferization::BufferizationDialect>(op->getDialect()) ||
      effects.hasEffect<MemoryEffects::Allocate>())
    return {};
  for (Value operand : op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()) &&
        effects.getEffectOnValue<MemoryEffects::Free>(operand))
      return operand;
  return {};
}

/// The op that allocates what `buffer` is a view of; null if that is not seen.
Operation *getAllocation(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  auto effects = buffer.getDefiningOp<MemoryEffectOpInterface>();
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(buffer)
             ? effects.getOperation()
             : nullptr;
}

struct NormMarkDeallocations
    : rudnn::impl::NormMarkDeallocationsBase<NormMarkDeallocations> {
  void runOnOperation() override {
    auto mark = [&](Operation *op) {
      op->setDiscardableAttr(
          bufferization::BufferizationDialect::kManualDeallocation,
          UnitAttr::get(&getContext()));
    };
    getOperation()->walk([&](Operation *op) {
      Value buffer = getFreedBuffer(op);
      if (!buffer)
        return;
      Operation *allocation = getAllocation(buffer);
      if (!allocation) {
        op->emitOpError("frees a buffer from elsewhere: expected one that is "
                        "allocated in the same function, or a view of it");
        return signalPassFailure();
      }
      mark(allocation);
      mark(op);
    });
  }
};

} // namespace
