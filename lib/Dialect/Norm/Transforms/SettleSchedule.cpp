//===- SettleSchedule.cpp - Fields that are given, and the rest -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is chosen as a whole, so one field of it in place of another may
// break what the others rely on: more rows need fewer threads each, a cluster
// keeps rows whole. What is given stays; for the rest there are the schedules
// worth a try, of which the nearest that goes with it is taken.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace mlir;
using namespace rudnn::norm;

bool GivenFields::has(int64_t Schedule::*field) const {
  return values.*field != kNotGiven;
}

GivenFields::GivenFields() {
  for (const ScheduleField &field : getScheduleFields())
    values.*field.member = kNotGiven;
}

Schedule GivenFields::over(Schedule schedule) const {
  for (const ScheduleField &field : getScheduleFields())
    if (has(field.member))
      schedule.*field.member = values.*field.member;
  return schedule;
}

Schedule rudnn::norm::takeRowCut(const Schedule &schedule) {
  Schedule cut;
  for (int64_t Schedule::*field :
       {&Schedule::vector, &Schedule::threads, &Schedule::rows,
        &Schedule::cluster, &Schedule::parts, &Schedule::blocks})
    cut.*field = schedule.*field;
  return cut;
}

namespace {
class Settler {
public:
  Settler(RowwiseOpInterface op, const GPUChip &chip, const GivenFields &given,
          const Schedule &chosen)
      : op(op), problem(op), chip(chip), given(given), chosen(chosen) {}

  std::optional<Schedule> run() const;

private:
  /// `schedule` with what is given, and with room for its blocks. None if it is
  /// not legal.
  std::optional<Schedule> complete(Schedule schedule) const;
  /// The same, with blocks that walk over rows where nothing else helps.
  std::optional<Schedule> completeOrWalk(const Schedule &schedule) const;
  /// `schedule` with what is given, and with a grid for its block if that has
  /// become another one.
  Schedule refit(const Schedule &schedule) const;
  /// Whether what is given has a use in `schedule` if it has one in the choice.
  bool keepsUses(const Schedule &schedule) const;
  /// `schedule` with those chosen fields that do not depend on how rows are
  /// cut.
  Schedule keepPolicies(Schedule schedule) const;
  /// How far `schedule` is from the choice: in steps of a factor of two for
  /// numbers, one for keywords. Then, since a grid follows from its block, how
  /// far that is, in blocks.
  std::pair<double, double> getDistance(const Schedule &schedule) const;

  RowwiseOpInterface op;
  ScheduleProblem problem;
  const GPUChip &chip;
  const GivenFields &given;
  const Schedule &chosen;
};
} // namespace

std::optional<Schedule> Settler::complete(Schedule schedule) const {
  schedule = given.over(schedule);
  int64_t blocks = schedule.blocks;
  // The number of blocks belongs to the block that it was chosen with; another
  // one may leave room for fewer.
  if (!given.has(&Schedule::blocks))
    schedule.blocks = 0;
  if (findScheduleMisfit(problem, schedule, chip))
    return std::nullopt;
  if (!given.has(&Schedule::blocks))
    schedule.blocks =
        std::min(blocks, getResidentBlocks(problem, schedule, chip));
  return schedule;
}

std::optional<Schedule>
Settler::completeOrWalk(const Schedule &schedule) const {
  if (std::optional<Schedule> whole = complete(schedule))
    return whole;
  if (problem.sumsRows || given.has(&Schedule::parts) || schedule.parts != 0)
    return std::nullopt;
  Schedule walk = schedule;
  walk.parts = chip.multiprocessors;
  if (problem.hasRows())
    walk.parts = std::clamp<int64_t>(problem.rows, 1, walk.parts);
  return complete(walk);
}

Schedule Settler::refit(const Schedule &schedule) const {
  Schedule refitted = given.over(schedule);
  bool isSame = llvm::all_of(
      ArrayRef<int64_t Schedule::*>{&Schedule::threads, &Schedule::rows,
                                    &Schedule::cluster, &Schedule::strips},
      [&](int64_t Schedule::*field) {
        return refitted.*field == schedule.*field;
      });
  refitted.blocks = 0;
  if (!isSame && problem.sumsRows &&
      !findScheduleMisfit(problem, refitted, chip))
    chooseGrid(problem, chip, /*chipThreads=*/1024, /*registers=*/0, refitted);
  return refitted;
}

bool Settler::keepsUses(const Schedule &schedule) const {
  if (schedule.stage == chosen.stage || given.has(&Schedule::stage))
    return true;
  return chosen.getStage() == RowStage::Shared ? !given.has(&Schedule::stages)
         : chosen.getStage() == RowStage::Loop ? !given.has(&Schedule::unroll)
                                               : true;
}

Schedule Settler::keepPolicies(Schedule schedule) const {
  schedule.merge_columns = chosen.merge_columns;
  schedule.launch = chosen.launch;
  if (schedule.stage != chosen.stage)
    return schedule;
  for (int64_t Schedule::*field :
       {&Schedule::first_read, &Schedule::second_read, &Schedule::store,
        &Schedule::widen, &Schedule::product})
    schedule.*field = chosen.*field;
  return schedule;
}

static double countDoublings(double from, double to) {
  return std::abs(std::log2(to / from));
}

static double getGridBlocks(const Schedule &schedule) {
  return double(std::max<int64_t>(schedule.parts, 1)) *
         std::max<int64_t>(schedule.strips, 1) * schedule.cluster;
}

std::pair<double, double> Settler::getDistance(const Schedule &schedule) const {
  double distance = 0;
  for (const ScheduleField &field : getScheduleFields()) {
    int64_t ours = chosen.*field.member, theirs = schedule.*field.member;
    if (given.has(field.member) || theirs == ours ||
        field.member == &Schedule::parts || field.member == &Schedule::blocks)
      continue;
    int64_t shift = field.min == 0 ? 1 : 0;
    distance += field.keywords.empty()
                    ? countDoublings(ours + shift, theirs + shift)
                    : 1;
  }
  return {distance,
          countDoublings(getGridBlocks(chosen), getGridBlocks(schedule))};
}

std::optional<Schedule> Settler::run() const {
  if (std::optional<Schedule> schedule = complete(chosen))
    return schedule;
  std::optional<Schedule> nearest;
  std::vector<Schedule> candidates = enumerateSchedules(op, chip);
  candidates.push_back(takeRowCut(chosen));
  for (const Schedule &other : candidates) {
    std::optional<Schedule> schedule =
        completeOrWalk(refit(keepPolicies(other)));
    if (schedule && keepsUses(*schedule) &&
        (!nearest || getDistance(*schedule) < getDistance(*nearest)))
      nearest = schedule;
  }
  return nearest;
}

std::optional<Schedule> rudnn::norm::settleGPUSchedule(RowwiseOpInterface op,
                                                       const GPUChip &chip,
                                                       const GivenFields &given,
                                                       const Schedule &chosen) {
  return Settler(op, chip, given, chosen).run();
}
