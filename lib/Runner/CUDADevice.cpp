//===- CUDADevice.cpp - an NVIDIA GPU -------------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDADevice.h"

#include "CPUDevice.h"
#include "CUDABench.h"
#include "KernelStage.h"
#include "Protect.h"
#include "RuntimeSymbols.h"
#include "rudnn/CUDA/Passes.h"
#include "rudnn/Pipelines/NVVMPipeline.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/WithColor.h"

using namespace rudnn;
using namespace rudnn::runner;

[[noreturn]] static void failDevice(const char *message) {
  endProtectedRun(message);
  llvm::outs().flush();
  llvm::WithColor::error() << message << '\n';
  std::_Exit(static_cast<int>(ExitCode::DeviceFailed));
}

bool CUDADevice::isPresent() {
  cuda::DeviceInfo info;
  return !cuda::open(info);
}

llvm::Expected<std::unique_ptr<Device>>
CUDADevice::create(const RunOptions &options) {
  cuda::setErrorHandler(failDevice);
  cuda::DeviceInfo info;
  if (std::optional<std::string> missing = cuda::open(info))
    return deviceFailed("--device=cuda: " + *missing);
  return std::unique_ptr<Device>(new CUDADevice(options, std::move(info)));
}

tuning::Machine CUDADevice::getMachine() const {
  return {info.name, "sm_" + std::to_string(info.capability),
          info.driverVersion};
}

llvm::Expected<CompileRequest>
CUDADevice::makeRequest(llvm::MemoryBufferRef source, const Program &program) {
  auto kernels =
      KernelStage::create(program, options, getMachine(), expectedRows);
  if (!kernels)
    return kernels.takeError();
  pipelineOptions = kernels->describe();
  auto target = getNVVMTarget(kernels->options->chip);
  if (!target)
    return deviceFailed("--device=cuda: " + llvm::toString(target.takeError()));
  auto host = getRunnableTarget(options.mcpu);
  if (!host)
    return host.takeError();
  CompileRequest request;
  request.source = source;
  mlir::func::FuncOp entry = program.entry;
  request.entry = entry.getName().str();
  // The driver compiles PTX, so that no toolkit is needed.
  request.buildPipeline = [stage = *kernels,
                           target = *target](mlir::OpPassManager &pm) {
    stage.build(pm);
    buildCUDAStage(pm, target, NVVMCompilation());
  };
  request.cpu = host->cpu;
  request.features = host->features;
  request.getDeviceSymbols = getCUDASymbols;
  request.release = cuda::release;
  useCompileCache("cuda " + pipelineOptions, request);
  return request;
}

llvm::Expected<TuningSpace> CUDADevice::getTuningSpace(const Program &program) {
  auto kernels =
      KernelStage::create(program, options, getMachine(), expectedRows);
  if (!kernels)
    return kernels.takeError();
  if (!kernels->options->set.empty())
    return badInput("--tune: expected no fields of schedules in "
                    "--pipeline-options, got '" +
                    options.pipelineOptions + "'");
  const norm::GPUChip *chip = norm::findGPUChip(kernels->options->chip);
  if (!chip)
    return deviceFailed("--tune: no schedules are known for " +
                        kernels->options->chip);
  TuningSpace space;
  space.rows = expectedRows;
  space.machine = getMachine();
  space.machine.chip = kernels->options->chip;
  space.enumerate = [chip, machine = space.machine,
                     rows = space.rows](norm::RowwiseOpInterface op) {
    std::vector<norm::Schedule> all = norm::enumerateSchedules(op, *chip);
    auto shipped = norm::findShippedSchedule(op, machine, rows, *chip);
    if (shipped && !llvm::is_contained(all, *shipped))
      all.push_back(*shipped);
    return all;
  };
  space.getNamed = [chip](norm::RowwiseOpInterface op) {
    return norm::getPlainSchedules(op, *chip);
  };
  return std::move(space);
}

void CUDADevice::recover() {
  cuda::setPoison(false);
  cuda::abandonLaunches();
  // Some errors are for good, and this repeats them.
  cuda::synchronize();
}

