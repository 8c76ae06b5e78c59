//===- Report.h - what a run tells people and machines ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_REPORT_H
#define RUDNN_RUNNER_REPORT_H

#include "rudnn/CUDA/Device.h"
#include "rudnn/Runner/Arguments.h"
#include "rudnn/Runner/Bench.h"
#include "rudnn/Runner/Check.h"
#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Tuning.h"

namespace rudnn::runner {

/// Prints each part of a run as it is known, and keeps it for the JSON file.
class Report {
public:
  explicit Report(llvm::raw_ostream &os) : os(os) {}

  void addModule(llvm::StringRef path, llvm::StringRef entry);
  void addSeed(uint64_t seed);
  void addTarget(llvm::StringRef device, llvm::StringRef processor,
                 llvm::StringRef pipelineOptions);
  void addGPU(const cuda::DeviceInfo &info);
  void addArgument(const ArgumentBuffer &argument, llvm::StringRef source);
  void addCompileTimes(const CompileTimes &times);
  /// A result that is not compared with anything.
  void addResult(llvm::StringRef name, const View &view);
  void addComparison(const Comparison &comparison);
  void addGuard(llvm::ArrayRef<std::string> violations);
  /// A kernel that was launched.
  void addKernel(const cuda::KernelInfo &kernel);
  /// Runs gave the same bits, or what differs in the last one of them.
  void addRepeat(int64_t runs, llvm::ArrayRef<std::string> differences);
  void addBench(const BenchResult &result);
  void addTuning(const TuningResult &result);
  /// The schedule that won was written to a tuning cache.
  void addRecorded(llvm::StringRef path);
  void addPeakMemory(int64_t bytes);
  void addOutput(llvm::StringRef path);

  /// Whether every comparison and guard was good.
  bool isGood() const { return good; }

  /// Writes all of it, or fails and leaves the file alone.
  llvm::Error writeJSON(llvm::StringRef path);

private:
  llvm::raw_ostream &os;
  llvm::json::Object root;
  llvm::json::Array arguments, kernels, results, outputs;
  bool good = true;
};

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_REPORT_H
