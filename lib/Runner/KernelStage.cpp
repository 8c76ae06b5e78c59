//===- KernelStage.cpp - from a module to one with kernels ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelStage.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace rudnn;
using namespace rudnn::runner;

/// Whether `is` holds for an op in `module`.
static bool hasOp(mlir::Operation *module,
                  llvm::function_ref<bool(mlir::Operation *)> is) {
  return module
      ->walk([&](mlir::Operation *op) {
        return is(op) ? mlir::WalkResult::interrupt()
                      : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isNormOp(mlir::Operation *op) {
  return llvm::isa_and_nonnull<norm::NormDialect>(op->getDialect());
}

static bool isKernel(mlir::Operation *op) {
  return llvm::isa<mlir::gpu::LaunchOp, mlir::gpu::GPUModuleOp>(op);
}

llvm::Expected<KernelStage> KernelStage::create(const Program &program,
                                                const RunOptions &runOptions,
                                                const tuning::Machine &machine,
                                                int64_t rows) {
  KernelStage stage;
  stage.options = std::make_shared<GPUPipelineOptions>();
  stage.options->chip = machine.chip;
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (mlir::failed(
          stage.options->parseFromString(runOptions.pipelineOptions, errors)))
    return badInput("--pipeline-options: " + llvm::StringRef(message).trim());
  stage.options->tuningDevice = machine.device;
  stage.options->tuningDriver = machine.driver;
  stage.options->tuningRows = rows;
  if (!runOptions.tune && !runOptions.tuningCache.empty())
    stage.options->tuningCache = runOptions.tuningCache;
  mlir::func::FuncOp entry = program.entry;
  stage.hasNormOps = hasOp(entry->getParentOp(), isNormOp);
  stage.hasKernels = hasOp(entry->getParentOp(), isKernel);
  return stage;
}

void KernelStage::build(mlir::OpPassManager &pm) const {
  if (hasNormOps)
    buildNormToGPUPipeline(pm, *options);
}

std::string KernelStage::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (hasNormOps)
    options->print(os);
  return text;
}
