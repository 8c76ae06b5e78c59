//===- DropReturnedArguments.cpp - Results that are arguments -===//
//
// Part of the RuDNN project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDROPRETURNEDARGUMENTS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormDropReturnedArguments
    : rudnn::impl::NormDropReturnedArgumentsBase<NormDropReturnedArguments> {
  void runOnOperation() override {
    // Upstream leaves public functions alone; that they may change is this
    // pass's contract, so they are private while it looks.
    SmallVector<func::FuncOp> shown;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isDeclaration())
        shown.push_back(function);
    for (func::FuncOp function : shown)
      function.setPrivate();
    LogicalResult result =
        bufferization::dropEquivalentBufferResults(getOperation());
    for (func::FuncOp function : shown)
      function.setPublic();
    if (failed(result))
      signalPassFailure();
  }
};
} // namespace
