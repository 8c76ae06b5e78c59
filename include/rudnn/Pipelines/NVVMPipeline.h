//===- NVVMPipeline.h - From kernels to PTX and machine code ----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_PIPELINES_NVVMPIPELINE_H
#define RUDNN_PIPELINES_NVVMPIPELINE_H

#include "rudnn/GPU/Target.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace rudnn {
struct GPUPipelineOptions;

/// How kernels are compiled.
struct NVVMCompilation {
  std::string format = "isa"; ///< llvm, isa, bin or fatbin
  std::string toolkit;        ///< prefix of a CUDA toolkit; "" looks for one
  unsigned optLevel = 3;      ///< of LLVM and ptxas, 0 to 3
};

/// Lowers a module with norm ops to functions that launch kernels, as
/// buildNormToGPUPipeline, and compiles the kernels, as buildGPUToNVVMStage.
void buildNormToNVVMPipeline(mlir::OpPassManager &pm,
                             const GPUPipelineOptions &options,
                             const NVVMTarget &target,
                             const NVVMCompilation &compilation);

/// Lowers every gpu.module of a module to NVVM and compiles it for `target`;
/// each becomes a gpu.binary with the code and a description of its kernels.
/// The host's functions stay as they are.
void buildGPUToNVVMStage(mlir::OpPassManager &pm, const NVVMTarget &target,
                         const NVVMCompilation &compilation);

/// The parts of that stage: kernels of gpu, vector and memref ops to the NVVM
/// dialect ...
void buildKernelsToNVVMStage(mlir::OpPassManager &pm, const NVVMTarget &target,
                             const NVVMCompilation &compilation);
/// ... and these to code.
void buildSerializeStage(mlir::OpPassManager &pm,
                         const NVVMCompilation &compilation);

/// Registers `norm-to-gpu`, `norm-to-nvvm` and its last stage,
/// `norm-gpu-to-nvvm`.
void registerNVVMPipelines();

} // namespace rudnn

#endif // RUDNN_PIPELINES_NVVMPIPELINE_H
