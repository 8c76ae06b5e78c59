//===- PlainSchedules.cpp - Launches that have names ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn::norm;

namespace {
/// Collects them for one op.
class PlainLaunches {
public:
  PlainLaunches(RowwiseOpInterface op, const GPUChip &chip)
      : isForward(isa<RMSNormOp>(op.getOperation())), problem(op), chip(chip),
        widest(getWidestVector(problem)) {}

  std::vector<NamedSchedule> run();

private:
  /// So many threads for a row, in scalars and in vectors; `size` is what names
  /// call that number.
  void addThreads(StringRef size, int64_t threads);
  void addOriginal();
  void addParts();
  /// Adds a schedule if it is legal, else the same in steps along the row.
  void add(const Twine &name, int64_t threads, int64_t vector);

  bool isForward;
  ScheduleProblem problem;
  const GPUChip &chip;
  int64_t widest;
  std::vector<NamedSchedule> found;
};
} // namespace

void PlainLaunches::add(const Twine &name, int64_t threads, int64_t vector) {
  Schedule schedule;
  schedule.vector = vector;
  schedule.threads = threads;
  if (findScheduleMisfit(problem, schedule, chip))
    schedule.stage = int64_t(RowStage::Loop);
  schedule = withUsualGrid(problem, chip, schedule);
  if (!findScheduleMisfit(problem, schedule, chip))
    found.push_back({name.str(), schedule});
}

void PlainLaunches::addThreads(StringRef size, int64_t threads) {
  add(isForward ? "scalar_" + size : "", threads, /*vector=*/1);
  if (isForward)
    return add("vector_" + size, threads, widest);
  add(problem.writesRows ? "threads_" + size : "", threads, widest);
}

/// The row in as many threads as a block of 512 has for it, if there are enough
/// rows to fill one.
void PlainLaunches::addOriginal() {
  if (!problem.hasColumns())
    return;
  constexpr int64_t kBlock = 512, kVectorised = 128;
  int64_t columns = std::min<int64_t>(
      kBlock,
      llvm::bit_floor(uint64_t(std::max<int64_t>(1, problem.columns / 4))));
  int64_t groups = kBlock / std::min(columns, GPUChip::kWarp);
  if (problem.hasRows())
    groups = std::min<int64_t>(
        groups, llvm::bit_floor(uint64_t(std::max<int64_t>(1, problem.rows))));
  int64_t threads =
      std::max(GPUChip::kWarp, std::min(columns, kBlock / groups));
  bool isVector = problem.columns >= kVectorised;
  StringRef name = isForward ? "original_launch" : "";
  add(isVector ? "" : name, threads, /*vector=*/1);
  add(isVector ? name : "", threads, widest);
}

/// The chosen schedule with other numbers of partial sums.
void PlainLaunches::addParts() {
  Schedule choice = chooseGPUSchedule(problem, chip);
  for (int64_t parts : {1, 8, 32, 128}) {
    Schedule schedule = choice;
    schedule.parts = parts;
    if ((!problem.hasRows() || parts <= problem.rows) &&
        !findScheduleMisfit(problem, schedule, chip))
      found.push_back({"parts_" + std::to_string(parts), schedule});
  }
}

std::vector<NamedSchedule> PlainLaunches::run() {
  addThreads("plane", GPUChip::kWarp);
  addThreads("128", 128);
  addThreads("256", 256);
  addOriginal();
  if (problem.sumsRows)
    addParts();
  return std::move(found);
}

std::vector<NamedSchedule> rudnn::norm::getPlainSchedules(RowwiseOpInterface op,
                                                          const GPUChip &chip) {
  return PlainLaunches(op, chip).run();
}
