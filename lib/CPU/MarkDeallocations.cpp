//===- MarkDeallocations.cpp - Memory that a module frees itself ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

/// The ops that allocate what `buffer` may be a view of, as far as is seen:
/// several where branches or a select lead to it.
SmallVector<Operation *> getAllocations(const BufferViewFlowAnalysis &views,
                                        Value buffer) {
  SmallVector<Operation *> allocations;
  for (Value source : views.resolveReverse(buffer)) {
    auto effects = source.getDefiningOp<MemoryEffectOpInterface>();
    if (effects && effects.getEffectOnValue<MemoryEffects::Allocate>(source))
      allocations.push_back(effects);
  }
  return allocations;
}

struct NormMarkDeallocations
    : rudnn::impl::NormMarkDeallocationsBase<NormMarkDeallocations> {
  void runOnOperation() override {
    auto mark = [&](Operation *op) {
      op->setDiscardableAttr(
          bufferization::BufferizationDialect::kManualDeallocation,
          UnitAttr::get(&getContext()));
    };
    BufferViewFlowAnalysis views(getOperation());
    getOperation()->walk([&](Operation *op) {
      Value buffer = getFreedBuffer(op);
      if (!buffer)
        return;
      SmallVector<Operation *> allocations = getAllocations(views, buffer);
      if (allocations.empty()) {
        op->emitOpError("frees a buffer from elsewhere: expected one that is "
                        "allocated in the same function, or a view of it");
        return signalPassFailure();
      }
      llvm::for_each(allocations, mark);
      mark(op);
    });
  }
};

} // namespace
