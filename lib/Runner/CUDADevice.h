//===- CUDADevice.h - an NVIDIA GPU -----------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CUDADEVICE_H
#define RUDNN_LIB_RUNNER_CUDADEVICE_H

#include "Device.h"
#include "DeviceBuffer.h"
#include "rudnn/CUDA/Device.h"

#include <map>

namespace rudnn::runner {

/// The GPU that the CUDA driver names first. What the driver refuses ends the
/// process by ExitCode::DeviceFailed.
class CUDADevice : public Device {
public:
  static bool isPresent();
  /// Fails if there is no driver or no GPU.
  static llvm::Expected<std::unique_ptr<Device>>
  create(const RunOptions &options);

  llvm::Expected<CompileRequest> makeRequest(llvm::MemoryBufferRef source,
                                             const Program &program) override;
  void describe(Report &report, const CompileRequest &request) const override;
  std::vector<ResultValue>
  call(const Callee &callee, llvm::ArrayRef<const ArgumentBuffer *> arguments,
       std::vector<std::string> &violations) override;
  void describeWork(Report &report) const override;
  void recover() override;
  llvm::Expected<TuningSpace> getTuningSpace(const Program &program) override;
  void prepareTiming(llvm::ArrayRef<const ArgumentBuffer *> arguments,
                     int64_t bytes) override;
  Timer makeTimer(const Callee &callee) override;
  bool timesOnHost() const override { return false; }
  llvm::Expected<BenchResult> bench(const Callee &callee,
                                    int64_t bytes) override;

private:
  class TimedCalls;

  CUDADevice(const RunOptions &options, cuda::DeviceInfo info)
      : Device("cuda", options), info(std::move(info)) {}

  tuning::Machine getMachine() const;

  cuda::DeviceInfo info;
  /// A copy of an argument. For all calls of a tuner, what is only read is
  /// uploaded once, and what is only written not at all.
  DeviceBuffer makeBuffer(const ArgumentBuffer &argument);

  /// What makeBuffer copies from.
  std::map<const ArgumentBuffer *, DeviceBuffer> inputs;
  /// Those of the last call.
  std::vector<DeviceBuffer> buffers;
  /// What calls that are timed use: the arguments, and in turn these copies.
  std::vector<const ArgumentBuffer *> timedArguments;
  std::vector<std::vector<DeviceBuffer>> timedSets;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CUDADEVICE_H
