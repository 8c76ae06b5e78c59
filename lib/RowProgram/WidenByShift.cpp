//===- WidenByShift.cpp - bf16 to f32 by moving bits ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/RowProgram/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMWIDENBYSHIFT
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
using norm::Widening;

namespace {

/// bf16 is the upper half of f32. Of two values in a word, each takes one
/// instruction so.
Value widenWords(ImplicitLocOpBuilder &b, Value narrow, VectorType wide) {
  auto bits = cast<VectorType>(wide.clone(b.getI32Type()));
  SmallVector<int64_t> shape(wide.getShape());
  shape.back() /= 2;
  auto wordsType = VectorType::get(shape, b.getI32Type());
  auto constant = [&](int32_t value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(wordsType, b.getI32IntegerAttr(value)));
  };
  Value words = vector::BitCastOp::create(b, wordsType, narrow);
  Value even = arith::ShLIOp::create(b, words, constant(16));
  Value odd = arith::AndIOp::create(b, words, constant(~0xffff));
  Value all = vector::InterleaveOp::create(b, bits, even, odd);
  return arith::BitcastOp::create(b, wide, all);
}

Value widenOne(ImplicitLocOpBuilder &b, Value narrow, Type wide) {
  auto toShape = [&](Type element) -> Type {
    auto vector = dyn_cast<VectorType>(wide);
    return vector ? Type(vector.clone(element)) : element;
  };
  Type bitsType = toShape(b.getI32Type());
  Value bits = arith::BitcastOp::create(b, toShape(b.getI16Type()), narrow);
  Value low = arith::ExtUIOp::create(b, bitsType, bits);
  TypedAttr distance = b.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(bitsType))
    distance = DenseElementsAttr::get(vector, Attribute(distance));
  Value high =
      arith::ShLIOp::create(b, low, arith::ConstantOp::create(b, distance));
  return arith::BitcastOp::create(b, wide, high);
}

Value widenByShift(RewriterBase &rewriter, arith::ExtFOp widening) {
  ImplicitLocOpBuilder b(widening.getLoc(), rewriter);
  auto vector = dyn_cast<VectorType>(widening.getType());
  if (vector && vector.getRank() > 0 && vector.getShape().back() % 2 == 0)
    return widenWords(b, widening.getIn(), vector);
  return widenOne(b, widening.getIn(), widening.getType());
}

/// The first barrier in the block of `op` after it.
Operation *getNextBarrier(Operation *op) {
  while ((op = op->getNextNode()))
    if (isa<gpu::BarrierOp, NVVM::ClusterWaitOp>(op))
      return op;
  return nullptr;
}

bool isAfter(OpOperand &use, Operation *barrier) {
  Operation *here = barrier->getBlock()->findAncestorOpInBlock(*use.getOwner());
  return here && barrier->isBeforeInBlock(here);
}

/// Moves bits before the barrier and converts after it, from the 16 bits that
/// stay: to the compiler the two are different, and it keeps neither.
void widenTwice(RewriterBase &b, arith::ExtFOp widening) {
  Operation *barrier = getNextBarrier(widening);
  bool early = false, late = false;
  for (OpOperand &use : widening->getUses())
    (barrier && isAfter(use, barrier) ? late : early) = true;
  if (!early || !late)
    return;
  b.setInsertionPoint(widening);
  Value shifted = widenByShift(b, widening);
  b.replaceUsesWithIf(widening.getOut(), shifted,
                      [&](OpOperand &use) { return !isAfter(use, barrier); });
  b.moveOpAfter(widening, barrier);
}

struct NormWidenByShift : rudnn::impl::NormWidenByShiftBase<NormWidenByShift> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    getOperation()->walk([&](gpu::LaunchOp launch) {
      auto schedule = launch->getAttrOfType<norm::ScheduleAttr>(
          norm::NormDialect::kScheduleAttrName);
      Widening kind =
          schedule ? schedule.getValue().getWidening() : Widening::Convert;
      if (kind == Widening::Convert)
        return;
      SmallVector<arith::ExtFOp> widenings;
      launch.walk([&](arith::ExtFOp op) {
        if (getElementTypeOrSelf(op.getIn().getType()).isBF16() &&
            getElementTypeOrSelf(op.getType()).isF32())
          widenings.push_back(op);
      });
      for (arith::ExtFOp widening : widenings) {
        if (kind == Widening::Mixed) {
          widenTwice(b, widening);
          continue;
        }
        b.setInsertionPoint(widening);
        b.replaceOp(widening, widenByShift(b, widening));
      }
    });
  }
};

} // namespace
