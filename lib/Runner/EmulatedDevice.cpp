//===- EmulatedDevice.cpp - a GPU played by this machine ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedDevice.h"

#include "rudnn/CPU/Target.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Emulator/Passes.h"
#include "rudnn/Emulator/Runtime.h"
#include "rudnn/Pipelines/Pipelines.h"

#include "llvm/Support/WithColor.h"

using namespace rudnn;
using namespace rudnn::runner;

/// Threads of the kernel are in the middle of their work: nothing can go on.
[[noreturn]] static void failKernel(const char *message) {
  llvm::outs().flush();
  llvm::WithColor::error() << message << '\n';
  std::_Exit(static_cast<int>(ExitCode::CheckFailed));
}

/// Whether anything is left to be made a kernel.
static bool hasNormOps(mlir::Operation *module) {
  return module
      ->walk([](mlir::Operation *op) {
        return llvm::isa_and_nonnull<norm::NormDialect>(op->getDialect())
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<CompileRequest> rudnn::runner::makeEmulatorRequest(
    llvm::MemoryBufferRef source, const Program &program,
    const RunOptions &options, std::string &description) {
  auto target = getCPUTarget(options.mcpu);
  if (!target)
    return badInput("--mcpu: " + llvm::toString(target.takeError()));
  auto pipelineOptions = std::make_shared<GPUPipelineOptions>();
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (mlir::failed(
          pipelineOptions->parseFromString(options.pipelineOptions, errors)))
    return badInput("--pipeline-options: " + llvm::StringRef(message).trim());
  rudnnEmulatorSetSeed(options.data.seed);
  rudnnEmulatorSetErrorHandler(failKernel);
  setFaultDescription(rudnnEmulatorDescribeCurrentThread);
  CompileRequest request;
  request.source = source;
  mlir::func::FuncOp entry = program.entry;
  request.entry = entry.getName().str();
  bool makeKernels = hasNormOps(entry->getParentOp());
  llvm::raw_string_ostream os(description);
  if (makeKernels)
    pipelineOptions->print(os);
  request.buildPipeline = [=](mlir::OpPassManager &pm) {
    if (makeKernels)
      buildNormToGPUPipeline(pm, *pipelineOptions);
    buildEmulateStage(pm);
  };
  request.cpu = target->cpu;
  request.features = target->features;
  request.isEmulated = true;
  return request;
}
