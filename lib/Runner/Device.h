//===- Device.h - where a function is compiled for and runs -----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_DEVICE_H
#define RUDNN_LIB_RUNNER_DEVICE_H

#include "TuningProblem.h"
#include "rudnn/Runner/Bench.h"
#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Report.h"
#include "rudnn/Runner/Runner.h"

#include <memory>

namespace rudnn::runner {

/// A compiled function, and what is known of it.
struct Callee {
  CompiledFunction &function;
  const Program &program;
};

/// What a device is; here, one that runs code in the memory of the arguments.
class Device {
public:
  Device(llvm::StringRef name, const RunOptions &options)
      : name(name), options(options) {}
  virtual ~Device() = default;

  /// How many rows there will be, for schedules from a tuning cache; 0:
  /// unknown.
  void expectRows(int64_t rows) { expectedRows = rows; }

  virtual llvm::Expected<CompileRequest>
  makeRequest(llvm::MemoryBufferRef source, const Program &program) = 0;

  /// Tells what the compiled code runs on and how it was made.
  virtual void describe(Report &report, const CompileRequest &request) const;

  /// Calls the function. Afterwards what it wrote is in the arguments' memory,
  /// and its results are in memory of the host. Adds what it touched and should
  /// not have to `violations`.
  virtual std::vector<ResultValue>
  call(const Callee &callee, llvm::ArrayRef<const ArgumentBuffer *> arguments,
       std::vector<std::string> &violations);

  /// Tells what is known about the device's work once the function was called.
  virtual void describeWork(Report &report) const {}

  /// Puts the arguments, after a call, where calls that are timed find them; in
  /// each of these `bytes` bytes have to move.
  virtual void prepareTiming(llvm::ArrayRef<const ArgumentBuffer *> arguments,
                             int64_t bytes);

  /// Times calls on what was prepared. The callee must outlive the timer, and
  /// the device too.
  virtual Timer makeTimer(const Callee &callee);

  /// Whether timers count what else the host does.
  virtual bool timesOnHost() const { return true; }

  /// Goes on after a call that did not come to its end. A device that cannot
  /// ends the process.
  virtual void recover() {}

  /// What there is to tune. Fails if times on this device say nothing, or if
  /// the options leave no choice.
  virtual llvm::Expected<TuningSpace> getTuningSpace(const Program &program);

  /// Times calls on what was prepared against copies.
  virtual llvm::Expected<BenchResult> bench(const Callee &callee,
                                            int64_t bytes);

protected:
  /// Lets a function come from the folder of compiled ones or go there, if
  /// there is one. `pipeline` tells all that the passes are told.
  void useCompileCache(std::string pipeline, CompileRequest &request) const;

  llvm::StringRef name;
  const RunOptions &options;
  int64_t expectedRows = 0;
  /// Of the pipeline, once there is a request.
  std::string pipelineOptions;

private:
  std::vector<PlacedArgument> timedArguments;
};

/// The device that the options ask for, which must outlive it.
llvm::Expected<std::unique_ptr<Device>> createDevice(const RunOptions &options);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_DEVICE_H
