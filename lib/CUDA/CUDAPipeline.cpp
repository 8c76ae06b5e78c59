//===- CUDAPipeline.cpp - From GPU kernels to host code that runs ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CUDA/Passes.h"
#include "rudnn/Pipelines/NVVMPipeline.h"
#include "rudnn/Pipelines/Pipelines.h"

#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void rudnn::buildCUDAStage(OpPassManager &pm, const NVVMTarget &target,
                           const NVVMCompilation &compilation) {
  buildGPUToNVVMStage(pm, target, compilation);
  pm.addPass(createNormAllocateDeviceMemory());
  buildToControlFlowStage(pm);
  pm.addPass(createGpuToLLVMConversionPass());
  buildToLLVMStage(pm);
}
