//===- LaunchDependents.cpp - Launch kernels early that wait --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunction.h"

#include "rudnn/CUDA/Passes.h"

#include "rudnn/GPU/OverlapLaunches.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMLAUNCHDEPENDENTS
#include "rudnn/CUDA/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

static constexpr llvm::StringLiteral kAnnounce = "rudnnLaunchNextAsDependent";

namespace {
struct NormLaunchDependents
    : rudnn::impl::NormLaunchDependentsBase<NormLaunchDependents> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernelAttr());
      if (kernel && waitsForPrevious(kernel))
        launches.push_back(launch);
    });
    if (launches.empty())
      return;
    if (failed(declareRuntimeFunction(getOperation(), kAnnounce, TypeRange())))
      return signalPassFailure();
    OpBuilder b(&getContext());
    for (gpu::LaunchFuncOp launch : launches) {
      b.setInsertionPoint(launch);
      func::CallOp::create(b, launch.getLoc(), kAnnounce, TypeRange());
    }
  }
};
} // namespace
