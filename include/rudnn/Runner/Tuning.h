//===- Tuning.h - what was measured to find a schedule ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_TUNING_H
#define RUDNN_RUNNER_TUNING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace rudnn::runner {

/// A schedule that was tried.
struct TuningCandidate {
  std::string schedule;
  /// What else it is called, as in the list of plain schedules.
  std::vector<std::string> names;
  /// The median of a short time; 0 for one that was dropped.
  double microseconds = 0;
  /// Why it was dropped; empty if it was not.
  std::string dropped;

  /// The schedule and its names, for people.
  std::string getLabel() const;
};

/// The schedules of one op. The first is the one that is chosen without tuning.
struct TuningResult {
  std::vector<TuningCandidate> tried;
  /// How many were not tried for want of time, and how long that was.
  size_t leftOut = 0;
  double budgetSeconds = 0;
  /// The fastest one, by number; none if all were dropped.
  std::optional<size_t> winner;
  /// Medians of a longer time, in turn; of the chosen one unless it was
  /// dropped.
  double winnerMicroseconds = 0;
  std::optional<double> chosenMicroseconds;

  size_t countDropped() const;
  /// The part of the chosen one's time that the winner saves.
  std::optional<double> getMargin() const;
  std::string format() const;
  llvm::json::Object toJSON() const;
};

/// Which of those that have these medians wins: the fastest, but the chosen one
/// (by number, if it is among them) unless another is at least 1% faster, for
/// two runs of the same code differ by as much.
size_t pickWinner(llvm::ArrayRef<double> medians, std::optional<size_t> chosen);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_TUNING_H
