//===- RowTiles.cpp - Tiles of a fixed number of rows ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

ScheduleAttr rudnn::norm::takeSchedule(RowwiseOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  op.setScheduleAttr(nullptr);
  return schedule;
}

void rudnn::norm::makeRowProgram(scf::ForallOp loop, ScheduleAttr schedule) {
  loop->setDiscardableAttr(NormDialect::kScheduleAttrName, schedule);
  loop.setMappingAttr(
      ScheduleAttr::getTaskMapping(loop.getContext(), loop.getRank()));
}

SmallVector<OpFoldResult> rudnn::norm::getTileSizes(OpBuilder &b,
                                                    TilingInterface op,
                                                    ScheduleAttr schedule) {
  SmallVector<OpFoldResult> sizes(op.getLoopIteratorTypes().size(),
                                  b.getIndexAttr(1));
  sizes.back() = b.getIndexAttr(schedule.getValue().rows);
  return sizes;
}

Value rudnn::norm::padAtEnd(OpBuilder &b, Location loc, Value value,
                            ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == sizes)
    return value;
  SmallVector<OpFoldResult> low(sizes.size(), b.getIndexAttr(0)), high;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    AffineExpr left = size - b.getAffineSymbolExpr(0);
    high.push_back(affine::makeComposedFoldedAffineApply(
        b, loc, left, {tensor::getMixedSize(b, loc, value, axis)}));
  }
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(type.getElementType())));
  return tensor::PadOp::create(b, loc, type.clone(sizes), value, low, high,
                               zero);
}

Value rudnn::norm::takeFront(OpBuilder &b, Location loc, Value padded,
                             Value value) {
  if (padded.getType() == value.getType())
    return padded;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> zeros(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, loc, type, padded, zeros, tensor::getMixedSizes(b, loc, value), ones);
}

Value rudnn::norm::fillWithZeros(OpBuilder &b, Location loc, Value tensor) {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
  return linalg::FillOp::create(b, loc, zero, tensor).getResult(0);
}

Operation *rudnn::norm::storeSum(OpBuilder &b, Location loc, Value sum,
                                 Value destination) {
  unsigned rank = cast<ShapedType>(destination.getType()).getRank();
  AffineMap all = AffineMap::getMultiDimIdentityMap(rank, b.getContext());
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, destination.getType(), sum, destination,
      ArrayRef<AffineMap>{all.getMinorSubMap(1), all}, parallel,
      [](OpBuilder &nested, Location loc, ValueRange in) {
        Value value = in[0];
        if (in[1].getType() != value.getType())
          value = arith::TruncFOp::create(nested, loc, in[1].getType(), value);
        linalg::YieldOp::create(nested, loc, value);
      });
}

void rudnn::norm::padToTile(RewriterBase &b, RowwiseOpInterface op,
                            int64_t rows) {
  if (rows == 1)
    return;
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    OperandRole role = op.getOperandRole(operand.getOperandNumber());
    if (role != OperandRole::PerColumn) {
      SmallVector<int64_t> sizes(
          cast<RankedTensorType>(value.getType()).getShape());
      sizes[sizes.size() - (role == OperandRole::Rows ? 2 : 1)] = rows;
      value = padAtEnd(b, loc, value, sizes);
    }
    operands.push_back(value);
  }
  Operation *padded = cloneOnOperands(b, op, operands);
  SmallVector<Value> results;
  for (auto [result, init] : llvm::zip(
           padded->getResults(),
           cast<DestinationStyleOpInterface>(op.getOperation()).getDpsInits()))
    results.push_back(takeFront(b, loc, result, init));
  b.replaceOp(op, results);
}

void rudnn::norm::readInPlace(RowwiseOpInterface op, Operation *tile,
                              ScheduleAttr schedule) {
  const Schedule &value = schedule.getValue();
  if (!value.isGPU() || value.getStage() == RowStage::Loop)
    return;
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  auto isRows = [&](OpOperand &operand) {
    return op.getOperandRole(operand.getOperandNumber()) == OperandRole::Rows;
  };
  for (OpOperand &init : destination.getDpsInitsMutable())
    for (OpOperand *input : destination.getDpsInputOperands())
      if (input->get() == init.get() && isRows(*input) && isRows(init))
        tile->setOperand(input->getOperandNumber(),
                         tile->getOperand(init.getOperandNumber()));
}

FailureOr<SmallVector<Value>> rudnn::norm::loopOverRows(RewriterBase &b,
                                                        RowwiseOpInterface op,
                                                        ScheduleAttr schedule) {
  auto tileable = cast<TilingInterface>(op.getOperation());
  scf::SCFTilingOptions options;
  options.setTileSizes(getTileSizes(b, tileable, schedule));
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForOp);
  b.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(b, tileable, options);
  if (failed(tiled))
    return failure();
  readInPlace(op, tiled->tiledOps.front(), schedule);
  b.eraseOp(op);
  SmallVector<Value> results(tiled->replacements);
  OpBuilder::InsertionGuard guard(b);
  padToTile(b, cast<RowwiseOpInterface>(tiled->tiledOps.front()),
            schedule.getValue().rows);
  return results;
}
