//===- Tuner.cpp - measure schedules and find the fastest -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"

#include "Protect.h"
#include "Repeat.h"
#include "TuningProgress.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ThreadPool.h"

#include <chrono>

using namespace rudnn;
using namespace rudnn::runner;
using Clock = std::chrono::steady_clock;

/// How long candidates are timed at first, and each of the best in the end.
static constexpr BenchLength kShort = {0.03, 5, 0.02};
static constexpr double kLongSeconds = 0.25;
static constexpr int64_t kLongLeast = 20;
/// How many are the best, beside the chosen one or one more.
static constexpr size_t kFinalists = 4;

namespace {

/// A candidate on its way.
struct Trial {
  size_t index = 0;
  std::string source;
  std::unique_ptr<CompiledFunction> function;
  TuningCandidate candidate;
};

class Tuner {
public:
  Tuner(TuningProblem &problem, const TuningBench &bench, double budgetSeconds)
      : problem(problem), bench(bench), progress(problem.getSchedules().size()),
        deadline(Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(budgetSeconds))) {
    result.budgetSeconds = budgetSeconds;
  }

  llvm::Expected<TuningResult> run();

private:
  bool isOver() const { return Clock::now() >= deadline; }
  /// Trials of the next schedules, as many as there are cores.
  std::vector<Trial> beginTrials();
  /// May be done by several threads at the same time.
  void compile(Trial &trial) const;
  llvm::Error attempt(Trial &trial);
  /// Runs it and compares what it writes; says why it is dropped.
  llvm::Error check(Trial &trial);
  void compare(Trial &trial, llvm::ArrayRef<Output> outputs) const;
  void measureShortly(Trial &trial);
  /// Keeps the best, and the chosen one.
  void keep(Trial trial);
  void decide();

  TuningProblem &problem;
  const TuningBench &bench;
  Protection protection;
  TuningProgress progress;
  Clock::time_point deadline;
  TuningResult result;
  size_t next = 0;
  /// Where calls that are timed write, once there was a good one.
  std::optional<std::vector<ArgumentBuffer>> timedCopies;
  /// By time.
  std::vector<Trial> finalists;
};

} // namespace

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

std::vector<Trial> Tuner::beginTrials() {
  llvm::ArrayRef<norm::Schedule> schedules = problem.getSchedules();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency());
  size_t count =
      std::min<size_t>(pool.getMaxConcurrency(), schedules.size() - next);
  std::vector<Trial> trials(count);
  for (auto [i, trial] : llvm::enumerate(trials)) {
    trial.index = next + i;
    const norm::Schedule &schedule = schedules[trial.index];
    trial.candidate.schedule = problem.format(schedule);
    trial.source = problem.apply(schedule);
    pool.async([this, &trial = trial] { compile(trial); });
  }
  pool.wait();
  return trials;
}

/// The first error among printed diagnostics, or else `other`.
static std::string findError(llvm::StringRef diagnostics,
                             const std::string &other) {
  auto [before, error] = diagnostics.split("error: ");
  return error.empty() ? other : error.split('\n').first.str();
}

void Tuner::compile(Trial &trial) const {
  mlir::MLIRContext context(bench.dialects,
                            mlir::MLIRContext::Threading::DISABLED);
  std::string diagnostics;
  llvm::raw_string_ostream os(diagnostics);
  CompileRequest request = bench.request;
  request.source = llvm::MemoryBufferRef(trial.source, "candidate");
  request.diagnostics = &os;
  auto function = CompiledFunction::compile(context, request);
  if (function)
    trial.function = std::make_unique<CompiledFunction>(std::move(*function));
  else
    trial.candidate.dropped =
        findError(diagnostics, llvm::toString(function.takeError()));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

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

llvm::Error Tuner::check(Trial &trial) {
  auto copies = cloneWritten(bench.arguments);
  if (!copies)
    return copies.takeError();
  std::vector<const ArgumentBuffer *> pointers =
      replaceWritten(bench.arguments, *copies);
  std::vector<ResultValue> results;
  std::vector<std::string> violations;
  trial.candidate.dropped = protection.run([&] {
    trial.function->load();
    results = bench.device.call({*trial.function, bench.program}, pointers,
                                violations);
  });
  if (!trial.candidate.dropped.empty()) {
    bench.device.recover();
    return llvm::Error::success();
  }
  if (!violations.empty())
    trial.candidate.dropped = violations.front();
  else
    compare(trial, collectOutputs(bench.program, results, pointers));
  if (timedCopies || !trial.candidate.dropped.empty())
    return llvm::Error::success();
  int64_t bytes = countBytes(bench.arguments, results);
  timedCopies = std::move(*copies);
  bench.device.prepareTiming(replaceWritten(bench.arguments, *timedCopies),
                             bytes);
  return llvm::Error::success();
}

void Tuner::measureShortly(Trial &trial) {
  Timer timer = bench.device.makeTimer({*trial.function, bench.program});
  trial.candidate.microseconds =
      measureInTurn({timer}, kShort).each.front().median;
}

void Tuner::keep(Trial trial) {
  auto isFaster = [](const Trial &a, const Trial &b) {
    return a.candidate.microseconds < b.candidate.microseconds;
  };
  finalists.insert(llvm::upper_bound(finalists, trial, isFaster),
                   std::move(trial));
  // The slowest goes; if that is the chosen one, the slowest but that.
  if (finalists.size() > kFinalists + 1)
    finalists.erase(finalists.end() - (finalists.back().index == 0 ? 2 : 1));
}

llvm::Error Tuner::attempt(Trial &trial) {
  if (trial.function)
    if (llvm::Error error = check(trial))
      return error;
  if (trial.candidate.dropped.empty())
    measureShortly(trial);
  progress.add(trial.candidate);
  result.tried.push_back(trial.candidate);
  if (trial.candidate.dropped.empty())
    keep(std::move(trial));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Deciding
//===----------------------------------------------------------------------===//

void Tuner::decide() {
  std::vector<Timer> timers;
  std::optional<size_t> chosen;
  for (auto [i, trial] : llvm::enumerate(finalists)) {
    timers.push_back(bench.device.makeTimer({*trial.function, bench.program}));
    if (trial.index == 0)
      chosen = i;
  }
  Timings timings =
      measureInTurn(timers, {kLongSeconds * double(timers.size()), kLongLeast});
  std::vector<double> medians;
  for (const Timing &timing : timings.each)
    medians.push_back(timing.median);
  size_t winner = pickWinner(medians, chosen);
  result.winner = finalists[winner].index;
  result.winnerMicroseconds = medians[winner];
  if (chosen)
    result.chosenMicroseconds = medians[*chosen];
}

llvm::Expected<TuningResult> Tuner::run() {
  size_t total = problem.getSchedules().size();
  while (next < total && (next == 0 || !isOver()))
    for (Trial &trial : beginTrials()) {
      if (trial.index != 0 && isOver())
        break;
      if (llvm::Error error = attempt(trial))
        return std::move(error);
      ++next;
    }
  result.leftOut = total - next;
  if (!finalists.empty())
    decide();
  return std::move(result);
}

llvm::Expected<TuningResult> rudnn::runner::tune(TuningProblem &problem,
                                                 const TuningBench &bench,
                                                 double budgetSeconds) {
  return Tuner(problem, bench, budgetSeconds).run();
}
