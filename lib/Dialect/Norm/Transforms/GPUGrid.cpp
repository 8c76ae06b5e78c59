//===- GPUGrid.cpp - What stays on a chip ---------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn::norm;

int64_t rudnn::norm::getWidestVector(const ScheduleProblem &problem) {
  if (!problem.hasColumns())
    return 1;
  int64_t vector = kMaxAccessBytes / problem.narrowestBytes;
  while (problem.columns % vector != 0)
    vector /= 2;
  return vector;
}

int64_t rudnn::norm::getResidentBlocks(const ScheduleProblem &problem,
                                       const Schedule &schedule,
                                       const GPUChip &chip) {
  int64_t threads = schedule.rows * schedule.threads;
  int64_t shared =
      problem.getSharedBytes(schedule) + kSumBytes + GPUChip::kReservedBytes;
  return std::max<int64_t>(
      1, std::min(chip.threadsPerMultiprocessor / threads,
                  chip.sharedBytesPerMultiprocessor / shared));
}

void rudnn::norm::chooseGrid(const ScheduleProblem &problem,
                             const GPUChip &chip, int64_t chipThreads,
                             Schedule &schedule) {
  int64_t blocks = std::min<int64_t>(
      llvm::divideCeil(chipThreads, schedule.rows * schedule.threads),
      getResidentBlocks(problem, schedule, chip));
  schedule.parts = blocks * chip.multiprocessors;
  if (problem.hasRows())
    schedule.parts = std::clamp<int64_t>(
        llvm::divideCeil(problem.rows, schedule.rows), 1, schedule.parts);
  schedule.blocks =
      blocks > 1 && schedule.parts > chip.multiprocessors ? blocks : 0;
}
