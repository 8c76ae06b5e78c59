//===- MemoryAccess.cpp - Loads and stores of vector and memref -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn;

template <typename OpT>
static MemoryAccess make(OpT op, Value memref, Type type, Value stored = {}) {
  auto vector = dyn_cast<VectorType>(type);
  MemoryAccess access{op,
                      memref,
                      op.getIndices(),
                      stored,
                      vector ? vector : VectorType::get(1, type),
                      0};
  access.alignment = op.getAlignment().value_or(access.getElementBytes());
  return access;
}

std::optional<MemoryAccess> MemoryAccess::get(Operation *op) {
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return make(load, load.getBase(), load.getType());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return make(store, store.getBase(), store.getVectorType(),
                store.getValueToStore());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return make(load, load.getMemRef(), load.getType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return make(store, store.getMemRef(), store.getValueToStore().getType(),
                store.getValueToStore());
  return std::nullopt;
}

unsigned MemoryAccess::getElementBytes() const {
  Type element = type.getElementType();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() / 8 : 0;
}

unsigned MemoryAccess::getUnitBytes() const {
  uint64_t elementBytes = getElementBytes();
  if (type.getRank() != 1 || type.isScalable() || elementBytes < 2 ||
      type.getElementTypeBitWidth() != 8 * llvm::bit_floor(elementBytes))
    return 0;
  uint64_t bytes = elementBytes * type.getNumElements();
  uint64_t powerOfTwo = bytes & -bytes;
  uint64_t unit =
      std::min({uint64_t(16), llvm::bit_floor(alignment), powerOfTwo});
  return unit < elementBytes ? 0 : unit;
}
