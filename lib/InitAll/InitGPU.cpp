//===- InitGPU.cpp - Registration for NVIDIA GPUs -------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InitGPU.h"

#include "rudnn/CUDA/Passes.h"
#include "rudnn/GPU/MemoryEffects.h"
#include "rudnn/GPU/Passes.h"
#include "rudnn/Pipelines/NVVMPipeline.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"

using namespace mlir;

void rudnn::registerGPUDialects(DialectRegistry &registry) {
  registry.insert<gpu::GPUDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect>();
}

void rudnn::registerGPUExtensions(DialectRegistry &registry) {
  gpu::registerValueBoundsOpInterfaceExternalModels(registry);
  registerLaunchEffects(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
}

void rudnn::registerGPUTranslations(DialectRegistry &registry) {
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
  registerGPUDialectTranslation(registry);
}

void rudnn::registerAllGPUPasses() {
  mlir::registerGPUPasses();
  rudnn::registerGPUPasses();
  registerCUDAPasses();
  registerCUDAPipelines();
  registerNVVMPipelines();
}
