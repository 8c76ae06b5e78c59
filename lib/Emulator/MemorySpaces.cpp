//===- MemorySpaces.cpp - one memory for all ------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmulator.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

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

Type rudnn::convertToPackedType(Type type) {
  LLVMTypeConverter converter(type.getContext());
  return converter.convertType(makeReplacer().replace(type));
}

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
