//===- OverlapLaunches.cpp - Launches that begin early --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/OverlapLaunches.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/GPU/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMOVERLAPLAUNCHES
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

bool rudnn::waitsForPrevious(gpu::GPUFuncOp kernel) {
  // Outlining puts constants first.
  Block &entry = kernel.front();
  auto first = llvm::find_if_not(
      entry, [](Operation &op) { return isMemoryEffectFree(&op); });
  auto control = first == entry.end()
                     ? NVVM::GriddepcontrolOp()
                     : dyn_cast<NVVM::GriddepcontrolOp>(*first);
  return control && control.getKind() == NVVM::GridDepActionKind::wait;
}

static norm::LaunchKind getKind(gpu::LaunchOp launch) {
  auto schedule = launch->getAttrOfType<norm::ScheduleAttr>(
      norm::NormDialect::kScheduleAttrName);
  return schedule ? schedule.getValue().getLaunch() : norm::LaunchKind::Normal;
}

/// The launch directly before `launch`; null if the host may do something
/// between them that depends on the order.
static gpu::LaunchOp getPrevious(gpu::LaunchOp launch) {
  Operation *op = launch->getPrevNode();
  while (op && !isa<gpu::LaunchOp>(op) && isMemoryEffectFree(op))
    op = op->getPrevNode();
  return dyn_cast_or_null<gpu::LaunchOp>(op);
}

/// Adds `action` to what `launch` begins with. A wait comes first.
static void beginWith(gpu::LaunchOp launch, NVVM::GridDepActionKind action) {
  OpBuilder b = OpBuilder::atBlockBegin(&launch.getBody().front());
  while (auto control =
             dyn_cast<NVVM::GriddepcontrolOp>(*b.getInsertionPoint())) {
    if (control.getKind() == action)
      return;
    if (action == NVVM::GridDepActionKind::wait)
      break;
    b.setInsertionPointAfter(control);
  }
  NVVM::GriddepcontrolOp::create(b, launch.getLoc(), action);
}

namespace {
struct NormOverlapLaunches
    : rudnn::impl::NormOverlapLaunchesBase<NormOverlapLaunches> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) {
      if (getKind(launch) == norm::LaunchKind::Chained) {
        beginWith(launch, NVVM::GridDepActionKind::wait);
        beginWith(launch, NVVM::GridDepActionKind::launch_dependents);
        return;
      }
      gpu::LaunchOp previous = getPrevious(launch);
      if (!previous || getKind(launch) != norm::LaunchKind::Dependent ||
          getKind(previous) != norm::LaunchKind::Dependent)
        return;
      beginWith(previous, NVVM::GridDepActionKind::launch_dependents);
      beginWith(launch, NVVM::GridDepActionKind::wait);
    });
  }
};
} // namespace
