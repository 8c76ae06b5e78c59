//===- CPUSchedules.cpp - Schedules for a CPU -----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn::norm;

/// Steps that cut a row without rest, of up to eight vectors: what a step costs
/// besides is spread over more. Any row has a step of one vector.
static int64_t chooseUnroll(int64_t vector, const ScheduleProblem &problem) {
  if (!problem.hasColumns())
    return 4;
  for (int64_t chosen = 8; chosen > 1; chosen /= 2)
    if (problem.columns % (vector * chosen) == 0)
      return chosen;
  return problem.columns >= 4 * vector ? 4 : 1;
}

/// The hardware reads ahead along short rows and f32 rows as fast as they are
/// computed; on long rows of 16 bits, which take longer per byte, it pauses
/// while a row is written.
static int64_t choosePrefetch(RowwiseOpInterface op,
                              const ScheduleProblem &problem) {
  bool isLong = problem.hasColumns() && problem.columns >= 4096;
  auto rows = cast<ShapedType>(op.getRows().getType());
  return isLong && rows.getElementTypeBitWidth() <= 16 ? 1 : 0;
}

Schedule rudnn::norm::chooseCPUSchedule(RowwiseOpInterface op,
                                        const CPUMachine &cpu) {
  ScheduleProblem problem(op);
  Schedule schedule;
  schedule.vector = cpu.vectorBits / 32;
  schedule.unroll = chooseUnroll(schedule.vector, problem);
  // Fewer sums than the run-time rule gives where the rows are known: each is
  // written and read once more.
  if (problem.hasRows())
    schedule.parts =
        std::clamp<int64_t>(llvm::divideCeil(problem.rows, 32), 1, 64);
  schedule.prefetch = choosePrefetch(op, problem);
  schedule.nontemporal = cpu.cacheBytes / 2;
  return schedule;
}

namespace {
class CPUEnumerator {
public:
  CPUEnumerator(RowwiseOpInterface op, const CPUMachine &cpu)
      : problem(op), cpu(cpu), choice(chooseCPUSchedule(op, cpu)) {}

  std::vector<Schedule> run() const;

private:
  using Values = SmallVector<int64_t>;

  /// Vectors of the machine and narrower ones, down to 128 bits.
  Values getVectors() const;
  Values getParts() const;
  Values getNontemporal() const;

  ScheduleProblem problem;
  const CPUMachine &cpu;
  Schedule choice;
};
} // namespace

CPUEnumerator::Values CPUEnumerator::getVectors() const {
  Values values;
  for (int64_t bits = cpu.vectorBits; bits >= 128; bits /= 2)
    values.push_back(bits / 32);
  return values;
}

/// Sums for few and for many threads; no more than there are rows.
CPUEnumerator::Values CPUEnumerator::getParts() const {
  if (!problem.sumsRows)
    return {choice.parts};
  Values values;
  for (int64_t parts : {0, 1, 4, 16, 64, 256})
    if (parts <= 1 || !problem.hasRows() || parts <= problem.rows)
      values.push_back(parts);
  return values;
}

/// Never, and from the size that the choice has on, or always where the number
/// of rows is known, for then a size says no more than yes or no.
CPUEnumerator::Values CPUEnumerator::getNontemporal() const {
  if (!problem.writesRows)
    return {choice.nontemporal};
  return {0, problem.hasRows() ? 1 : choice.nontemporal};
}

std::vector<Schedule> CPUEnumerator::run() const {
  std::vector<Schedule> found = {choice};
  auto cross = [&](int64_t Schedule::*field, const Values &values) {
    for (size_t i = 0, count = found.size(); i < count; ++i)
      for (int64_t value : values) {
        Schedule schedule = found[i];
        schedule.*field = value;
        if (!findScheduleMisfit(problem, schedule) &&
            !llvm::is_contained(found, schedule))
          found.push_back(schedule);
      }
  };
  cross(&Schedule::vector, getVectors());
  cross(&Schedule::unroll, {1, 2, 4, 8});
  cross(&Schedule::prefetch, {0, 1, 2, 4});
  cross(&Schedule::nontemporal, getNontemporal());
  cross(&Schedule::parts, getParts());
  return found;
}

std::vector<Schedule>
rudnn::norm::enumerateCPUSchedules(RowwiseOpInterface op,
                                   const CPUMachine &cpu) {
  return CPUEnumerator(op, cpu).run();
}
