//===- TuningProgress.h - what a tuner is at --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_TUNINGPROGRESS_H
#define RUDNN_LIB_RUNNER_TUNINGPROGRESS_H

#include "rudnn/Runner/Tuning.h"

namespace rudnn::runner {

/// Tells people on the standard error: by a bar that is written over on a
/// terminal, else by a line for each candidate.
class TuningProgress {
public:
  /// Says nothing unless it `isShown`.
  TuningProgress(size_t total, bool isShown);
  ~TuningProgress() { clear(); }
  TuningProgress(const TuningProgress &) = delete;
  TuningProgress &operator=(const TuningProgress &) = delete;

  /// A candidate was tried, and a part of the time is over. One that was
  /// dropped is warned of.
  void add(const TuningCandidate &candidate, double timePart);

private:
  void clear();
  /// How many were tried, of all, or how much time is over if that is more.
  std::string makeBar(double timePart) const;
  void warn(const TuningCandidate &candidate);
  void print(llvm::StringRef line, double timePart);

  bool isShown, isTerminal;
  size_t total, tried = 0;
  double best = 0;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_TUNINGPROGRESS_H
