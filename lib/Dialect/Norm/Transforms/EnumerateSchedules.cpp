//===- EnumerateSchedules.cpp - All schedules worth a try -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Schedules.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMENUMERATESCHEDULES
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

class Enumerator {
public:
  Enumerator(RowwiseOpInterface op, const GPUChip &chip)
      : op(op), problem(op), chip(chip), widest(getWidestVector(problem)),
        choice(chooseGPUSchedule(problem, chip)) {}

  std::vector<Schedule> run();

private:
  /// How a block is cut: every number of threads that leaves few of them idle,
  /// with every number of rows that makes a block of usual size.
  SmallVector<Schedule> getBlocks(int64_t vector) const;
  /// Where rows and gamma live, and what is under way.
  SmallVector<Schedule> getStages(const Schedule &block) const;
  void addClusters();
  /// The weight gradient by strips of columns.
  void addStrips();
  /// The choice with another value in one field.
  void addVariants();

  /// Adds a schedule if it is legal and new.
  void add(Schedule schedule);
  /// The same with a grid for its block.
  void addWithGrid(const Schedule &schedule) {
    add(withUsualGrid(problem, chip, schedule));
  }

  RowwiseOpInterface op;
  ScheduleProblem problem;
  const GPUChip &chip;
  int64_t widest;
  Schedule choice;
  std::vector<Schedule> found;
};

} // namespace

void Enumerator::add(Schedule schedule) {
  if (!findScheduleMisfit(problem, schedule, chip) &&
      !llvm::is_contained(found, schedule))
    found.push_back(schedule);
}

SmallVector<Schedule> Enumerator::getBlocks(int64_t vector) const {
  SmallVector<int64_t> counts;
  for (int64_t threads = 1; threads <= GPUChip::kThreadsPerBlock; threads *= 2)
    counts.push_back(threads);
  if (!llvm::is_contained(counts, choice.threads))
    counts.push_back(choice.threads);
  SmallVector<Schedule> blocks;
  for (int64_t threads : counts) {
    bool isIdle = problem.hasColumns() && threads > 1 &&
                  threads / 2 * vector >= problem.columns;
    // Long rows in a few threads would be all code.
    bool isLong =
        problem.hasColumns() && problem.columns > 16 * threads * vector;
    if ((isIdle && threads > GPUChip::kWarp) || isLong)
      continue;
    for (int64_t size : {32, 128, 256, 512}) {
      Schedule block;
      block.vector = vector;
      block.threads = threads;
      block.rows =
          std::max<int64_t>(1, llvm::bit_floor(uint64_t(size / threads)));
      if (!llvm::is_contained(blocks, block))
        blocks.push_back(block);
    }
  }
  return blocks;
}

SmallVector<Schedule> Enumerator::getStages(const Schedule &block) const {
  SmallVector<Schedule> all;
  auto addAll = [&](RowStage stage, int64_t Schedule::*depth,
                    ArrayRef<int64_t> depths) {
    // Steps have no gamma that lasts; without gamma all places are one.
    bool hasPlaces = stage != RowStage::Loop && problem.gammaBytes != 0;
    for (GammaStage gamma :
         {GammaStage::Registers, GammaStage::Reload, GammaStage::Shared})
      for (int64_t value : depths) {
        Schedule schedule = block;
        schedule.stage = int64_t(stage);
        schedule.gamma = int64_t(gamma);
        schedule.*depth = value;
        if (gamma == GammaStage::Registers || hasPlaces)
          all.push_back(schedule);
      }
  };
  addAll(RowStage::Registers, &Schedule::prefetch, {0, 1, 2});
  addAll(RowStage::Shared, &Schedule::stages, {1, 2, 3, 4});
  // Rings of one row may have room for some of the next.
  for (Schedule ring : SmallVector<Schedule>(all))
    for (int64_t extra : {1, 3})
      if (ring.getStage() == RowStage::Shared && ring.stages == 1) {
        ring.extra = extra;
        all.push_back(ring);
      }
  if (problem.writesRows)
    addAll(RowStage::Reload, &Schedule::prefetch, 0);
  // A step is not much longer than the row.
  for (int64_t unroll : {1, 2, 4})
    if (unroll == 1 || !problem.hasColumns() ||
        unroll / 2 * block.threads * block.vector < problem.columns)
      addAll(RowStage::Loop, &Schedule::unroll, unroll);
  return all;
}

/// Several blocks for a row, in as many threads as one would have.
void Enumerator::addClusters() {
  for (int64_t cluster : {2, 4, 8})
    for (RowStage stage :
         {RowStage::Registers, RowStage::Reload, RowStage::Shared}) {
      Schedule schedule = choice;
      schedule.cluster = cluster;
      schedule.threads =
          std::max(GPUChip::kWarp, choice.threads * choice.cluster / cluster);
      schedule.stage = int64_t(stage);
      schedule.rows = schedule.blocks = 1;
      schedule.prefetch = 0;
      addWithGrid(schedule);
    }
}

