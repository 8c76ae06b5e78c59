//===- CUDAPipeline.cpp - From GPU kernels to host code that runs ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/CUDA/Passes.h"
#include "rudnn/Pipelines/NVVMPipeline.h"
#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Pipelines/RegisterPipeline.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void rudnn::buildCUDAStage(OpPassManager &pm, const NVVMTarget &target,
                           const NVVMCompilation &compilation) {
  pm.addPass(createNormAllocateDeviceMemory());
  // Copies between layouts have become launches.
  pm.addPass(affine::createAffineExpandIndexOpsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createNormLaunchDependents());
  buildGPUToNVVMStage(pm, target, compilation);
  pm.addPass(createNormDropMemorySpaces());
  buildScalarLoopsStage(pm);
  buildToControlFlowStage(pm);
  pm.addPass(createGpuToLLVMConversionPass());
  buildToLLVMStage(pm);
}

static llvm::Error buildChecked(OpPassManager &pm,
                                const rudnn::GPUPipelineOptions &options) {
  llvm::Expected<rudnn::NVVMTarget> target = rudnn::getNVVMTarget(options.chip);
  if (!target)
    return target.takeError();
  rudnn::buildNormToGPUPipeline(pm, options);
  rudnn::buildCUDAStage(pm, *target, rudnn::NVVMCompilation());
  return llvm::Error::success();
}

void rudnn::registerCUDAPipelines() {
  registerPipeline<GPUPipelineOptions>(
      "norm-to-cuda",
      "Lower norm ops to PTX and host code that launches it, in the LLVM "
      "dialect",
      buildChecked);
}
