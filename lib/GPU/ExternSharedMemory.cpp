//===- ExternSharedMemory.cpp - Dynamic shared memory behind static -------===//
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
#define GEN_PASS_DEF_NORMEXTERNSHAREDMEMORY
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormExternSharedMemory
    : rudnn::impl::NormExternSharedMemoryBase<NormExternSharedMemory> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getType());
      if (array && array.getNumElements() == 0 &&
          global.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared))
        global.setLinkage(LLVM::Linkage::External);
    }
  }
};
} // namespace