void CUDADevice::describe(Report &report, const CompileRequest &request) const {
  report.addTarget(name, info.name, pipelineOptions);
  report.addGPU(info);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

DeviceBuffer CUDADevice::makeBuffer(const ArgumentBuffer &argument) {
  if (options.tune && !argument.isRead())
    return DeviceBuffer::createPoisoned(argument);
  if (!options.tune || argument.isWritten())
    return DeviceBuffer(argument);
  return inputs.try_emplace(&argument, argument).first->second;
}

static std::vector<PlacedArgument>
place(llvm::ArrayRef<const ArgumentBuffer *> arguments,
      llvm::ArrayRef<DeviceBuffer> buffers) {
  std::vector<PlacedArgument> placed;
  for (auto [argument, buffer] : llvm::zip_equal(arguments, buffers))
    placed.emplace_back(argument, buffer.getData());
  return placed;
}

/// A result in memory of the host: that of the argument it lies in, or else its
/// own.
static ResultValue toHost(const View &result,
                          llvm::ArrayRef<const ArgumentBuffer *> arguments,
                          llvm::ArrayRef<DeviceBuffer> buffers) {
  View view = result;
  for (auto [argument, buffer] : llvm::zip_equal(arguments, buffers))
    if (buffer.contains(view.data)) {
      view.data =
          argument->getStorage().getData() + (view.data - buffer.getData());
      return ResultValue(std::move(view), nullptr);
    }
  auto [begin, end] = view.getExtent();
  auto *memory = static_cast<char *>(llvm::safe_malloc(end - begin));
  cuda::download(memory, begin, end - begin);
  view.data = memory + (view.data - begin);
  return ResultValue(std::move(view), memory);
}

std::vector<ResultValue>
CUDADevice::call(const Callee &callee,
                 llvm::ArrayRef<const ArgumentBuffer *> arguments,
                 std::vector<std::string> &violations) {
  buffers.clear();
  for (const ArgumentBuffer *argument : arguments)
    buffers.push_back(makeBuffer(*argument));
  cuda::setPoison(true);
  std::vector<ResultValue> results =
      callee.function.call(callee.program, place(arguments, buffers));
  cuda::setPoison(false);
  cuda::synchronize();
  for (auto [buffer, argument] : llvm::zip_equal(buffers, arguments)) {
    if (!buffer.isCanaryIntact())
      violations.push_back(argument->getArgument().getName() +
                           ": bytes before or after it were written");
    if (options.data.guard || (argument->isWritten() && options.needsOutputs()))
      buffer.download(argument->getStorage());
  }
  std::vector<ResultValue> onHost;
  for (const ResultValue &result : results)
    onHost.push_back(toHost(result.getView(), arguments, buffers));
  return onHost;
}

void CUDADevice::describeWork(Report &report) const {
  for (const cuda::KernelInfo &kernel : cuda::getKernels())
    report.addKernel(kernel);
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

void CUDADevice::prepareTiming(llvm::ArrayRef<const ArgumentBuffer *> arguments,
                               int64_t bytes) {
  timedArguments = arguments;
  int64_t sets = countBufferSets(bytes, info.cacheBytes);
  timedSets = std::vector<std::vector<DeviceBuffer>>(sets - 1, buffers);
  timedSets.push_back(std::move(buffers));
}

/// A function and where its results are while they are in use.
class CUDADevice::TimedCalls {
public:
  TimedCalls(const CUDADevice &device, const Callee &callee)
      : device(device), callee(callee), results(device.timedSets.size()),
        batch(/*isRecorded=*/true, results.size(),
              [this](int64_t set) { run(set); }) {}

  Batch &getBatch() { return batch; }

private:
  /// Results are kept until their set is used again, so they rotate too.
  void run(int64_t set) {
    results[set].clear();
    results[set] = callee.function.call(
        callee.program, place(device.timedArguments, device.timedSets[set]));
  }

  const CUDADevice &device;
  Callee callee;
  std::vector<std::vector<ResultValue>> results;
  Batch batch;
};

Timer CUDADevice::makeTimer(const Callee &callee) {
  auto calls = std::make_shared<TimedCalls>(*this, callee);
  return [calls] { return calls->getBatch().time(); };
}

llvm::Expected<BenchResult> CUDADevice::bench(const Callee &callee,
                                              int64_t bytes) {
  TimedCalls calls(*this, callee);
  return benchOnGPU(calls.getBatch(), timedSets.size(), bytes,
                    options.benchSeconds);
}
