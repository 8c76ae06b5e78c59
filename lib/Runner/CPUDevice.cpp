//===- CPUDevice.cpp - how to compile for this machine --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CPUDevice.h"

#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Reference/Passes.h"
#include "rudnn/Runner/Failure.h"
#include "rudnn/Runtime/Runtime.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/WithColor.h"

using namespace rudnn;
using namespace rudnn::runner;

/// The pipeline's options as the user gave them, with what the runner knows
/// filled in where the user did not say it.
static llvm::Expected<std::shared_ptr<CPUPipelineOptions>>
makePipelineOptions(const RunOptions &options, int64_t rows) {
  std::string text = options.pipelineOptions;
  auto addDefault = [&](llvm::StringRef name, const llvm::Twine &value) {
    if (!llvm::StringRef(" " + text).contains((" " + name + "=").str()))
      text += ((text.empty() ? "" : " ") + name + "=" + value).str();
  };
  addDefault("threads", llvm::Twine(options.threads));
  if (!options.mcpu.empty())
    addDefault("mcpu", options.mcpu);
  auto parsed = std::make_shared<CPUPipelineOptions>();
  std::string message;
  llvm::raw_string_ostream errors(message);
  if (mlir::failed(parsed->parseFromString(text, errors)))
    return badInput("--pipeline-options: " + llvm::StringRef(message).trim());
  if (!options.tune && !options.tuningCache.empty()) {
    parsed->tuningCache = options.tuningCache;
    parsed->tuningRows = rows;
  }
  return parsed;
}

llvm::Expected<CPUTarget>
rudnn::runner::getRunnableTarget(llvm::StringRef mcpu) {
  auto target = getCPUTarget(mcpu);
  if (!target)
    return badInput("--mcpu: " + llvm::toString(target.takeError()));
  std::string extension = findExtensionHostLacks(*target);
  if (!extension.empty())
    return badInput("--mcpu: expected a CPU whose code runs here, got '" +
                    target->cpu + "' with " + extension +
                    ", which this machine lacks");
  return std::move(*target);
}

/// The name of the function to compile.
static std::string getEntry(const Program &program) {
  mlir::func::FuncOp entry = program.entry;
  return entry.getName().str();
}

llvm::Expected<CompileRequest>
CPUDevice::makeRequest(llvm::MemoryBufferRef source, const Program &program) {
  auto parsed = makePipelineOptions(options, expectedRows);
  if (!parsed)
    return parsed.takeError();
  auto target = getRunnableTarget((*parsed)->mcpu);
  if (!target)
    return target.takeError();
  pipelineOptions.clear();
  llvm::raw_string_ostream os(pipelineOptions);
  (*parsed)->print(os);
  CompileRequest request;
  request.source = source;
  request.entry = getEntry(program);
  request.buildPipeline = [options = *parsed,
                           target = *target](mlir::OpPassManager &pm) {
    buildNormToCPUPipeline(pm, *options, target);
  };
  request.cpu = target->cpu;
  request.features = target->features;
  useCompileCache(pipelineOptions +
                      " cache-bytes=" + std::to_string(target->cacheBytes),
                  request);
  return request;
}

llvm::Expected<TuningSpace> CPUDevice::getTuningSpace(const Program &program) {
  auto parsed = makePipelineOptions(options, expectedRows);
  if (!parsed)
    return parsed.takeError();
  const CPUPipelineOptions &given = **parsed;
  if (given.unroll != 0 || given.parts >= 0 || given.prefetch >= 0 ||
      given.nontemporal >= 0)
    return badInput("--tune: expected no fields of schedules in "
                    "--pipeline-options, got '" +
                    options.pipelineOptions + "'");
  auto target = getRunnableTarget(given.mcpu);
  if (!target)
    return target.takeError();
  TuningSpace space;
  space.rows = expectedRows;
  space.machine = {target->cpu, target->cpu, /*driver=*/0,
                   tuning::resolveThreads(given.threads)};
  int64_t bits = given.vectorBits != 0 ? int64_t(given.vectorBits)
                                       : int64_t(target->vectorBits);
  norm::CPUMachine cpu{bits, target->cacheBytes};
  space.enumerate = [cpu](norm::RowwiseOpInterface op) {
    return norm::enumerateCPUSchedules(op, cpu);
  };
  return std::move(space);
}

void CPUDevice::recover() {
  if (!rudnnIsInParallelFor())
    return;
  llvm::outs().flush();
  llvm::WithColor::error() << "--tune: code ended in a loop that several "
                              "threads share, which cannot be left\n";
  std::_Exit(static_cast<int>(ExitCode::DeviceFailed));
}

llvm::Expected<CompileRequest>
ReferenceDevice::makeRequest(llvm::MemoryBufferRef source,
                             const Program &program) {
  return makeReferenceRequest(source, getEntry(program));
}

llvm::Expected<CompileRequest>
rudnn::runner::makeReferenceRequest(llvm::MemoryBufferRef source,
                                    llvm::StringRef entry) {
  CompileRequest request;
  request.source = source;
  request.entry = entry.str();
  request.buildPipeline = reference::buildReferencePipeline;
  request.optLevel = 1;
  auto target = getCPUTarget("");
  if (!target)
    return target.takeError();
  request.cpu = target->cpu;
  request.features = target->features;
  return request;
}
