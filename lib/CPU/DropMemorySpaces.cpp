//===- DropMemorySpaces.cpp - One memory for all --------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/MemorySpaces.h"

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDROPMEMORYSPACES
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

/// A replacer of memory spaces by the default one.
static AttrTypeReplacer makeReplacer() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!isa_and_nonnull<gpu::AddressSpaceAttr, IntegerAttr>(
            type.getMemorySpace()))
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  return replacer;
}

Type rudnn::dropMemorySpaces(Type type) { return makeReplacer().replace(type); }

void rudnn::dropMemorySpaces(ModuleOp module) {
  makeReplacer().recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                              /*replaceLocs=*/false,
                                              /*replaceTypes=*/true);
  // Casts between spaces have nothing left to do.
  module.walk([](Operation *op) {
    if (!isa<memref::MemorySpaceCastOp, LLVM::AddrSpaceCastOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

namespace {
struct NormDropMemorySpaces
    : rudnn::impl::NormDropMemorySpacesBase<NormDropMemorySpaces> {
  void runOnOperation() override { rudnn::dropMemorySpaces(getOperation()); }
};
} // namespace
