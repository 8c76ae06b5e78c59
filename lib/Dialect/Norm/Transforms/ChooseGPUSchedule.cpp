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

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// A weight gradient beside dx, for rows of up to `maxUnits` vectors.
struct BackwardCase {
  int64_t maxUnits;
  /// Vectors per thread, threads per block (at least one row) and per
  /// multiprocessor.
  int64_t pieces, blockThreads, chipThreads;
  /// Slots of the ring in shared memory; 0 prefetches into registers.
  int64_t stages;
  bool keepsGamma;
  Widening widen = Widening::Convert;
};

class Chooser {
public:
  Chooser(const ScheduleProblem &problem, const GPUChip &chip)
      : problem(problem), chip(chip) {
    schedule.vector = getWidestVector(problem);
    if (problem.hasColumns())
      units = problem.columns / schedule.vector;
  }

  Schedule run();

private:
  /// Forward, or dx alone: rows for themselves.
  void chooseOneShot();
  void chooseOneShotStage();
  void chooseLongReload();
  /// dx and the weight gradient.
  void chooseBackward();
  BackwardCase getBackwardCase() const;
  /// Rows and gamma to shared memory as far as it reaches.
  void chooseRing(const BackwardCase &kind);
  void chooseRegisters();
  /// A weight gradient of known, few rows. False if registers do not hold them.
  bool chooseFewRows();
  void chooseWeightGradAlone();
  void chooseStrips();
  /// Several blocks for a row. False if they do not hold it either.
  bool chooseCluster();
  /// Pieces of a row beside those that a block has in shared memory.
  void addExtraPieces();
  /// Steps, for what nothing holds.
  void chooseLoop();
  void chooseLongRows() { chooseCluster() ? addExtraPieces() : chooseLoop(); }

  void cut(int64_t wanted, bool moreIsBetter);
  /// Rows for a block of about `blockThreads` threads, in whole warps.
  void fillBlock(int64_t blockThreads);
  /// Blocks for about `chipThreads` threads on each multiprocessor, each with
  /// registers for its sums and some more.
  void fillChip(int64_t chipThreads) {
    chooseGrid(problem, chip, chipThreads, getSumRegisters() + kWalkRegisters,
               schedule);
  }
  /// Fewer, larger blocks where each would walk over few rows only.
  void mergeBlocks(int64_t chipThreads);
  void readTwice(RowStage stage);

  bool fits() const { return !findScheduleMisfit(problem, schedule, chip); }
  int64_t getBlockThreads() const { return schedule.rows * schedule.threads; }
  /// Whether `blocks` blocks leave each thread that many registers.
  bool hasRegisters(int64_t count, int64_t blocks = 1) const {
    return count <= GPUChip::getRegisters(getBlockThreads(), blocks);
  }
  /// Registers for a thread's share of the inputs of a row.
  int64_t getRowRegisters() const {
    int64_t bytes = schedule.vector * problem.inputBytes;
    return pieces *
           std::max<int64_t>(llvm::divideCeil(bytes, 4), problem.numInputs);
  }
  /// Registers for its share of the sums of columns.
  int64_t getSumRegisters() const { return pieces * schedule.vector; }
  bool hasAtMostRows(int64_t count) const {
    return problem.hasRows() && problem.rows <= count;
  }

  /// Registers of a thread for all but its rows and sums, where it walks.
  static constexpr int64_t kWalkRegisters = 40;

  const ScheduleProblem &problem;
  const GPUChip &chip;
  Schedule schedule;
  /// Vectors in a row, and in a thread's share of it.
  int64_t units = 0, pieces = 0;
};

} // namespace

