//===- Passes.h - Passes for running on a GPU -------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CUDA_PASSES_H
#define RUDNN_CUDA_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace rudnn {

struct NVVMCompilation;
struct NVVMTarget;

#define GEN_PASS_DECL
#include "rudnn/CUDA/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/CUDA/Passes.h.inc"

/// Compiles kernels, and lowers the host code with the `gpu.launch_func`s of
/// them to the LLVM dialect, for a process that has the functions of
/// rudnn/CUDA/Runtime.h and calls it with buffers of the GPU.
void buildCUDAStage(mlir::OpPassManager &pm, const NVVMTarget &target,
                    const NVVMCompilation &compilation);

/// Registers `norm-to-cuda`: norm ops to kernels, and that stage.
void registerCUDAPipelines();

} // namespace rudnn

#endif // RUDNN_CUDA_PASSES_H
