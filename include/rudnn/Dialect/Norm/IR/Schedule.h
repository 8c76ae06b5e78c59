//===- Schedule.h - Every tunable of the lowering ---------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of a `#norm.schedule`: plain numbers, and one table that says what
// each is called, which values it has and how they are written. Parser,
// printer, verifier, hash and text overrides are loops over the table, so a new
// field is a member of Schedule and a line of getScheduleFields().
//
// What each field does stands in the description of the attribute.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_SCHEDULE_H
#define RUDNN_DIALECT_NORM_IR_SCHEDULE_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdint>

namespace rudnn::norm {

/// Where a row lives between its first use and its last (field `stage`).
enum class RowStage {
  Registers, ///< in registers of its threads
  Shared,    ///< in rings in shared memory, filled asynchronously
  Reload,    ///< in memory: read a second time, in pieces held by threads
  Loop       ///< in memory: walked in steps, so that no size bounds it
};

/// Where the values per column live while rows pass (field `gamma`).
enum class GammaStage { Registers, Reload, Shared };

/// How bf16 becomes f32 (field `widen`).
enum class Widening { Convert, Shift, Mixed };

/// When products of a row's values and what does not wait for its sum are
/// formed (field `product`).
enum class ProductTime { Late, Early };

/// How a kernel is launched behind another one (field `launch`).
enum class LaunchKind { Normal, Dependent, Chained };

/// How an access treats the caches (`first_read`, `second_read`, `store`).
enum class CachePolicy { Normal, EvictFirst, EvictLast, NoAllocate, Streaming };

/// The fields of a schedule with their defaults. All sizes are counts, but for
/// `nontemporal`, which is a number of bytes. A keyword is stored as its index
/// in the field's list, which is that of the enum above.
struct Schedule {
  int64_t vector = 16;
  int64_t unroll = 4;
  int64_t parts = 0;
  int64_t prefetch = 0;
  int64_t nontemporal = 0;
  int64_t threads = 0;
  int64_t rows = 1;
  int64_t stage = 0;
  int64_t stages = 2;
  int64_t extra = 0;
  int64_t gamma = 0;
  int64_t blocks = 0;
  int64_t first_read = 0;
  int64_t second_read = 0;
  int64_t store = 0;
  int64_t merge_columns = 32;
  int64_t strips = 0;
  int64_t cluster = 1;
  int64_t widen = 0;
  int64_t product = 0;
  int64_t launch = 0;

  bool isGPU() const { return threads > 0; }

  /// Columns in one step of the loop over a row.
  int64_t getChunk() const {
    return std::max<int64_t>(threads, 1) * vector * unroll;
  }

  RowStage getStage() const { return RowStage(stage); }
  GammaStage getGamma() const { return GammaStage(gamma); }
  Widening getWidening() const { return Widening(widen); }
  ProductTime getProduct() const { return ProductTime(product); }
  LaunchKind getLaunch() const { return LaunchKind(launch); }
  CachePolicy getFirstRead() const { return CachePolicy(first_read); }
  CachePolicy getSecondRead() const { return CachePolicy(second_read); }
  CachePolicy getStore() const { return CachePolicy(store); }

  bool operator==(const Schedule &other) const;
  bool operator!=(const Schedule &other) const { return !(*this == other); }
};

/// Whether so many threads may share a row: a power of two up to a warp, or
/// whole warps up to a block.
bool isThreadCount(int64_t threads);

/// One field of a schedule.
struct ScheduleField {
  /// Which values between `min` and `max` are allowed.
  enum class Rule {
    Any,
    PowerOfTwo,
    Threads ///< 0, or what isThreadCount allows
  };

  /// Which lowering reads the field.
  enum class Device { Any, CPU, GPU };

  llvm::StringLiteral name;
  int64_t Schedule::*member;
  int64_t min, max;
  Device device;
  Rule rule = Rule::Any;
  /// The names of the values 0, 1, ...; empty for a number.
  llvm::ArrayRef<llvm::StringLiteral> keywords = {};
  /// What a number counts, for messages; may be empty.
  llvm::StringLiteral unit = "";
  /// The capability of a GPU from which on the value may be another one than
  /// the default.
  int64_t firstCapability = 0;
};

/// All fields, in the order in which they are printed.
llvm::ArrayRef<ScheduleField> getScheduleFields();

/// The field called `name`, or null.
const ScheduleField *findScheduleField(llvm::StringRef name);

/// Writes the value that `field` has in `schedule`, a number or a keyword.
void printScheduleValue(llvm::raw_ostream &os, const ScheduleField &field,
                        const Schedule &schedule);

/// Writes `name = value, ...` of the fields that differ from their defaults.
void printScheduleFields(llvm::raw_ostream &os, const Schedule &schedule);

/// Checks that the value of `field` is one of its values; says what they are
/// and what came instead.
llvm::LogicalResult
verifyScheduleField(const ScheduleField &field, int64_t value,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Sets `field` from text: a number, or one of its keywords.
llvm::LogicalResult
parseScheduleValue(const ScheduleField &field, llvm::StringRef text,
                   Schedule &schedule,
                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Sets the fields that `text` names, as in "threads=128,rows=2", and leaves
/// the others. Empty text sets none.
llvm::LogicalResult
overrideSchedule(llvm::StringRef text, Schedule &schedule,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// An error that there is no field `name`, with the fields that there are.
mlir::InFlightDiagnostic emitUnknownScheduleField(
    llvm::StringRef name,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

llvm::hash_code hash_value(const Schedule &schedule);

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_IR_SCHEDULE_H
