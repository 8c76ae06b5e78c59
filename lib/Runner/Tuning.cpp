//===- Tuning.cpp - what was measured to find a schedule ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Tuning.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rudnn::runner;

static constexpr double kLeastMargin = 0.01;

std::string TuningCandidate::getLabel() const {
  return names.empty() ? schedule
                       : schedule + " (" + llvm::join(names, ", ") + ")";
}

size_t TuningResult::countDropped() const {
  return llvm::count_if(tried, [](const TuningCandidate &candidate) {
    return !candidate.dropped.empty();
  });
}

std::optional<double> TuningResult::getMargin() const {
  if (!winner || !chosenMicroseconds)
    return std::nullopt;
  return 1 - winnerMicroseconds / *chosenMicroseconds;
}

std::string TuningResult::format() const {
  size_t dropped = countDropped();
  std::string text = llvm::formatv(
      "tuning: {0} schedules, {1} measured, {2} dropped, {3} left out after "
      "{4} s",
      tried.size() + leftOut, tried.size() - dropped, dropped, leftOut,
      budgetSeconds);
  if (!winner)
    return text;
  text += llvm::formatv("\n  fastest: {0:f1} us, {1}", winnerMicroseconds,
                        tried[*winner].getLabel());
  if (!chosenMicroseconds)
    return text + "\n  chosen : dropped, " + tried.front().getLabel();
  text += llvm::formatv("\n  chosen : {0:f1} us, {1}\n  margin : {2:P1}",
                        *chosenMicroseconds, tried.front().getLabel(),
                        *getMargin());
  return text;
}

static llvm::json::Object toJSON(const TuningCandidate &candidate) {
  llvm::json::Object object{{"schedule", candidate.schedule}};
  if (!candidate.names.empty())
    object["names"] = llvm::json::Array(candidate.names);
  if (candidate.dropped.empty())
    object["median_us"] = candidate.microseconds;
  else
    object["dropped"] = candidate.dropped;
  return object;
}

llvm::json::Object TuningResult::toJSON() const {
  llvm::json::Array candidates;
  for (const TuningCandidate &candidate : tried)
    candidates.push_back(::toJSON(candidate));
  llvm::json::Object object{{"candidates", std::move(candidates)},
                            {"dropped", int64_t(countDropped())},
                            {"left_out", int64_t(leftOut)},
                            {"budget_s", budgetSeconds},
                            {"chosen", tried.front().schedule}};
  if (chosenMicroseconds)
    object["chosen_us"] = *chosenMicroseconds;
  if (!winner)
    return object;
  object["winner"] = tried[*winner].schedule;
  object["winner_us"] = winnerMicroseconds;
  if (std::optional<double> margin = getMargin())
    object["margin"] = *margin;
  return object;
}

size_t rudnn::runner::pickWinner(llvm::ArrayRef<double> medians,
                                 std::optional<size_t> chosen) {
  size_t fastest = llvm::min_element(medians) - medians.begin();
  bool isWorthIt =
      !chosen || medians[fastest] <= medians[*chosen] * (1 - kLeastMargin);
  return isWorthIt ? fastest : *chosen;
}
