//===- Tuner.h - measure schedules and find the fastest ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates are compiled some at a time, one for each core; then one by one
// they are run, compared with the reference, and timed for a short time. The
// best few are timed again, in turn and for longer, which decides.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_TUNER_H
#define RUDNN_LIB_RUNNER_TUNER_H

#include "Device.h"
#include "ReferenceRun.h"
#include "TuningProblem.h"
#include "rudnn/Runner/Tuning.h"

namespace rudnn::runner {

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
};

/// Measures the schedules of `problem`, and begins with none after
/// `budgetSeconds`, but for the first. Candidates that do not compile, run or
/// give right results are dropped; fails only if the device does for good.
llvm::Expected<TuningResult>
tune(TuningProblem &problem, const TuningBench &bench, double budgetSeconds);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_TUNER_H
