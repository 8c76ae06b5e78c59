//===- PadTiles.cpp - Neighbours of norms on whole tiles ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PadTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rudnn;

namespace {
/// Makes one op, whose result is padded at its end, an op on padded operands.
class ProducerPadder {
public:
  ProducerPadder(RewriterBase &b, tensor::PadOp pad, linalg::GenericOp op)
      : b(b), pad(pad), op(op), loc(op.getLoc()) {}

  /// The pads that stand for it, none if it can't be done.
  SmallVector<tensor::PadOp> run();

private:
  bool canRun();
  /// The loops' extents with those of the padded result.
  SmallVector<int64_t> getExtents();
  Value padOperand(OpOperand &operand, ArrayRef<int64_t> extents);
  /// What `padded` makes of the padding of its operands is padding again.
  void yieldPadding(linalg::GenericOp padded);
  void replaceUses(Value padded);

  RewriterBase &b;
  tensor::PadOp pad;
  linalg::GenericOp op;
  Location loc;
  Attribute padWith;
  SmallVector<OpFoldResult> sizes;
  SmallVector<tensor::PadOp> made;
};
} // namespace

bool ProducerPadder::canRun() {
  Value padding = pad.getConstantPaddingValue();
  return padding && matchPattern(padding, m_Constant(&padWith)) &&
         op->getBlock() == pad->getBlock() && op.getNumDpsInits() == 1 &&
         pad.hasZeroLowPad() && pad.getResultType().hasStaticShape() &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         !ShapedType::isDynamicShape(getExtents());
}

SmallVector<int64_t> ProducerPadder::getExtents() {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  AffineMap map = op.getIndexingMapsArray().back();
  for (auto [axis, extent] : llvm::enumerate(pad.getResultType().getShape()))
    extents[map.getDimPosition(axis)] = extent;
  return extents;
}

Value ProducerPadder::padOperand(OpOperand &operand,
                                 ArrayRef<int64_t> extents) {
  Value value = operand.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  SmallVector<int64_t> shape =
      op.getMatchingIndexingMap(&operand).compose(extents);
  if (type.getShape() == ArrayRef(shape))
    return value;
  SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0)), high;
  for (auto [axis, extent] : llvm::enumerate(shape))
    high.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, extent - b.getAffineSymbolExpr(0),
        {tensor::getMixedSize(b, loc, value, axis)}));
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  made.push_back(
      tensor::PadOp::create(b, loc, type.clone(shape), value, low, high, zero));
  return made.back();
}

void ProducerPadder::yieldPadding(linalg::GenericOp padded) {
  SmallVector<Value> ends =
      getValueOrCreateConstantIndexOp(b, loc, ArrayRef(sizes));
  Value padding = arith::ConstantOp::create(b, loc, cast<TypedAttr>(padWith));
  OpBuilder::InsertionGuard guard(b);
  Operation *yield = padded.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  AffineMap map = padded.getIndexingMapsArray().back();
  for (auto [axis, end] : llvm::enumerate(ends)) {
    if (pad.getSourceType().getDimSize(axis) ==
        pad.getResultType().getDimSize(axis))
      continue;
    Value index = linalg::IndexOp::create(b, loc, map.getDimPosition(axis));
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, end);
    yield->setOperand(0, arith::SelectOp::create(
                             b, loc, inside, yield->getOperand(0), padding));
  }
}

void ProducerPadder::replaceUses(Value padded) {
  b.replaceOp(pad, padded);
  if (!op->use_empty()) {
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value front = tensor::ExtractSliceOp::create(b, loc, type, padded, zeros,
                                                 sizes, ones);
    b.replaceAllUsesWith(op.getResult(0), front);
  }
  b.eraseOp(op);
}

SmallVector<tensor::PadOp> ProducerPadder::run() {
  if (!canRun())
    return {};
  b.setInsertionPoint(op);
  sizes = tensor::getMixedSizes(b, loc, op.getDpsInits().front());
  SmallVector<int64_t> extents = getExtents();
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(padOperand(operand, extents));
  auto padded = cast<linalg::GenericOp>(
      mlir::clone(b, op, pad.getResultType(), operands));
  yieldPadding(padded);
  replaceUses(padded.getResult(0));
  return made;
}

void rudnn::padProducers(RewriterBase &b, scf::ForallOp program) {
  SmallVector<tensor::PadOp> pads;
  program.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
  while (!pads.empty()) {
    tensor::PadOp pad = pads.pop_back_val();
    if (auto op = pad.getSource().getDefiningOp<linalg::GenericOp>())
      pads.append(ProducerPadder(b, pad, op).run());
  }
}
