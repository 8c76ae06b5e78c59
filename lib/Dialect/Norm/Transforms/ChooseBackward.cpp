//===- ChooseBackward.cpp - Schedules with a weight gradient --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleChooser.h"

using namespace rudnn::norm;

BackwardCase ScheduleChooser::getBackwardCase() const {
  static const BackwardCase cases[] = {
      {32, 2, 512, 512, 0, false},
      {64, 2, 256, 512, 2, false, Widening::Shift},
      {128, 1, 512, 1024, 2, false, Widening::Shift},
      {256, 1, 512, 1024, 2, false},
      {512, 1, 1024, 1024, 3, true},
      {768, 1, 0, 1024, 2, true, Widening::Shift},
      {1024, 1, 0, 1024, 3, true, Widening::Shift},
      {1280, 5, 0, 256, 3, true, Widening::Shift},
      {1376, 4, 0, 256, 2, true, Widening::Shift},
      {1536, 3, 0, 512, 1, true, Widening::Shift},
      {2047, 4, 0, 256, 2, true, Widening::Shift}};
  for (const BackwardCase &kind : cases)
    if (units <= kind.maxUnits)
      return kind;
  // As few threads as hold the sums.
  int64_t pieces = llvm::divideCeil(units, 512);
  if (pieces * schedule.vector > kMaxSums)
    pieces = 32 / schedule.vector;
  return {units, pieces, 0, 512, 1, true, Widening::Shift};
}

void ScheduleChooser::chooseBackward() {
  BackwardCase kind = getBackwardCase();
  // What is made ready once has to pay over the rows of a block.
  if (hasAtMostRows(4096) && units <= 512) {
    kind.stages = units > 256 ? 0 : std::min<int64_t>(kind.stages, 2);
    kind.keepsGamma = false;
  }
  cut(std::min(kind.pieces, kMaxSums / schedule.vector),
      /*moreIsBetter=*/false);
  fillBlock(kind.blockThreads);
  // Measured at 8192 x 5120: two rows at a time take 1 % less (more rows: no).
  if (units > 512 && units <= 640 && hasAtMostRows(8192)) {
    schedule.threads = 256;
    schedule.rows = 2;
    pieces = llvm::divideCeil(units, schedule.threads);
  }
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
  dropIdleBlocks();
}

void ScheduleChooser::dropIdleBlocks() {
  constexpr int64_t kFewSteps = 32;
  if (!problem.hasRows() || problem.rows == 0 ||
      schedule.parts > chip.multiprocessors)
    return;
  int64_t groups = llvm::divideCeil(problem.rows, schedule.rows);
  int64_t steps = llvm::divideCeil(groups, schedule.parts);
  // Measured: 6 % less time with 8 and 16 steps, none with 62.
  if (steps <= kFewSteps)
    schedule.parts = llvm::divideCeil(groups, steps);
}

void ScheduleChooser::chooseRing(const BackwardCase &kind) {
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

void ScheduleChooser::chooseRegisters() {
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
bool ScheduleChooser::chooseFewRows() {
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

void ScheduleChooser::chooseWeightGradAlone() {
  constexpr int64_t kOther = 24, kBlockThreads = 512;
  if (units >= 128)
    return chooseStrips();
  cut(/*wanted=*/1, /*moreIsBetter=*/false);
  fillBlock(kBlockThreads);
  int64_t sums = getSumRegisters() + kOther;
  int64_t chipThreads = getBlockThreads() <= kBlockThreads ? 1024 : 512;
  schedule.prefetch =
      hasRegisters(sums + 2 * getRowRegisters(),
                   std::max<int64_t>(chipThreads / getBlockThreads(), 1));
  fillChip(chipThreads);
  mergeBlocks(chipThreads);
}

/// Strips as short as rows that do well, and as long as memory likes.
void ScheduleChooser::chooseStrips() {
  constexpr int64_t kBlockThreads = 512, kRegisters = 40;
  schedule.threads = units < 2048 ? 32 : 128;
  schedule.rows = kBlockThreads / schedule.threads;
  schedule.strips = llvm::divideCeil(units, schedule.threads);
  if (schedule.strips > findScheduleField("strips")->max)
    return chooseLoop();
  schedule.prefetch = 1;
  // Measured at 1024 columns of 16 bits: 0.7 % less time (docs/lab-book.md).
  if (units == 128)
    schedule.first_read = int64_t(CachePolicy::EvictFirst);
  chooseGrid(problem, chip, units <= 256 ? 1536 : 1024, kRegisters, schedule);
}
