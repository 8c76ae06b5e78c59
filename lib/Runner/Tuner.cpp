//===- Tuner.cpp - measure schedules and find the fastest -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"

#include "Protect.h"
#include "Repeat.h"
#include "TuningCompiler.h"
#include "TuningProgress.h"

#include "llvm/Config/llvm-config.h"

using namespace rudnn;
using namespace rudnn::runner;

/// How long candidates are timed at first.
static constexpr BenchLength kShort = {0.03, 5, 0.02};
/// How many are timed again, beside the chosen one or one more, and at most how
/// long each.
static constexpr size_t kFinalists = 4;
static constexpr double kLongSeconds = 0.25;
static constexpr int64_t kLongLeast = 20;
/// The part of the budget that these may take.
static constexpr double kFinalPart = 0.1;

namespace {
class Tuner {
public:
  Tuner(TuningProblem &problem, const TuningBench &bench,
        const TuningBudget &budget)
      : problem(problem), bench(bench), budget(budget),
        progress(problem.getChoices().size(), bench.showsProgress) {
    result.budgetSeconds = budget.seconds;
  }

  llvm::Expected<TuningResult> run();

private:
  llvm::Error attemptAll();
  void attempt(std::unique_ptr<Trial> trial);
  /// Does a step of a trial; one that ends early is why it is dropped.
  void protect(Trial &trial, llvm::function_ref<void()> step);
  /// Runs it and compares what it writes.
  void check(Trial &trial);
  void compare(Trial &trial, llvm::ArrayRef<Output> outputs) const;
  void measureShortly(Trial &trial);
  /// Keeps the best, and the chosen one.
  void keep(std::unique_ptr<Trial> trial);
  void decide();

  TuningProblem &problem;
  const TuningBench &bench;
  const TuningBudget &budget;
  Protection protection;
  TuningProgress progress;
  TuningResult result;
  /// What is written by all calls.
  std::vector<ArgumentBuffer> copies;
  bool isTimingPrepared = false;
  /// Whether the device is in the middle of something.
  bool hasFailed = false;
  /// By time.
  std::vector<std::unique_ptr<Trial>> finalists;
};
} // namespace

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void Tuner::protect(Trial &trial, llvm::function_ref<void()> step) {
  trial.candidate.dropped = protection.run(step);
  hasFailed = !trial.candidate.dropped.empty();
}

void Tuner::compare(Trial &trial, llvm::ArrayRef<Output> outputs) const {
  auto comparisons = bench.reference.compare(outputs);
  if (!comparisons) {
    trial.candidate.dropped = llvm::toString(comparisons.takeError());
    return;
  }
  for (const Comparison &comparison : *comparisons)
    if (!comparison.isGood()) {
      trial.candidate.dropped = comparison.format();
      return;
    }
}

void Tuner::check(Trial &trial) {
  restoreWritten(bench.arguments, copies);
  std::vector<const ArgumentBuffer *> pointers =
      replaceWritten(bench.arguments, copies);
  std::vector<ResultValue> results;
  std::vector<std::string> violations;
  protect(trial, [&] {
    trial.function->load();
    results = bench.device.call({*trial.function, bench.program}, pointers,
                                violations);
  });
  if (!trial.candidate.dropped.empty())
    return;
  if (!violations.empty())
    trial.candidate.dropped = violations.front();
  else
    compare(trial, collectOutputs(bench.program, results, pointers));
  if (isTimingPrepared || !trial.candidate.dropped.empty())
    return;
  bench.device.prepareTiming(pointers, countBytes(bench.arguments, results));
  isTimingPrepared = true;
}

void Tuner::measureShortly(Trial &trial) {
  protect(trial, [&] {
    Timer timer = bench.device.makeTimer({*trial.function, bench.program});
    trial.candidate.microseconds =
        measureInTurn({timer}, kShort).each.front().median;
  });
}

void Tuner::keep(std::unique_ptr<Trial> trial) {
  auto isFaster = [](const auto &a, const auto &b) {
    return a->candidate.microseconds < b->candidate.microseconds;
  };
  auto place = llvm::upper_bound(finalists, trial, isFaster);
  finalists.insert(place, std::move(trial));
  // The slowest goes; if that is the chosen one, the slowest but that.
  if (finalists.size() > kFinalists + 1)
    finalists.erase(finalists.end() - (finalists.back()->index == 0 ? 2 : 1));
}

void Tuner::attempt(std::unique_ptr<Trial> trial) {
  if (trial->candidate.dropped.empty())
    check(*trial);
  if (trial->candidate.dropped.empty())
    measureShortly(*trial);
  progress.add(trial->candidate, budget.getPart());
  // Once it is named, for a device that cannot ends the process.
  if (hasFailed)
    bench.device.recover();
  hasFailed = false;
  result.tried.push_back(trial->candidate);
  if (trial->candidate.dropped.empty())
    keep(std::move(trial));
}

llvm::Error Tuner::attemptAll() {
  auto written = cloneWritten(bench.arguments);
  if (!written)
    return written.takeError();
  copies = std::move(*written);
  TuningCompiler compiler(problem, bench.request, bench.dialects, protection,
                          /*worksAhead=*/!bench.device.timesOnHost());
  while (result.tried.empty() || budget.getPart() < 1 - kFinalPart) {
    std::unique_ptr<Trial> trial = compiler.takeNext();
    if (!trial)
      break;
    attempt(std::move(trial));
  }
  result.leftOut = problem.getChoices().size() - result.tried.size();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

void Tuner::decide() {
  std::vector<Timer> timers;
  std::optional<size_t> chosen;
  for (auto [i, trial] : llvm::enumerate(finalists)) {
    timers.push_back(bench.device.makeTimer({*trial->function, bench.program}));
    if (trial->index == 0)
      chosen = i;
  }
  double seconds = std::min(kLongSeconds * double(timers.size()),
                            kFinalPart * budget.seconds);
  Timings timings = measureInTurn(timers, {seconds, kLongLeast});
  std::vector<double> medians;
  for (const Timing &timing : timings.each)
    medians.push_back(timing.median);
  size_t winner = pickWinner(medians, chosen);
  result.winner = finalists[winner]->index;
  result.winnerMicroseconds = medians[winner];
  if (chosen)
    result.chosenMicroseconds = medians[*chosen];
}

llvm::Expected<TuningResult> Tuner::run() {
  if (llvm::Error error = attemptAll())
    return std::move(error);
  if (!finalists.empty())
    decide();
  return std::move(result);
}

llvm::Expected<TuningResult> rudnn::runner::tune(TuningProblem &problem,
                                                 const TuningBench &bench,
                                                 const TuningBudget &budget) {
  return Tuner(problem, bench, budget).run();
}

tuning::Measurement
rudnn::runner::makeMeasurement(const TuningResult &result,
                               llvm::ArrayRef<ArgumentBuffer> arguments) {
  const TuningCandidate &winner = result.tried[*result.winner];
  tuning::Measurement measurement;
  measurement.schedule = winner.schedule;
  measurement.microseconds = result.winnerMicroseconds;
  measurement.margin = result.getMargin();
  measurement.information["llvm"] = LLVM_VERSION_STRING;
  measurement.information["chosen"] = result.tried.front().schedule;
  if (!winner.names.empty())
    measurement.information["names"] = llvm::json::Array(winner.names);
  for (const ArgumentBuffer &argument : arguments)
    if (argument.getArgument().role == "x")
      measurement.information["x"] =
          llvm::json::Array(argument.getView().sizes);
  return measurement;
}
