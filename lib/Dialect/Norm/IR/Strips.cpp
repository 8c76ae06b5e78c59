//===- Strips.cpp - Weight gradients by strips of columns -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A column of the weight gradient needs nothing of the others, so columns can
// be shared out among blocks, which rows, with their sums, can't.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

using namespace rudnn::norm;

/// The fewest threads that have a vector of a strip each, where the other
/// threads of the block can have as many; no more than share a row.
static int64_t fitThreads(const Schedule &schedule, int64_t vectors) {
  int64_t block = schedule.rows * schedule.threads;
  for (int64_t threads = 1; threads < schedule.threads; ++threads)
    if (threads >= vectors && block % threads == 0 && isThreadCount(threads))
      return threads;
  return schedule.threads;
}

StripsProgram rudnn::norm::getStripProgram(const ScheduleProblem &problem,
                                           const Schedule &schedule) {
  int64_t vectors = llvm::divideCeil(
      llvm::divideCeil(problem.columns, schedule.vector), schedule.strips);
  StripsProgram strip{problem, schedule};
  strip.problem.columns = vectors * schedule.vector;
  strip.problem.writesRows = false;
  strip.problem.gammaBytes = 0;
  const Schedule defaults;
  strip.schedule.threads = fitThreads(schedule, vectors);
  strip.schedule.rows =
      schedule.rows * schedule.threads / strip.schedule.threads;
  strip.schedule.strips = 0;
  if (!problem.writesRows)
    return strip;
  // What a row is used for twice is not there.
  for (int64_t Schedule::*field :
       {&Schedule::stage, &Schedule::stages, &Schedule::gamma,
        &Schedule::second_read, &Schedule::store})
    strip.schedule.*field = defaults.*field;
  return strip;
}

StripsProgram rudnn::norm::getRowProgram(const ScheduleProblem &problem,
                                         const Schedule &schedule) {
  StripsProgram rows{problem, schedule};
  rows.problem.sumsRows = false;
  // These are for the walk over rows.
  rows.schedule.prefetch = rows.schedule.parts = rows.schedule.strips = 0;
  return rows;
}
