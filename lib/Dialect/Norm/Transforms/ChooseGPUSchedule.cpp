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
  return finish();
}

Schedule ScheduleChooser::runUnaligned() {
  schedule.vector = 1;
  units = problem.columns;
  schedule.threads = std::clamp<int64_t>(
      llvm::alignTo(llvm::divideCeil(units, 4), GPUChip::kWarp), GPUChip::kWarp,
      GPUChip::kThreadsPerBlock);
  pieces = llvm::divideCeil(units, schedule.threads);
  if (problem.sumsRows)
    fillChip(1024);
  // Each piece is code of its own.
  constexpr int64_t kFewPieces = 8;
  if (pieces > kFewPieces || !fits()) {
    chooseLoop();
    schedule.unroll = Schedule().unroll;
  }
  return finish();
}

Schedule ScheduleChooser::finish() {
  // Without a number the assembler spares registers, for blocks that come and
  // go; those that stay need not leave room for more.
  if (schedule.blocks == 0 && (problem.sumsRows || schedule.parts > 0))
    schedule.blocks = 1;
  // A row of sums is read in pieces of 32 bytes at least; more where there are
  // enough columns for all blocks.
  if (problem.sumsRows && problem.hasColumns() && problem.columns <= 8192)
    schedule.merge_columns = problem.columns <= 2048 ? 8 : 16;
  if (chip.capability >= kFirstWithDependentLaunch)
    schedule.launch = int64_t(chooseLaunch());
  return schedule;
}

/// What was measured to take less time (docs/lab-book.md).
LaunchKind ScheduleChooser::chooseLaunch() const {
  constexpr int64_t kFewRows = 2048;
  bool isOneLaunch = !problem.sumsRows || schedule.parts == 1;
  if (isOneLaunch && hasAtMostRows(kFewRows))
    return LaunchKind::Chained;
  if (!problem.hasColumns())
    return LaunchKind::Normal;
  int64_t rowBytes = problem.columns * problem.narrowestBytes;
  bool isWeightGradAlone = problem.sumsRows && !problem.writesRows;
  if (isWeightGradAlone ? rowBytes == 2048
                        : !problem.sumsRows && rowBytes <= 512)
    return LaunchKind::Chained;
  if (problem.sumsRows && problem.writesRows && problem.columns <= 128)
    return LaunchKind::Dependent;
  return LaunchKind::Normal;
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
  bool isLongForward = isForward && units >= 32768;
  int64_t maxPieces = isLongForward                   ? 16
                      : problem.sumsRows || isForward ? 8
                                                      : 4;
  Schedule before = schedule;
  schedule = Schedule();
  schedule.vector = before.vector;
  // Sums take half of the registers that fewer threads have; rows of several
  // blocks wait for less where each thread has more of them.
  schedule.threads = problem.sumsRows || isLongForward ? 512 : 1024;
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
    if (isForward && !keepsGamma(pieces, schedule.threads))
      schedule.gamma = int64_t(GammaStage::Reload);
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
  if (problem.sumsRows && pieces > 3 && (schedule.cluster == 1 || pieces > 4))
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
  // A step has to stay in registers, with gradients or sums beside the row.
  if (problem.numInputs > 1)
    schedule.unroll = problem.sumsRows ? 1 : 2;
  else if (problem.hasColumns())
    schedule.unroll = std::min(schedule.unroll, 16 / schedule.vector);
  constexpr int64_t kStepBytes = 96;
  if (!problem.sumsRows && problem.numInputs > 1 &&
      schedule.unroll * getPieceBytes() > kStepBytes)
    schedule.threads = std::min<int64_t>(schedule.threads, 512);
  if (problem.sumsRows)
    fillChip(1024);
}

void ScheduleChooser::chooseOneShot() {
  // Vectors of fewer bytes cost more work per byte, and where rows are few, a
  // second read is a second wait.
  bool readsTwice =
      schedule.vector * problem.narrowestBytes == kMaxAccessBytes &&
      !hasAtMostRows(4096);
  problem.numInputs == 1 ? chooseForward(readsTwice) : chooseDx(readsTwice);
}

