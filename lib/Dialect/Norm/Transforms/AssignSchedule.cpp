//===- AssignSchedule.cpp - A schedule for each norm op -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMASSIGNSCHEDULE
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

struct NormAssignSchedule
    : rudnn::norm::impl::NormAssignScheduleBase<NormAssignSchedule> {
  using NormAssignScheduleBase::NormAssignScheduleBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (vectorBits == 128 || vectorBits == 256 || vectorBits == 512)
      return success();
    return emitError(UnknownLoc::get(context))
           << "expected vector-bits to be 128, 256 or 512, got "
           << int64_t(vectorBits);
  }

  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk([&](RowwiseOpInterface op) -> WalkResult {
          if (op.getScheduleAttr() || isInRowProgram(op))
            return WalkResult::advance();
          ScheduleAttr schedule = choose(op);
          if (!schedule)
            return WalkResult::interrupt();
          op.setScheduleAttr(schedule);
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Steps that cut a row without rest, of up to eight vectors: what a step
  /// costs besides is spread over more. Any row has a step of one vector.
  int64_t chooseUnroll(int64_t vector, int64_t columns) const {
    if (unroll != 0)
      return unroll;
    if (ShapedType::isDynamic(columns))
      return 4;
    for (int64_t chosen = 8; chosen > 1; chosen /= 2)
      if (columns % (vector * chosen) == 0)
        return chosen;
    return columns >= 4 * vector ? 4 : 1;
  }

  /// Fewer sums than the run-time rule gives where the rows are known: each
  /// is written and read once more.
  int64_t chooseParts(ShapedType rows) const {
    if (parts >= 0)
      return parts;
    int64_t count = 1;
    for (int64_t size : rows.getShape().drop_back()) {
      if (ShapedType::isDynamic(size))
        return 0;
      count *= size;
    }
    return std::clamp<int64_t>(llvm::divideCeil(count, 32), 1, 64);
  }

  /// The hardware reads ahead along short rows and f32 rows as fast as they
  /// are computed; on long rows of 16 bits, which take longer per byte, it
  /// pauses while a row is written.
  int64_t choosePrefetch(ShapedType rows) const {
    if (prefetch >= 0)
      return prefetch;
    int64_t columns = rows.getShape().back();
    bool isLong = !ShapedType::isDynamic(columns) && columns >= 4096;
    return isLong && rows.getElementTypeBitWidth() <= 16 ? 1 : 0;
  }

  ScheduleAttr choose(RowwiseOpInterface op) const {
    auto rows = cast<ShapedType>(op.getRows().getType());
    Schedule schedule;
    schedule.vector = vectorBits / 32;
    schedule.unroll = chooseUnroll(schedule.vector, rows.getShape().back());
    schedule.parts = chooseParts(rows);
    schedule.prefetch = choosePrefetch(rows);
    schedule.nontemporal = nontemporal >= 0 ? int64_t(nontemporal) : 0;
    return ScheduleAttr::getChecked(
        [&] { return op->emitOpError("schedule from options: "); },
        op->getContext(), schedule);
  }
};

} // namespace
