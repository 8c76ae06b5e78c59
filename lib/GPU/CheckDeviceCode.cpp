//===- CheckDeviceCode.cpp - What a GPU can't run -------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMCHECKDEVICECODE
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormCheckDeviceCode
    : rudnn::impl::NormCheckDeviceCodeBase<NormCheckDeviceCode> {
  void runOnOperation() override {
    if (failed(checkDialects()) || failed(checkFunctions()))
      signalPassFailure();
  }

  LogicalResult checkDialects();
  LogicalResult checkFunctions();
};
} // namespace

LogicalResult NormCheckDeviceCode::checkDialects() {
  Operation *leak = nullptr;
  getOperation().walk([&](Operation *op) {
    if (op == getOperation() ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    leak = op;
    // A cast only says that its neighbour was left.
    return isa<UnrealizedConversionCastOp>(op) ? WalkResult::advance()
                                               : WalkResult::interrupt();
  });
  if (!leak)
    return success();
  return leak->emitOpError("could not be lowered to the NVVM dialect");
}

LogicalResult NormCheckDeviceCode::checkFunctions() {
  SymbolTableCollection symbols;
  WalkResult result = getOperation().walk([&](LLVM::CallOp call) {
    if (!call.getCalleeAttr())
      return WalkResult(call.emitOpError("calls through a pointer, which "
                                         "kernels of RuDNN do not"));
    auto callee = symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
        call, call.getCalleeAttr());
    if (callee && !callee.isExternal())
      return WalkResult::advance();
    return WalkResult(call.emitOpError("calls '")
                      << call.getCalleeAttr().getValue()
                      << "', which the module does not define");
  });
  return failure(result.wasInterrupted());
}
