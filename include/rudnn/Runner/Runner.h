//===- Runner.h - lower, run, check and time a module -----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_RUNNER_H
#define RUDNN_RUNNER_RUNNER_H

#include "rudnn/Runner/Arguments.h"
#include "rudnn/Runner/Failure.h"
#include "rudnn/Runner/Tuning.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace rudnn::runner {

/// Everything that rudnn-runner can be told.
struct RunOptions {
  /// The module; "-" is the standard input.
  std::string path;
  /// The function; empty: the only public one.
  std::string entry;
  /// cpu; cuda: a GPU; emulate: its kernels on the CPU; reference: the f64
  /// reference itself; auto: a GPU, or else the CPU.
  std::string device = "cpu";
  /// CPU to compile for; empty: the host.
  std::string mcpu;
  /// Options of the norm-to-cpu pipeline, as text.
  std::string pipelineOptions;
  /// Threads that compiled code and the copy of --bench use; 0: all there are.
  int64_t threads = 0;
  /// Whether to find the fastest schedule first, and the seconds that this may
  /// take; by default 20 for a forward and 40 for a backward.
  bool tune = false;
  std::optional<double> tuneBudget;
  /// File with measured schedules: which to use, or where to add the fastest;
  /// empty: none.
  std::string tuningCache;
  /// Folder of compiled functions, to take this one from or to add it to;
  /// empty: none. Not used with a file of measured schedules.
  std::string compileCache;
  DataOptions data;
  bool check = false;
  /// .npy files to compare results with, by number of the result.
  std::map<unsigned, std::string> expected;
  /// Tolerance of those in units in the last place of the result's type; by
  /// default 1, and for f32 64 (4e-6).
  std::optional<double> expectedUlps;
  /// How often to run, to compare the bits of the results.
  int64_t repeat = 1;
  bool bench = false;
  double benchSeconds = 1;
  /// Where to write results as result-I.npy; empty: nowhere.
  std::string outputDirectory;
  /// Where to write the report as JSON; empty: nowhere.
  std::string json;

  /// Whether anything is done with what a run writes.
  bool needsOutputs() const {
    return check || tune || repeat > 1 || !expected.empty() ||
           !outputDirectory.empty() || data.guard;
  }
};

/// Does what the options say, prints to the standard output, and returns the
/// exit code. The context must have all dialects, extensions and translations
/// that modules and pipelines need; LLVM's native target must be initialised.
ExitCode run(const RunOptions &options, mlir::MLIRContext &context);

/// Tunes the norm op of a function as `run` does, and no more: what runs,
/// checks and times is not told, but for warnings. Fails if no schedule is
/// good.
llvm::Expected<TuningResult> tune(const RunOptions &options,
                                  mlir::MLIRContext &context);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_RUNNER_H
