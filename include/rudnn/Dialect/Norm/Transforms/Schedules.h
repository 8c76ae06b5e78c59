//===- Schedules.h - Schedules to choose from -------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_TRANSFORMS_SCHEDULES_H
#define RUDNN_DIALECT_NORM_TRANSFORMS_SCHEDULES_H

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include <optional>
#include <string>
#include <vector>

namespace rudnn::tuning {
struct Machine;
} // namespace rudnn::tuning

namespace rudnn::norm {

/// The schedule that an op with `problem` has on `chip` unless something better
/// is known. It is legal, whatever the shape.
Schedule chooseGPUSchedule(const ScheduleProblem &problem, const GPUChip &chip);

/// A schedule for the same op where its buffers are not aligned: one element to
/// an access, and little code. Rows must be of known length.
Schedule chooseUnalignedSchedule(const ScheduleProblem &problem,
                                 const GPUChip &chip);

/// The schedule that was measured for `op` on `machine` and comes with RuDNN
/// (`rudnn/Tuning/Database.h`), if there is one. `rows` is M where the module
/// does not say, or 0.
std::optional<Schedule> findShippedSchedule(RowwiseOpInterface op,
                                            const tuning::Machine &machine,
                                            int64_t rows, const GPUChip &chip);

/// A schedule and what people call it.
struct NamedSchedule {
  std::string name; ///< empty: nothing
  Schedule schedule;
};

/// Legal launches that know little more than the size of a warp, the floor for
/// what is tuned. Their names are those of ruDNN's first tuner: a forward has
/// `original_launch`, `scalar_plane` and `vector_plane` (a warp for a row),
/// `scalar_128` and so on; a backward has `threads_plane`, `threads_128` and
/// `threads_256` for dx, `parts_1`, `parts_8` and so on for weight gradients.
std::vector<NamedSchedule> getPlainSchedules(RowwiseOpInterface op,
                                             const GPUChip &chip);

/// The schedules that are worth a try for `op` on `chip`, all legal and no two
/// the same, the chosen one first: the plain ones, every cut of a row into
/// threads and rows into blocks with every place for rows and gamma, narrower
/// vectors, and the chosen one with other cache policies and grids.
std::vector<Schedule> enumerateSchedules(RowwiseOpInterface op,
                                         const GPUChip &chip);

/// What schedules for a CPU depend on.
struct CPUMachine {
  /// Width of a machine vector: 128, 256 or 512.
  int64_t vectorBits;
  /// Size of the last cache; 0 for one that nothing is stored past.
  int64_t cacheBytes = 0;
};

/// The schedule that `op` has on a CPU unless something better is known.
Schedule chooseCPUSchedule(RowwiseOpInterface op, const CPUMachine &cpu);

/// The schedules that are worth a try for `op` on a CPU, all legal and no two
/// the same, the chosen one first: every combination of a few values of each
/// field.
std::vector<Schedule> enumerateCPUSchedules(RowwiseOpInterface op,
                                            const CPUMachine &cpu);

/// Fields that are given, for instance as options.
class GivenFields {
public:
  /// None.
  GivenFields();

  bool has(int64_t Schedule::*field) const;
  /// `schedule` with these fields.
  Schedule over(Schedule schedule) const;

  /// The values; kNotGiven for a field that is not given.
  Schedule values;
  static constexpr int64_t kNotGiven = -1;
};

/// `schedule` with how it cuts rows only, and every other field as by default.
Schedule takeRowCut(const Schedule &schedule);

/// The chosen schedule with the fields that are given, if `op` has it on
/// `chip`. Else the schedule worth a try that with them is the nearest to it:
/// what was chosen gives way to what is given. None if no such schedule is
/// legal.
std::optional<Schedule> settleGPUSchedule(RowwiseOpInterface op,
                                          const GPUChip &chip,
                                          const GivenFields &given,
                                          const Schedule &chosen);

/// Gives a legal schedule of a weight gradient a grid of blocks that stays on
/// the chip: blocks for about `chipThreads` threads on each multiprocessor, but
/// no more than leave each `registers` registers, as many partial sums, and no
/// more than there are rows for.
void chooseGrid(const ScheduleProblem &problem, const GPUChip &chip,
                int64_t chipThreads, int64_t registers, Schedule &schedule);

/// A schedule with a grid for its block, if it sums over rows and is legal: one
/// of blocks of usual size. Without a number of blocks.
Schedule withUsualGrid(const ScheduleProblem &problem, const GPUChip &chip,
                       Schedule schedule);

/// Strips for a weight gradient of known, few rows in the blocks of `schedule`:
/// short, so that a block sees all rows of its strip in two steps or few more.
int64_t chooseFewRowStrips(const ScheduleProblem &problem,
                           const Schedule &schedule);

/// How many blocks of a legal schedule threads and shared memory let be on a
/// multiprocessor together; at least 1.
int64_t getResidentBlocks(const ScheduleProblem &problem,
                          const Schedule &schedule, const GPUChip &chip);

/// The widest vector, of at most 16 bytes of the narrowest element of a row,
/// that cuts rows of known length without rest; 1 for others.
int64_t getWidestVector(const ScheduleProblem &problem);

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_TRANSFORMS_SCHEDULES_H
