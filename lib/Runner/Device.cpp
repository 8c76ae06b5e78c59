//===- Device.cpp - where a function is compiled for and runs -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "CPUDevice.h"
#include "CUDADevice.h"
#include "EmulatedDevice.h"

using namespace rudnn;
using namespace rudnn::runner;

void Device::describe(Report &report, const CompileRequest &request) const {
  report.addTarget(name, request.cpu, pipelineOptions);
}

static std::vector<PlacedArgument>
placeInOwnMemory(llvm::ArrayRef<const ArgumentBuffer *> arguments) {
  return std::vector<PlacedArgument>(arguments.begin(), arguments.end());
}

std::vector<ResultValue>
Device::call(const Callee &callee,
             llvm::ArrayRef<const ArgumentBuffer *> arguments,
             std::vector<std::string> &violations) {
  return callee.function.call(callee.program, placeInOwnMemory(arguments));
}

void Device::prepareTiming(llvm::ArrayRef<const ArgumentBuffer *> arguments,
                           int64_t bytes) {
  timedArguments = placeInOwnMemory(arguments);
}

Timer Device::makeTimer(const Callee &callee) {
  return [this, callee] {
    return timeOnHost(
        [&] { (void)callee.function.call(callee.program, timedArguments); });
  };
}

llvm::Expected<TuningSpace> Device::getTuningSpace(const Program &program) {
  return badInput("--tune: expected a device whose times say something, cpu or "
                  "cuda, got '" +
                  name + "'");
}

void Device::useCompileCache(std::string pipeline,
                             CompileRequest &request) const {
  // What a file of schedules holds changes, and remarks tell of it.
  if (!options.tune && !options.tuningCache.empty())
    return;
  request.cacheDirectory = options.compileCache;
  request.pipeline = std::move(pipeline);
}

llvm::Expected<BenchResult> Device::bench(const Callee &callee, int64_t bytes) {
  return benchOnHost(makeTimer(callee), bytes, options.threads,
                     options.benchSeconds);
}

llvm::Expected<std::unique_ptr<Device>>
rudnn::runner::createDevice(const RunOptions &options) {
  llvm::StringRef name = options.device;
  if (name == "cuda" || (name == "auto" && CUDADevice::isPresent()))
    return CUDADevice::create(options);
  if (name == "cpu" || name == "auto")
    return std::make_unique<CPUDevice>("cpu", options);
  if (name == "reference" && !options.tune && !options.tuningCache.empty())
    return badInput("--tuning-cache: device 'reference' has no schedules");
  if ((name == "reference" || name == "emulate") &&
      !options.compileCache.empty())
    return badInput("--compile-cache: device '" + name + "' keeps no code");
  if (name == "reference")
    return std::make_unique<ReferenceDevice>(name, options);
  if (name != "emulate")
    return badInput("--device: expected cpu, cuda, emulate, reference or auto, "
                    "got '" +
                    name + "'");
  if (options.bench)
    return badInput("--bench: the time that device 'emulate' takes says "
                    "nothing of a GPU's");
  return std::make_unique<EmulatedDevice>(name, options);
}
