//===- NVVMPipeline.cpp - From kernels to PTX and machine code ------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Pipelines/NVVMPipeline.h"

#include "rudnn/GPU/Passes.h"
#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Pipelines/RegisterPipeline.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rudnn;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void rudnn::buildKernelsToNVVMStage(OpPassManager &pm, const NVVMTarget &target,
                                    const NVVMCompilation &compilation) {
  GpuNVVMAttachTargetOptions attach;
  attach.chip = target.chip;
  attach.features = target.features;
  attach.optLevel = compilation.optLevel;
  pm.addPass(createGpuNVVMAttachTarget(attach));
  pm.addPass(createNormAllocateSharedMemory());
  pm.addPass(createNormDescribeKernels());
  pm.addPass(createNormLowerCachePolicies());
  OpPassManager &device = pm.nest<gpu::GPUModuleOp>();
  device.addPass(createNormSettleBeforeWaits());
  device.addPass(createNormKeepNarrow());
  device.addPass(createConvertVectorToSCFPass());
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createNormExpandDeviceMath());
  device.addPass(createSCFToControlFlowPass());
  addCleanup(device);
  device.addPass(createConvertGpuOpsToNVVMOps());
  // What the lowering of vectors is made of may be of these dialects again.
  device.addPass(createConvertVectorToLLVMPass());
  device.addPass(createArithToLLVMConversionPass());
  device.addPass(createConvertIndexToLLVMPass());
  device.addPass(createConvertNVGPUToNVVMPass());
  device.addPass(createConvertNVVMToLLVMPass());
  device.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(device);
  device.addPass(createNormExternSharedMemory());
  device.addPass(createNormCheckDeviceCode());
}

void rudnn::buildSerializeStage(OpPassManager &pm,
                                const NVVMCompilation &compilation) {
  NormSerializeKernelsOptions options;
  options.format = compilation.format;
  options.toolkit = compilation.toolkit;
  pm.addPass(createNormSerializeKernels(options));
}

void rudnn::buildGPUToNVVMStage(OpPassManager &pm, const NVVMTarget &target,
                                const NVVMCompilation &compilation) {
  buildKernelsToNVVMStage(pm, target, compilation);
  buildSerializeStage(pm, compilation);
}

void rudnn::buildNormToNVVMPipeline(OpPassManager &pm,
                                    const GPUPipelineOptions &options,
                                    const NVVMTarget &target,
                                    const NVVMCompilation &compilation) {
  buildNormToGPUPipeline(pm, options);
  buildGPUToNVVMStage(pm, target, compilation);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
/// The options of a pipeline that ends in machine code, as members of those of
/// the pipeline.
struct NVVMOptions {
  template <typename T> using Option = detail::PassOptions::Option<T>;

  explicit NVVMOptions(detail::PassOptions &parent)
      : features(parent, "features", llvm::cl::init(""),
                 llvm::cl::desc("PTX version to write, as in +ptx80; by "
                                "default 8.0, or the oldest for the chip")),
        format(parent, "format", llvm::cl::init("isa"),
               llvm::cl::desc("llvm: LLVM bitcode; isa: PTX; bin: a cubin; "
                              "fatbin: cubin and PTX")),
        toolkit(parent, "toolkit", llvm::cl::init(""),
                llvm::cl::desc("Prefix of the CUDA toolkit whose ptxas and "
                               "fatbinary are run; PTX needs none")),
        optLevel(parent, "opt-level", llvm::cl::init(3),
                 llvm::cl::desc("Optimisation by LLVM and ptxas, 0 to 3")) {}

  Option<std::string> features, format, toolkit;
  Option<unsigned> optLevel;
};

struct GPUToNVVMOptions : PassPipelineOptions<GPUToNVVMOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90"),
                           llvm::cl::desc("GPU to compile for")};
  NVVMOptions nvvm{*this};
};

struct NormToNVVMOptions : GPUPipelineOptions {
  NVVMOptions nvvm{*this};
};

/// What the options of a pipeline ask for, checked.
struct Request {
  NVVMTarget target;
  NVVMCompilation compilation;
};
} // namespace

static llvm::Expected<Request> checkOptions(StringRef chip,
                                            const NVVMOptions &options) {
  llvm::Expected<NVVMTarget> target = getNVVMTarget(chip, options.features);
  if (!target)
    return target.takeError();
  static constexpr StringLiteral formats[] = {"llvm", "isa", "bin", "fatbin"};
  if (!llvm::is_contained(formats, StringRef(options.format)))
    return llvm::createStringError("unknown format '" + options.format +
                                   "', expected llvm, isa, bin or fatbin");
  if (options.optLevel > 3)
    return llvm::createStringError("expected opt-level 0 to 3, got " +
                                   Twine(options.optLevel));
  return Request{*target, {options.format, options.toolkit, options.optLevel}};
}

/// Kernels are chosen for chips that they can be compiled for.
static llvm::Error buildToGPU(OpPassManager &pm,
                              const GPUPipelineOptions &options) {
  llvm::Expected<NVVMTarget> target = getNVVMTarget(options.chip);
  if (!target)
    return target.takeError();
  buildNormToGPUPipeline(pm, options);
  return llvm::Error::success();
}

static llvm::Error buildGPUToNVVM(OpPassManager &pm,
                                  const GPUToNVVMOptions &options) {
  llvm::Expected<Request> request = checkOptions(options.chip, options.nvvm);
  if (!request)
    return request.takeError();
  buildGPUToNVVMStage(pm, request->target, request->compilation);
  return llvm::Error::success();
}

static llvm::Error buildToNVVM(OpPassManager &pm,
                               const NormToNVVMOptions &options) {
  llvm::Expected<Request> request = checkOptions(options.chip, options.nvvm);
  if (!request)
    return request.takeError();
  buildNormToNVVMPipeline(pm, options, request->target, request->compilation);
  return llvm::Error::success();
}

void rudnn::registerNVVMPipelines() {
  registerPipeline<GPUPipelineOptions>(
      "norm-to-gpu", "Lower norm ops to kernels in gpu.modules and launches",
      buildToGPU);
  registerPipeline<GPUToNVVMOptions>(
      "norm-gpu-to-nvvm",
      "Compile the gpu.modules of a module for an NVIDIA GPU", buildGPUToNVVM);
  registerPipeline<NormToNVVMOptions>(
      "norm-to-nvvm", "Compile norm ops to kernels for an NVIDIA GPU",
      buildToNVVM);
}
