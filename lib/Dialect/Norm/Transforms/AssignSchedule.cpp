//===- AssignSchedule.cpp - A schedule for each norm op -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

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
  /// Enough vectors per step to hide the latency of an add, but no more than
  /// a row has.
  int64_t chooseUnroll(int64_t vector, int64_t columns) const {
    if (unroll != 0)
      return unroll;
    int64_t chosen = 4;
    while (!ShapedType::isDynamic(columns) && chosen > 1 &&
           vector * chosen > columns)
      chosen /= 2;
    return chosen;
  }

  ScheduleAttr choose(RowwiseOpInterface op) const {
    auto type = cast<ShapedType>(op.getRows().getType());
    int64_t vector = vectorBits / 32;
    return ScheduleAttr::getChecked(
        [&] { return op->emitOpError("schedule from options: "); },
        op->getContext(), vector, chooseUnroll(vector, type.getShape().back()),
        parts >= 0 ? int64_t(parts) : 0, prefetch >= 0 ? int64_t(prefetch) : 0,
        nontemporal >= 0 ? int64_t(nontemporal) : 0);
  }
};

} // namespace
