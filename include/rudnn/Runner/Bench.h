//===- Bench.h - time a function against a copy -----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_BENCH_H
#define RUDNN_RUNNER_BENCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rudnn::runner {

/// Microseconds.
struct Timing {
  double median = 0, p10 = 0, p90 = 0;
};

/// Times of a function, and of a copy in the same memory that moves the same
/// bytes (half of them read, half written), measured in turn.
struct BenchResult {
  int64_t bytes = 0;
  int64_t repetitions = 0;
  /// What both were measured with, for people and for machines.
  std::string conditions;
  llvm::json::Object details;
  Timing function, copy;
  /// GPU: what the host takes to ask for a call, the least of a few averages.
  std::optional<double> request;

  /// Bytes per nanosecond.
  double getBandwidth() const;
  double getCopyBandwidth() const;
  /// The function's bandwidth as a part of the copy's.
  double getRatio() const;
  std::string format() const;
  llvm::json::Object toJSON() const;
};

/// How long to measure: about `seconds`, but not less than `least` repetitions,
/// after `warmUpSeconds` that do not count.
struct BenchLength {
  double seconds;
  int64_t least;
  double warmUpSeconds = 0.2;
};

/// Does something once or more often, and returns the microseconds of one time.
using Timer = std::function<double()>;

/// What each of several takes.
struct Timings {
  int64_t repetitions = 0;
  std::vector<Timing> each;
};

/// Does them in turn.
Timings measureInTurn(llvm::ArrayRef<Timer> timers, const BenchLength &length);

/// The microseconds that a function of this machine takes.
double timeOnHost(llvm::function_ref<void()> function);

/// Times a function against a copy.
BenchResult bench(const Timer &function, const Timer &copy,
                  const BenchLength &length);

/// The same for a function of this machine; the copy is a memcpy on `threads`
/// threads (0: all hardware threads).
llvm::Expected<BenchResult> benchOnHost(const Timer &function, int64_t bytes,
                                        int64_t threads, double seconds);

/// The largest resident size the process has had, in bytes; 0 if the system
/// does not tell.
int64_t getPeakMemory();

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_BENCH_H
