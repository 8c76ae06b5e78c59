//===- ReplaySchedule.h - Schedules from a tuning cache ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_REPLAYSCHEDULE_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_REPLAYSCHEDULE_H

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"
#include "rudnn/Tuning/TuningCache.h"
#include "rudnn/Tuning/TuningKey.h"

namespace rudnn::norm {

/// Finds what was measured for the ops of a module.
class ScheduleReplay {
public:
  /// Reads the cache; warns at `loc` if that is not possible, and then finds
  /// nothing. `rows` is M where the module does not say, or 0 for any. `chip`
  /// is that of a GPU, null for a CPU.
  ScheduleReplay(llvm::StringRef path, tuning::Machine machine, int64_t rows,
                 const GPUChip *chip, mlir::Location loc);

  /// The schedule recorded for `op` if that has it, and a remark that it was;
  /// else none, and a remark or warning why not.
  std::optional<Schedule> find(RowwiseOpInterface op) const;

private:
  std::string path;
  tuning::Machine machine;
  int64_t rows;
  const GPUChip *chip;
  std::optional<tuning::TuningCache> cache;
};

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_REPLAYSCHEDULE_H
