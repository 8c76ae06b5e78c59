//===- EmulatedDevice.cpp - a GPU played by this machine ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedDevice.h"

#include "CPUDevice.h"
#include "KernelStage.h"
#include "RuntimeSymbols.h"
#include "rudnn/Emulator/Passes.h"
#include "rudnn/Emulator/Runtime.h"
#include "rudnn/GPU/Target.h"
#include "rudnn/Runner/Failure.h"

#include "llvm/Support/WithColor.h"

using namespace rudnn;
using namespace rudnn::runner;

/// Threads of the kernel are in the middle of their work: nothing can go on.
[[noreturn]] static void failKernel(const char *message) {
  llvm::outs().flush();
  llvm::WithColor::error() << message << '\n';
  std::_Exit(static_cast<int>(ExitCode::CheckFailed));
}

llvm::Expected<CompileRequest>
EmulatedDevice::makeRequest(llvm::MemoryBufferRef source,
                            const Program &program) {
  auto target = getRunnableTarget(options.mcpu);
  if (!target)
    return target.takeError();
  auto kernels = KernelStage::create(program, options, {/*device=*/"", "sm_90"},
                                     expectedRows);
  if (!kernels)
    return kernels.takeError();
  if (!kernels->hasNormOps && !kernels->hasKernels)
    return badInput("--device=emulate: the module has no norm ops and no "
                    "kernels: nothing to emulate");
  auto gpu = getNVVMTarget(kernels->options->chip);
  if (!gpu)
    return badInput("--pipeline-options: " + llvm::toString(gpu.takeError()));
  pipelineOptions = kernels->describe();
  rudnnEmulatorSetSeed(options.data.seed);
  rudnnEmulatorSetErrorHandler(failKernel);
  setFaultDescription(rudnnEmulatorDescribeCurrentThread);
  CompileRequest request;
  request.source = source;
  mlir::func::FuncOp entry = program.entry;
  request.entry = entry.getName().str();
  request.buildPipeline = [stage = *kernels](mlir::OpPassManager &pm) {
    stage.build(pm);
    buildEmulateStage(pm);
  };
  request.cpu = target->cpu;
  request.features = target->features;
  request.getDeviceSymbols = getEmulatorSymbols;
  return request;
}
