//===- OverlapLaunches.h - Launches that begin early ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_GPU_OVERLAPLAUNCHES_H
#define RUDNN_GPU_OVERLAPLAUNCHES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rudnn {

/// Whether `kernel` first waits until the kernel launched before it is done, so
/// that it may be launched by programmatic dependent launch.
bool waitsForPrevious(mlir::gpu::GPUFuncOp kernel);

} // namespace rudnn

#endif // RUDNN_GPU_OVERLAPLAUNCHES_H