Schedule Chooser::run() {
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

void Chooser::cut(int64_t wanted, bool moreIsBetter) {
  RowCut cut = RowCut::choose(units, wanted, moreIsBetter);
  schedule.threads = cut.threads;
  pieces = cut.pieces;
}

void Chooser::fillBlock(int64_t blockThreads) {
  int64_t least = llvm::divideCeil(GPUChip::kWarp, schedule.threads);
  schedule.rows = std::max<int64_t>(
      least, llvm::bit_floor(uint64_t(blockThreads / schedule.threads)));
  // The lowering tells rows and columns apart by how many there are.
  if (schedule.rows > least && schedule.rows == problem.columns)
    schedule.rows /= 2;
}

/// The second read finds the row in a cache, and is the last.
void Chooser::readTwice(RowStage stage) {
  schedule.stage = int64_t(stage);
  schedule.gamma = int64_t(GammaStage::Reload);
  schedule.first_read = int64_t(CachePolicy::EvictLast);
  schedule.second_read = int64_t(CachePolicy::EvictFirst);
}

void Chooser::mergeBlocks(int64_t chipThreads) {
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
bool Chooser::chooseCluster() {
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

/// What keeps memory busy while blocks wait for each other's sums. Beside sums of
/// rows not many fit, and they pay only where few pieces are under way anyway.
void Chooser::addExtraPieces() {
  schedule.extra = pieces - 1;
  if (problem.sumsRows)
    schedule.extra = schedule.cluster > 1 && pieces <= 4 ? 1 : 0;
  while (schedule.extra > 0 && !fits())
    --schedule.extra;
}

void Chooser::chooseLoop() {
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

void Chooser::chooseOneShot() {
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
void Chooser::chooseLongReload() {
  schedule.threads = units == 8192 ? 1024 : 512;
  readTwice(RowStage::Reload);
  schedule.blocks = units == 8192 ? 1 : 2;
  if (units == 8192)
    schedule.store = int64_t(CachePolicy::Streaming);
}

void Chooser::chooseOneShotStage() {
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

BackwardCase Chooser::getBackwardCase() const {
  static const BackwardCase cases[] = {
      {32, 2, 512, 512, 0, false},
      {64, 2, 256, 512, 2, false},
      {128, 1, 512, 1024, 2, false},
      {256, 1, 512, 1024, 2, false},
      {512, 1, 1024, 1024, 3, true},
      {1024, 1, 0, 1024, 3, true, Widening::Shift},
      {2047, 4, 0, 256, 2, true}};
  for (const BackwardCase &kind : cases)
    if (units <= kind.maxUnits)
      return kind;
  // As few threads as hold the sums in a quarter of their registers.
  int64_t pieces =
      std::min<int64_t>(llvm::divideCeil(units, 512), 32 / schedule.vector);
  return {units, pieces, 0, 512, 1, true};
}

void Chooser::chooseBackward() {
  constexpr int64_t kMaxSums = 32;
  BackwardCase kind = getBackwardCase();
  // What is made ready once has to pay over the rows of a block.
  if (hasAtMostRows(4096) && units <= 512) {
    kind.stages = std::min<int64_t>(kind.stages, 2);
    kind.keepsGamma = false;
  }
  cut(kind.pieces, /*moreIsBetter=*/false);
  fillBlock(kind.blockThreads);
  if (getSumRegisters() > kMaxSums ||
      !hasRegisters(getSumRegisters() + kWalkRegisters))
    return chooseLongRows();
  bool copies = schedule.vector * problem.narrowestBytes >= kMinCopyBytes;
  if (kind.stages > 0 && copies)
    chooseRing(kind);
  else
    chooseRegisters();
  fillChip(kind.chipThreads);
  mergeBlocks(kind.chipThreads);
}

void Chooser::chooseRing(const BackwardCase &kind) {
  schedule.stage = int64_t(RowStage::Shared);
  schedule.stages = kind.stages;
  if (problem.narrowest.isBF16())
    schedule.widen = int64_t(kind.widen);
  if (kind.keepsGamma && problem.gammaBytes != 0)
    schedule.gamma = int64_t(GammaStage::Shared);
  while (!fits() && schedule.stages > 1)
    --schedule.stages;
  if (!fits() && kind.keepsGamma)
    schedule.gamma = int64_t(GammaStage::Reload);
  if (kind.stages == 1)
    addExtraPieces();
  if (fits())
    return;
  schedule.stages = Schedule().stages;
  chooseRegisters();
}

void Chooser::chooseRegisters() {
  schedule.stage = int64_t(RowStage::Registers);
  schedule.gamma =
      int64_t(units > 512 ? GammaStage::Reload : GammaStage::Registers);
  int64_t sums = getSumRegisters() + kWalkRegisters;
  if (hasRegisters(sums + 2 * getRowRegisters()))
    schedule.prefetch = 1;
  else if (!hasRegisters(sums + getRowRegisters()))
    readTwice(RowStage::Reload);
}

/// Rows are read by one block for dx and by others for the weight gradient, so
/// that nobody waits for a sum of another block: what counts is how soon one
/// row is done.
bool Chooser::chooseFewRows() {
  constexpr int64_t kOther = 24;
  Schedule before = schedule;
  bool isOne = problem.rows <= 1, isVeryFew = problem.rows <= 16;
  cut(isVeryFew && !isOne ? 1 : 2, /*moreIsBetter=*/false);
  fillBlock(std::min<int64_t>(256, problem.rows * schedule.threads));
  schedule.strips = chooseFewRowStrips(problem, schedule);
  schedule.parts = 1;
  if (!isVeryFew)
    schedule.first_read = int64_t(CachePolicy::NoAllocate);
  if (fits() && hasRegisters(getRowRegisters() + kOther))
    return true;
  schedule = before;
  return false;
}

void Chooser::chooseWeightGradAlone() {
  constexpr int64_t kOther = 24, kBlockThreads = 512;
  if (units >= 128)
    return chooseStrips();
  cut(/*wanted=*/1, /*moreIsBetter=*/false);
  fillBlock(kBlockThreads);
  int64_t sums = getSumRegisters() + kOther;
  schedule.prefetch = hasRegisters(sums + 2 * getRowRegisters());
  int64_t chipThreads = getBlockThreads() <= kBlockThreads ? 1024 : 512;
  fillChip(chipThreads);
  mergeBlocks(chipThreads);
}

/// Strips as short as rows that do well, and as long as memory likes.
void Chooser::chooseStrips() {
  constexpr int64_t kBlockThreads = 512, kRegisters = 40;
  schedule.threads = units < 2048 ? 32 : 128;
  schedule.rows = kBlockThreads / schedule.threads;
  schedule.strips = llvm::divideCeil(units, schedule.threads);
  schedule.prefetch = 1;
  chooseGrid(problem, chip, units <= 256 ? 1536 : 1024, kRegisters, schedule);
}

Schedule rudnn::norm::chooseGPUSchedule(const ScheduleProblem &problem,
                                        const GPUChip &chip) {
  return Chooser(problem, chip).run();
}
