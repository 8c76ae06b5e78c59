//===- GPUGrid.cpp - What stays on a chip ---------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/ADT/bit.h"
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
                             int64_t registers, Schedule &schedule) {
  int64_t threads = schedule.rows * schedule.threads;
  int64_t blocks =
      std::min<int64_t>(llvm::divideCeil(chipThreads, threads),
                        getResidentBlocks(problem, schedule, chip));
  while (blocks > 1 && GPUChip::getRegisters(threads, blocks) < registers)
    --blocks;
  int64_t strips = std::max<int64_t>(schedule.strips, 1);
  int64_t rows = schedule.strips > 0
                     ? getStripProgram(problem, schedule).schedule.rows
                     : schedule.rows;
  schedule.parts = std::max<int64_t>(
      blocks * chip.multiprocessors / (strips * schedule.cluster), 1);
  if (problem.hasRows())
    schedule.parts = std::clamp<int64_t>(llvm::divideCeil(problem.rows, rows),
                                         1, schedule.parts);
  bool fills =
      schedule.parts * strips * schedule.cluster > chip.multiprocessors;
  schedule.blocks = blocks > 1 && fills ? blocks : 0;
}

int64_t rudnn::norm::chooseFewRowStrips(const ScheduleProblem &problem,
                                        const Schedule &schedule) {
  // 128 bytes at least of a row.
  constexpr int64_t kLeast = 8;
  int64_t block = schedule.rows * schedule.threads;
  int64_t rows = std::max<int64_t>(problem.rows / 2, 1);
  int64_t threads =
      std::max<int64_t>(block / llvm::bit_floor(uint64_t(rows)), kLeast);
  // Rows and columns are told apart by how many there are.
  auto isBad = [&] {
    return !isThreadCount(threads) || block % threads != 0 ||
           block / threads == threads * schedule.vector;
  };
  while (threads < schedule.threads && isBad())
    ++threads;
  threads = std::min(threads, schedule.threads);
  return llvm::divideCeil(problem.columns, threads * schedule.vector);
}

Schedule rudnn::norm::withUsualGrid(const ScheduleProblem &problem,
                                    const GPUChip &chip, Schedule schedule) {
  constexpr int64_t kChipThreads = 1024;
  if (problem.sumsRows && !findScheduleMisfit(problem, schedule, chip))
    chooseGrid(problem, chip, kChipThreads, /*registers=*/0, schedule);
  schedule.blocks = 0;
  return schedule;
}
