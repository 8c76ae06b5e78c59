//===- Bench.h - time a function against a copy -----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_BENCH_H
#define RUDNN_RUNNER_BENCH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>

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

  /// Bytes per nanosecond.
  double getBandwidth() const;
  double getCopyBandwidth() const;
  /// The function's bandwidth as a part of the copy's.
  double getRatio() const;
  std::string format() const;
  llvm::json::Object toJSON() const;
};

/// How long to measure: about `seconds`, but not less than `least` repetitions.
struct BenchLength {
  double seconds;
  int64_t least;
};

/// Does both in turn, first until they are warm; each returns the microseconds
/// of one time.
BenchResult measureInTurn(llvm::function_ref<double()> function,
                          llvm::function_ref<double()> copy,
                          const BenchLength &length);

/// Times a function of this machine; the copy is a memcpy on `threads` threads
/// (0: all hardware threads).
llvm::Expected<BenchResult> benchOnHost(llvm::function_ref<void()> function,
                                        int64_t bytes, int64_t threads,
                                        double seconds);

/// The largest resident size the process has had, in bytes; 0 if the system
/// does not tell.
int64_t getPeakMemory();

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_BENCH_H
