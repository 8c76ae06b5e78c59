//===- ChooseGPUSchedule.cpp - A good schedule for a GPU ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which schedule wins is a matter of measurement; the figures in this file are
// what won on an H200, with rows counted in vectors of 16 bytes, since what
// matters is how many bytes are under way and how many registers they take, not
// of which type they are.
//
// - Rows on their own (forward, dx alone): a block for a few rows and no walk,
//   two vectors per thread; blocks that come and go balance themselves. Longer
//   rows are read twice: a cache holds them that long.
// - Rows whose sums go on (weight gradient): as many blocks as a chip holds,
//   with later rows under way while one is computed: in registers for short
//   rows, by asynchronous copies for long ones.
//   Few rows: the weight gradient by strips beside dx, in one launch.
// - A weight gradient alone of longer rows: strips of columns.
// - Rows that one block does not hold: several that stay, with the next rows
//   under way in shared memory, and where these do not hold them either, a walk
//   in steps.
//
//===----------------------------------------------------------------------===//

#include "RowCut.h"
#include "ScheduleChooser.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn::norm;

Schedule ScheduleChooser::run() {
  if (!problem.hasColumns())
    chooseLoop();
  else if (!problem.sumsRows)
    chooseOneShot();
  else if (!hasAtMostRows(128) || !chooseFewRows())
    problem.writesRows ? chooseBackward() : chooseWeightGradAlone();
  // Shapes that no measurement covers.
  if (!fits())
    chooseLoop();
  // Without a number the assembler spares registers, for blocks that come and
  // go; those that stay need not leave room for more.
  if (schedule.blocks == 0 && (problem.sumsRows || schedule.parts > 0))
    schedule.blocks = 1;
  // A row of sums is read in pieces of 32 bytes at least; more where there are
  // enough columns for all blocks.
  if (problem.sumsRows && problem.hasColumns() && problem.columns <= 8192)
    schedule.merge_columns = problem.columns <= 2048 ? 8 : 16;
  return schedule;
}

void ScheduleChooser::cut(int64_t wanted, bool moreIsBetter) {
  RowCut cut = RowCut::choose(units, wanted, moreIsBetter);
  schedule.threads = cut.threads;
  pieces = cut.pieces;
}

void ScheduleChooser::fillBlock(int64_t blockThreads) {
  int64_t least = llvm::divideCeil(GPUChip::kWarp, schedule.threads);
  schedule.rows = std::max<int64_t>(
      least, llvm::bit_floor(uint64_t(blockThreads / schedule.threads)));
  // The lowering tells rows and columns apart by how many there are.
  if (schedule.rows > least && schedule.rows == problem.columns)
    schedule.rows /= 2;
}

/// The second read finds the row in a cache, and is the last.
void ScheduleChooser::readTwice(RowStage stage) {
  schedule.stage = int64_t(stage);
  schedule.gamma = int64_t(GammaStage::Reload);
  schedule.first_read = int64_t(CachePolicy::EvictLast);
  schedule.second_read = int64_t(CachePolicy::EvictFirst);
}

void ScheduleChooser::mergeBlocks(int64_t chipThreads) {
  constexpr int64_t kFewSteps = 12;
  while (problem.hasRows() && schedule.parts > chip.multiprocessors &&
         problem.rows < kFewSteps * schedule.parts * schedule.rows &&
         2 * getBlockThreads() <= GPUChip::kThreadsPerBlock) {
    Schedule smaller = schedule;
    schedule.rows *= 2;
    fillChip(chipThreads);
    if (fits())
      continue;
    schedule = smaller;
    return;
  }
}