void ScheduleChooser::chooseForward(bool readsTwice) {
  constexpr int64_t kBlockThreads = 128;
  if (units <= (readsTwice ? 128 : 64)) {
    cut(1, /*moreIsBetter=*/false);
    // Measured: 1 to 3 % less time, whatever else is in the cache.
    if (readsTwice)
      schedule.first_read = int64_t(CachePolicy::EvictLast);
    return fillOneShotBlock(kBlockThreads);
  }
  cut(2, /*moreIsBetter=*/units <= 2048);
  fillOneShotBlock(kBlockThreads);
  // Wide factors of the longest rows find no registers beside them.
  if (readsTwice &&
      units <= (keepsGamma(8, GPUChip::kThreadsPerBlock) ? 8192 : 4096))
    return chooseReload();
  // A row that waits for its sum is f32.
  bool isHeld = hasRegisters(getSumRegisters() + kOneShotRegisters);
  if (!isHeld && units > 4096 && units < 8192)
    return chooseReload();
  if (units >= 8192 || !hasRegisters(getRowRegisters() + kOneShotRegisters))
    return chooseLongRows();
  if (units > 1024)
    schedule.gamma = int64_t(GammaStage::Reload);
}

void ScheduleChooser::chooseDx(bool readsTwice) {
  int64_t wanted = units <= 128 ? 1 : units < 1024 ? 2 : 4;
  cut(wanted, /*moreIsBetter=*/wanted == 2);
  fillOneShotBlock(/*onePieceThreads=*/256);
  if (readsTwice && units == 512)
    return readTwice(RowStage::Reload);
  if (units >= 4096 || !hasRegisters(getRowRegisters() + kOneShotRegisters))
    return chooseLongRows();
  if (units > 1024)
    schedule.gamma = int64_t(GammaStage::Reload);
  if (units < 2048 ||
      !hasRegisters(getRowRegisters() + kOneShotRegisters, /*blocks=*/2) ||
      2 * getBlockThreads() > chip.threadsPerMultiprocessor)
    return;
  schedule.blocks = 2;
  // Measured at 16384 columns of f16: 3 % less time.
  schedule.store = int64_t(CachePolicy::Streaming);
  // Values that wait for a sum take half the registers as bf16.
  schedule.widen = int64_t(Widening::Mixed);
}

/// Whole warps; several where a row is short.
void ScheduleChooser::fillOneShotBlock(int64_t onePieceThreads) {
  if (schedule.threads <= GPUChip::kWarp)
    fillBlock(256);
  else
    fillBlock(pieces == 1 ? onePieceThreads : 0);
}

/// Rows that a cache still holds when they are read again.
void ScheduleChooser::chooseReload() {
  readTwice(RowStage::Reload);
  if (units <= 1024)
    return cut(2, /*moreIsBetter=*/false);
  // Smaller blocks, of which more are at work while others wait.
  int64_t most = units > 4096 ? 1024 : units >= 2048 ? 512 : 384;
  if (!keepsGamma(llvm::divideCeil(units, most), GPUChip::kThreadsPerBlock))
    most = 1024;
  pieces = llvm::divideCeil(units, most);
  schedule.threads =
      llvm::alignTo(llvm::divideCeil(units, pieces), GPUChip::kWarp);
  if (units < 2048)
    return;
  if (keepsGamma(pieces, GPUChip::kThreadsPerBlock))
    schedule.gamma = int64_t(GammaStage::Registers);
  schedule.blocks = most == 1024 ? 1 : 2;
  if (most == 1024)
    schedule.store = int64_t(CachePolicy::Streaming);
}

Schedule rudnn::norm::chooseGPUSchedule(const ScheduleProblem &problem,
                                        const GPUChip &chip) {
  return ScheduleChooser(problem, chip).run();
}

Schedule rudnn::norm::chooseUnalignedSchedule(const ScheduleProblem &problem,
                                              const GPUChip &chip) {
  return ScheduleChooser(problem, chip).runUnaligned();
}
