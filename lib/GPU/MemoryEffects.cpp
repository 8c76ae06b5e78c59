//===- MemoryEffects.cpp - What launches do to memory ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/MemoryEffects.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {

/// Any memory is read and written: that of operands, and more that kernels
/// reach.
template <typename OpTy>
struct ReadsAndWrites
    : MemoryEffectOpInterface::ExternalModel<ReadsAndWrites<OpTy>, OpTy> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    }
  }
};

} // namespace

void rudnn::registerLaunchEffects(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    gpu::LaunchFuncOp::attachInterface<ReadsAndWrites<gpu::LaunchFuncOp>>(
        *context);
    gpu::WaitOp::attachInterface<ReadsAndWrites<gpu::WaitOp>>(*context);
  });
}
