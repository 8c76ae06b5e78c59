//===- MemoryAccess.h - Loads and stores of vector and memref ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_MEMORYACCESS_H
#define RUDNN_LIB_GPU_MEMORYACCESS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace rudnn {

/// A vector.load, vector.store, memref.load or memref.store.
struct MemoryAccess {
  mlir::Operation *op;
  mlir::Value memref;
  mlir::ValueRange indices;
  mlir::Value stored;    ///< null for a load
  mlir::VectorType type; ///< of what is moved; a scalar is a vector of one
  uint64_t alignment;    ///< in bytes

  /// Nothing if `op` is none of the four ops.
  static std::optional<MemoryAccess> get(mlir::Operation *op);

  /// 0 for elements that are no numbers.
  unsigned getElementBytes() const;

  /// The bytes of one instruction, at most 16; 0 if PTX has none for this type
  /// and alignment.
  unsigned getUnitBytes() const;
};

} // namespace rudnn

#endif // RUDNN_LIB_GPU_MEMORYACCESS_H
