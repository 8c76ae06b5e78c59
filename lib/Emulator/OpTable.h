//===- OpTable.h - how messages name the ops of a kernel --------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_OPTABLE_H
#define RUDNN_LIB_EMULATOR_OPTABLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rudnn {

/// Numbers ops of a kernel, and keeps what they look like.
class OpTable {
public:
  /// Takes the ops that `isListed`.
  OpTable(mlir::gpu::GPUFuncOp kernel,
          llvm::function_ref<bool(mlir::Operation *)> isListed);

  int32_t getNumber(mlir::Operation *op) const { return numbers.at(op); }

  /// See RuDNNEmulatorLaunch.
  const std::string &getDescription() const { return description; }

private:
  llvm::DenseMap<mlir::Operation *, int32_t> numbers;
  std::string description;
};

} // namespace rudnn

#endif // RUDNN_LIB_EMULATOR_OPTABLE_H
