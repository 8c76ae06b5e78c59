//===- Tuner.h - measure schedules and find the fastest ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates are compiled several at a time; on a GPU that goes on while
// earlier ones, one by one, are run, compared with the reference, and timed for
// a short time. The best few are timed again, in turn and for longer, which
// decides.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_TUNER_H
#define RUDNN_LIB_RUNNER_TUNER_H

#include "Device.h"
#include "ReferenceRun.h"
#include "TuningProblem.h"
#include "rudnn/Runner/Tuning.h"
#include "rudnn/Tuning/TuningCache.h"

#include <chrono>

namespace rudnn::runner {

/// How long tuning takes, from the begin on.
struct TuningBudget {
  double seconds;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();

  /// The part of it that is over.
  double getPart() const {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    return passed.count() / seconds;
  }
};

/// What candidates are run on.
struct TuningBench {
  Device &device;
  const Program &program;
  /// Left as they are.
  llvm::ArrayRef<ArgumentBuffer> arguments;
  const ReferenceRun &reference;
  /// How the program is compiled, with another source for each candidate.
  CompileRequest request;
  const mlir::DialectRegistry &dialects;
  bool showsProgress;
};

/// Measures the schedules of `problem`, and begins with none, but for the
/// first, when the budget is nearly over. Candidates that do not compile, run
/// or give right results are dropped; fails only if the device does for good.
llvm::Expected<TuningResult> tune(TuningProblem &problem,
                                  const TuningBench &bench,
                                  const TuningBudget &budget);

/// What a tuning cache is to keep of a result that has a winner.
tuning::Measurement makeMeasurement(const TuningResult &result,
                                    llvm::ArrayRef<ArgumentBuffer> arguments);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_TUNER_H