void Enumerator::addVariants() {
  auto vary = [&](int64_t Schedule::*field, ArrayRef<int64_t> values) {
    for (int64_t value : values) {
      Schedule schedule = choice;
      schedule.*field = value;
      add(schedule);
    }
  };
  auto policies = llvm::to_vector(
      llvm::seq<int64_t>(0, findScheduleField("store")->keywords.size()));
  vary(&Schedule::first_read, policies);
  if (choice.getStage() == RowStage::Reload ||
      choice.getStage() == RowStage::Loop)
    vary(&Schedule::second_read, policies);
  if (problem.writesRows)
    vary(&Schedule::store, policies);
  vary(&Schedule::blocks, {0, 1, 2, 3, 4, 6, 8});
  vary(&Schedule::widen, {0, 1, 2});
  vary(&Schedule::product, {0, 1});
  vary(&Schedule::launch,
       problem.sumsRows ? ArrayRef<int64_t>{0, 1, 2} : ArrayRef<int64_t>{0, 2});
  vary(&Schedule::extra, {0, 1, 2, 4, 6});
  addClusters();
  if (choice.getStage() == RowStage::Loop)
    vary(&Schedule::unroll, {1, 2, 4, 8});
  if (!problem.sumsRows)
    return;
  int64_t grid = chip.multiprocessors;
  vary(&Schedule::parts, {1, 8, 32, 128, grid, 2 * grid, 3 * grid, 4 * grid});
  vary(&Schedule::merge_columns, {8, 16, 32, 64, 128});
  addStrips();
}

/// Few and many strips; all rows at once, and in parts.
void Enumerator::addStrips() {
  for (int64_t threads : {int64_t(128), int64_t(256), choice.threads})
    for (int64_t strips = 1; strips <= 512; strips *= 2)
      for (int64_t prefetch : {0, 1}) {
        Schedule schedule;
        schedule.vector = widest;
        schedule.threads = threads;
        schedule.rows = std::max<int64_t>(
            1, problem.writesRows ? choice.rows : 512 / threads);
        schedule.strips = strips;
        schedule.prefetch = prefetch;
        schedule.parts = 1;
        add(schedule);
        addWithGrid(schedule);
      }
}

std::vector<Schedule> Enumerator::run() {
  add(choice);
  for (const NamedSchedule &plain : getPlainSchedules(op, chip))
    add(plain.schedule);
  for (const Schedule &block : getBlocks(widest))
    for (const Schedule &schedule : getStages(block))
      addWithGrid(schedule);
  // Narrower vectors are for rows that lie unevenly.
  for (int64_t vector = widest / 2; vector >= 1; vector /= 2)
    for (const Schedule &block : getBlocks(vector))
      addWithGrid(block);
  addVariants();
  return std::move(found);
}

std::vector<Schedule> rudnn::norm::enumerateSchedules(RowwiseOpInterface op,
                                                      const GPUChip &chip) {
  return Enumerator(op, chip).run();
}

namespace {
struct NormEnumerateSchedules
    : rudnn::norm::impl::NormEnumerateSchedulesBase<NormEnumerateSchedules> {
  using NormEnumerateSchedulesBase::NormEnumerateSchedulesBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto error = [&] { return emitError(UnknownLoc::get(context)); };
    if (!findGPUChip(chip))
      return emitUnknownGPUChip(chip, error);
    Schedule any;
    return overrideSchedule(set, any, error);
  }

  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    WalkResult found =
        getOperation()->walk([&](FunctionOpInterface function) -> WalkResult {
          size_t before = ops.size();
          function->walk([&](RowwiseOpInterface op) {
            if (!isInRowProgram(op))
              ops.push_back(op);
          });
          if (ops.size() <= before + 1)
            return WalkResult::advance();
          return rudnn::emitShortOpError(function)
                 << "expected at most one norm op, got " << ops.size() - before;
        });
    if (found.wasInterrupted())
      return signalPassFailure();
    for (RowwiseOpInterface op : ops)
      enumerate(op);
  }

private:
  /// The legal schedules with the fields of `set`, without repetitions.
  std::vector<Schedule> getSchedules(RowwiseOpInterface op) const {
    const GPUChip &gpu = *findGPUChip(chip);
    ScheduleProblem problem(op);
    std::vector<Schedule> kept;
    for (Schedule schedule : enumerateSchedules(op, gpu)) {
      auto error = [&] { return op->emitOpError(); };
      bool isSet = succeeded(overrideSchedule(set, schedule, error));
      if (isSet && !findScheduleMisfit(problem, schedule, gpu) &&
          !llvm::is_contained(kept, schedule))
        kept.push_back(schedule);
    }
    return kept;
  }

  void enumerate(RowwiseOpInterface op) {
    MLIRContext *context = &getContext();
    auto function = op->getParentOfType<FunctionOpInterface>();
    std::vector<Schedule> schedules = getSchedules(op);
    if (schedules.empty()) {
      op->emitOpError("no schedule has the fields ") << set;
      return signalPassFailure();
    }
    if (print) {
      for (const Schedule &schedule : schedules)
        llvm::outs() << ScheduleAttr::get(context, schedule) << "\n";
      return;
    }
    SymbolTable symbols(
        SymbolTable::getNearestSymbolTable(function->getParentOp()));
    op.setScheduleAttr(ScheduleAttr::get(context, schedules.front()));
    for (const Schedule &schedule : llvm::drop_begin(schedules)) {
      auto clone = cast<FunctionOpInterface>(function->clone());
      clone->walk([&](RowwiseOpInterface copy) {
        if (!isInRowProgram(copy))
          copy.setScheduleAttr(ScheduleAttr::get(context, schedule));
      });
      symbols.insert(clone);
    }
  }
};
} // namespace
