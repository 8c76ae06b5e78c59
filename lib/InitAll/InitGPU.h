//===- InitGPU.h - Registration for NVIDIA GPUs -----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_INITALL_INITGPU_H
#define RUDNN_LIB_INITALL_INITGPU_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rudnn {

/// The dialects of kernels.
void registerGPUDialects(mlir::DialectRegistry &registry);

/// What lowers and compiles them.
void registerGPUExtensions(mlir::DialectRegistry &registry);

/// What translates host code that launches them to LLVM IR.
void registerGPUTranslations(mlir::DialectRegistry &registry);

/// RuDNN's passes and pipelines for kernels, and upstream's for the dialects.
void registerAllGPUPasses();

} // namespace rudnn

#endif // RUDNN_LIB_INITALL_INITGPU_H
