//===- KeepNarrow.cpp - Widen anew in each iteration ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "MoveWords.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMKEEPNARROW
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

static bool asksForIt(gpu::GPUFuncOp kernel) {
  auto schedule = kernel->getAttrOfType<norm::ScheduleAttr>(
      norm::NormDialect::kScheduleAttrName);
  return schedule && schedule.getValue().getWidening() == norm::Widening::Mixed;
}

static void keepNarrow(arith::ExtFOp widening) {
  auto loop = widening->getParentOfType<scf::ForOp>();
  Value narrow = widening.getIn();
  if (!loop || !loop.isDefinedOutsideOfLoop(narrow) ||
      !hasWholeWords(narrow.getType()))
    return;
  ImplicitLocOpBuilder b(widening.getLoc(), widening);
  widening.getInMutable().assign(moveWords(b, narrow));
}

namespace {
struct NormKeepNarrow : rudnn::impl::NormKeepNarrowBase<NormKeepNarrow> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (asksForIt(kernel))
        kernel.walk(keepNarrow);
  }
};
} // namespace
