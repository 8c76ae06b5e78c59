//===- EmulatePipeline.cpp - From GPU kernels to the LLVM dialect ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/Emulator/Passes.h"
#include "rudnn/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void rudnn::buildEmulateStage(OpPassManager &pm) {
  pm.addPass(createNormEmulateKernels());
  buildScalarLoopsStage(pm);
  // Exact on any CPU, as on the device.
  pm.addPass(createNormExpandConversions(
      NormExpandConversionsOptions{/*bf16=*/true, /*f16=*/true}));
  buildToControlFlowStage(pm);
  buildToLLVMStage(pm);
  pm.addPass(createNormThreadsToCoroutines());
}

void rudnn::registerEmulatorPipelines() {
  PassPipelineRegistration<>(
      "norm-emulate",
      "Lower GPU kernels and their launches to what the emulator runs",
      buildEmulateStage);
}
