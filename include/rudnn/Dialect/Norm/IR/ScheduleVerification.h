//===- ScheduleVerification.h - Which schedules an op has -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One set of rules for the verifier of the ops, for the pass that chooses
// schedules and for the list of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_SCHEDULEVERIFICATION_H
#define RUDNN_DIALECT_NORM_IR_SCHEDULEVERIFICATION_H

#include "rudnn/Dialect/Norm/IR/GPUChip.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "llvm/Support/MathExtras.h"

#include <optional>
#include <string>

namespace rudnn::norm {

/// What of an op its schedules depend on.
struct ScheduleProblem {
  explicit ScheduleProblem(RowwiseOpInterface op);

  /// N, and M over all leading axes; ShapedType::kDynamic if unknown.
  int64_t columns, rows;
  /// The narrowest element of an operand of rows, and its bytes.
  mlir::Type narrowest;
  int64_t narrowestBytes;
  /// How many inputs of rows there are, and the bytes of one column in all of
  /// them together.
  int64_t numInputs = 0, inputBytes = 0;
  /// Bytes of one element of gamma, 0 without it.
  int64_t gammaBytes = 0;
  /// Whether a result sums over rows: then a block walks over many of them.
  bool sumsRows;
  /// Whether a row is used again once its sums are known.
  bool writesRows = false;

  bool hasColumns() const { return !mlir::ShapedType::isDynamic(columns); }
  bool hasRows() const { return !mlir::ShapedType::isDynamic(rows); }

  /// Vectors that each thread has of a row of known length, the last of them
  /// perhaps past its end.
  int64_t getPieces(const Schedule &schedule) const {
    return llvm::divideCeil(columns, schedule.cluster * schedule.threads *
                                         schedule.vector);
  }
  /// Bytes of shared memory of a block, without what the sums over the threads
  /// of a row take (less than kSumBytes). N must be known unless stage = loop.
  int64_t getSharedBytes(const Schedule &schedule) const;
};

/// One of the programs that an op with `strips` becomes: what it computes and
/// its schedule, which has no strips.
struct StripsProgram {
  ScheduleProblem problem;
  Schedule schedule;
};

/// The weight gradient of one strip, whose columns are those of the problem, in
/// a block of as many threads as `schedule` gives rows.
StripsProgram getStripProgram(const ScheduleProblem &problem,
                              const Schedule &schedule);

/// The rows that are left: dx.
StripsProgram getRowProgram(const ScheduleProblem &problem,
                            const Schedule &schedule);

/// The pieces of a row that a thread may have where it holds or unrolls them.
inline constexpr int64_t kMaxPieces = 64;
/// The largest access of a thread in bytes, and the smallest that can be
/// copied to shared memory asynchronously.
inline constexpr int64_t kMaxAccessBytes = 16, kMinCopyBytes = 4;
/// Bytes of shared memory that are left for the sums over threads.
inline constexpr int64_t kSumBytes = 2048;
/// Rows ahead of the current ones that a thread may hold in registers.
inline constexpr int64_t kMaxRowsAhead = 4;

/// Why an op with `problem` cannot be lowered by `schedule`, whose fields are
/// in their ranges, for `chip`: what was expected and what came, with numbers.
/// None if it can.
std::optional<std::string>
findScheduleMisfit(const ScheduleProblem &problem, const Schedule &schedule,
                   const GPUChip &chip = getLargestGPUChip());

/// The same for an op, as a diagnostic.
llvm::LogicalResult
verifySchedule(RowwiseOpInterface op, const Schedule &schedule,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
               const GPUChip &chip = getLargestGPUChip());

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_IR_SCHEDULEVERIFICATION_H