/// As few blocks as hold a row, since each more is one more to wait for. They
/// stay, with rows on their way while one is computed.
bool ScheduleChooser::chooseCluster() {
  bool isForward = problem.numInputs == 1;
  int64_t maxPieces = problem.sumsRows || isForward ? 8 : 4;
  Schedule before = schedule;
  schedule = Schedule();
  schedule.vector = before.vector;
  // Sums take half of the registers that fewer threads have.
  schedule.threads = problem.sumsRows ? 512 : 1024;
  schedule.stage = int64_t(RowStage::Shared);
  schedule.stages = 1;
  if (isForward)
    schedule.widen = int64_t(Widening::Mixed);
  else
    schedule.gamma = int64_t(GammaStage::Shared);
  if (problem.sumsRows && problem.narrowest.isBF16())
    schedule.widen = int64_t(Widening::Shift);
  int64_t &cluster = schedule.cluster;
  for (cluster = problem.sumsRows ? 2 : 1; cluster <= 8; cluster *= 2) {
    int64_t step = cluster * schedule.threads;
    if (units % step != 0 || units > maxPieces * step)
      continue;
    pieces = units / step;
    // Larger clusters do not reach all multiprocessors: these come in groups
    // that a cluster must fit into.
    int64_t reached =
        cluster > 2 ? chip.multiprocessors * 10 / 11 : chip.multiprocessors;
    schedule.parts = reached / cluster;
    if (problem.hasRows())
      schedule.parts = std::clamp<int64_t>(problem.rows, 1, schedule.parts);
    if (fits())
      return true;
  }
  schedule = before;
  return false;
}

/// What keeps memory busy while threads wait for each other's sums. Beside sums
/// of rows one is best, but where blocks wait for each other and have few
/// pieces under way.
void ScheduleChooser::addExtraPieces() {
  schedule.extra = pieces - 1;
  if (problem.sumsRows && (schedule.cluster == 1 || pieces > 4))
    schedule.extra = std::min<int64_t>(schedule.extra, 1);
  while (schedule.extra > 0 && !fits())
    --schedule.extra;
}

void ScheduleChooser::chooseLoop() {
  int64_t vector = schedule.vector;
  schedule = Schedule();
  schedule.vector = vector;
  schedule.threads = problem.hasColumns() ? 1024 : 256;
  schedule.stage = int64_t(RowStage::Loop);
  if (problem.writesRows)
    readTwice(RowStage::Loop);
  // What a step holds beside the row, gradients or sums, makes it shorter: it
  // has to stay in registers.
  if (problem.numInputs > 1)
    schedule.unroll = problem.sumsRows ? 1 : 2;
  if (problem.sumsRows)
    fillChip(1024);
}

void ScheduleChooser::chooseOneShot() {
  bool isForward = problem.numInputs == 1;
  int64_t wanted = 2;
  if (units <= (isForward ? 64 : 128))
    wanted = 1;
  else if (!isForward && units >= 1024)
    wanted = 4;
  cut(wanted, /*moreIsBetter=*/wanted == 2 && units <= 2048);
  int64_t blockThreads = 0;
  if (schedule.threads <= GPUChip::kWarp)
    blockThreads = 256;
  else if (pieces == 1)
    blockThreads = isForward ? 128 : 256;
  fillBlock(blockThreads);
  chooseOneShotStage();
}

/// Rows that a cache still holds when they are read again.
void ScheduleChooser::chooseLongReload() {
  schedule.threads = units == 8192 ? 1024 : 512;
  readTwice(RowStage::Reload);
  schedule.blocks = units == 8192 ? 1 : 2;
  if (units == 8192)
    schedule.store = int64_t(CachePolicy::Streaming);
}

void ScheduleChooser::chooseOneShotStage() {
  constexpr int64_t kOther = 24;
  bool isForward = problem.numInputs == 1;
  // Where rows do not fill their vectors, what guards the last would guard it
  // twice; where they are few, a second read is a second wait.
  bool readsTwice = llvm::isPowerOf2_64(units) && !hasAtMostRows(4096);
  if (readsTwice && isForward && units >= 2048 && units <= 8192)
    return chooseLongReload();
  if (readsTwice && units >= (isForward ? 128 : 512) &&
      units <= (isForward ? 1024 : 512))
    return readTwice(RowStage::Reload);
  if (units >= (isForward ? 8192 : 4096) ||
      !hasRegisters(getRowRegisters() + kOther))
    return chooseLongRows();
  if (units > 1024)
    schedule.gamma = int64_t(GammaStage::Reload);
  if (!isForward && units >= 2048 &&
      hasRegisters(getRowRegisters() + kOther, /*blocks=*/2) &&
      2 * getBlockThreads() <= chip.threadsPerMultiprocessor)
    schedule.blocks = 2;
  // Values that wait for a sum take half the registers as bf16.
  if (schedule.blocks == 2)
    schedule.widen = int64_t(Widening::Mixed);
}

Schedule rudnn::norm::chooseGPUSchedule(const ScheduleProblem &problem,
                                        const GPUChip &chip) {
  return ScheduleChooser(problem, chip).run();
}
