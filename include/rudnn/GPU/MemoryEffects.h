//===- MemoryEffects.h - What launches do to memory -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_GPU_MEMORYEFFECTS_H
#define RUDNN_GPU_MEMORYEFFECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rudnn {

/// Says of `gpu.launch_func` and `gpu.wait`, which say nothing of it upstream,
/// that they read and write memory and free none. Without that, bufferization
/// refuses functions in which they stand beside norm ops.
void registerLaunchEffects(mlir::DialectRegistry &registry);

} // namespace rudnn

#endif // RUDNN_GPU_MEMORYEFFECTS_H
