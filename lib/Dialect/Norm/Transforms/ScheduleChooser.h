//===- ScheduleChooser.h - A good schedule for a GPU ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_SCHEDULECHOOSER_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_SCHEDULECHOOSER_H

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace rudnn::norm {

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

/// Chooses one schedule, field by field.
class ScheduleChooser {
public:
  ScheduleChooser(const ScheduleProblem &problem, const GPUChip &chip)
      : problem(problem), chip(chip) {
    schedule.vector = getWidestVector(problem);
    if (problem.hasColumns())
      units = problem.columns / schedule.vector;
  }

  Schedule run();
  /// For rows of known length that begin anywhere.
  Schedule runUnaligned();

private:
  /// The fields that follow from the others.
  Schedule finish();
  LaunchKind chooseLaunch() const;
  /// Forward, or dx alone: rows for themselves.
  void chooseOneShot();
  void chooseForward(bool readsTwice);
  void chooseDx(bool readsTwice);
  void chooseReload();
  void fillOneShotBlock(int64_t onePieceThreads);
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
  /// Where there is one block on each multiprocessor and each walks over few
  /// rows, only so many blocks as end together.
  void dropIdleBlocks();
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
  /// Of the inputs and gamma in one vector.
  int64_t getPieceBytes() const {
    return schedule.vector * (problem.inputBytes + problem.gammaBytes);
  }
  /// Whether half of the registers that `threads` threads of a multiprocessor
  /// have hold gamma for `count` pieces each.
  bool keepsGamma(int64_t count, int64_t threads) const {
    int64_t bytes = count * schedule.vector * problem.gammaBytes;
    return bytes <= 2 * GPUChip::getRegisters(threads, /*blocks=*/1);
  }
  /// Registers for its share of the sums of columns.
  int64_t getSumRegisters() const { return pieces * schedule.vector; }
  bool hasAtMostRows(int64_t count) const {
    return problem.hasRows() && problem.rows <= count;
  }

  /// The most sums of columns in registers, beside which few threads have
  /// enough others.
  static constexpr int64_t kMaxSums = 40;
  /// Registers of a thread for all but its rows and sums, where it walks.
  static constexpr int64_t kWalkRegisters = 40;
  /// And where it does not.
  static constexpr int64_t kOneShotRegisters = 24;

  const ScheduleProblem &problem;
  const GPUChip &chip;
  Schedule schedule;
  /// Vectors in a row, and in a thread's share of it.
  int64_t units = 0, pieces = 0;
};

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_SCHEDULECHOOSER_H
