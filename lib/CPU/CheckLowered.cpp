//===- CheckLowered.cpp - What could not be lowered ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMCHECKLOWERED
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormCheckLowered : rudnn::impl::NormCheckLoweredBase<NormCheckLowered> {
  void runOnOperation() override {
    Operation *leak = nullptr;
    getOperation()->walk([&](Operation *op) {
      // A compiled kernel and its launch are translated as they are.
      if (isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op) ||
          isa<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      leak = op;
      // A cast only says that its neighbour was left.
      return isa<UnrealizedConversionCastOp>(op) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
    });
    if (!leak)
      return;
    leak->emitOpError("could not be lowered to the LLVM dialect");
    signalPassFailure();
  }
};
} // namespace
