//===- TilingInterfaceImpl.cpp - Tiles of rows ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration domain of a norm op is its rows: one loop per leading axis.
// Columns are never cut here, a row's statistics need all of them; a consumer
// that asks for some columns gets them sliced out of whole rows.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rudnn::norm;

using Folded = ArrayRef<OpFoldResult>;

static int64_t getNumRowAxes(RowwiseOpInterface op) {
  return cast<ShapedType>(op.getRows().getType()).getRank() - 1;
}

static OpFoldResult getDim(OpBuilder &b, Location loc, Value value,
                           int64_t dim) {
  if (isa<TensorType>(value.getType()))
    return tensor::getMixedSize(b, loc, value, dim);
  return memref::getMixedSize(b, loc, value, dim);
}

static SmallVector<Range> getRowDomain(OpBuilder &b, RowwiseOpInterface op) {
  SmallVector<Range> domain;
  for (int64_t axis = 0; axis < getNumRowAxes(op); ++axis)
    domain.push_back({b.getIndexAttr(0),
                      getDim(b, op.getLoc(), op.getRows(), axis),
                      b.getIndexAttr(1)});
  return domain;
}

static SmallVector<utils::IteratorType> getRowIterators(RowwiseOpInterface op) {
  return SmallVector<utils::IteratorType>(
      getNumRowAxes(op), op.reducesRows() ? utils::IteratorType::reduction
                                          : utils::IteratorType::parallel);
}

/// The place of a row tile in an operand of `role`. Columns are counted by
/// the rows for every operand, so that the tiles of a destination are seen to
/// be the same slice.
static void getOperandTile(OpBuilder &b, RowwiseOpInterface op,
                           OperandRole role, Folded offsets, Folded sizes,
                           SmallVectorImpl<OpFoldResult> &tileOffsets,
                           SmallVectorImpl<OpFoldResult> &tileSizes) {
  tileOffsets.clear();
  tileSizes.clear();
  if (role != OperandRole::PerColumn) {
    llvm::append_range(tileOffsets, offsets);
    llvm::append_range(tileSizes, sizes);
  }
  if (role == OperandRole::PerRow)
    return;
  tileOffsets.push_back(b.getIndexAttr(0));
  tileSizes.push_back(getDim(b, op.getLoc(), op.getRows(), getNumRowAxes(op)));
}

static Operation *sliceOperand(OpBuilder &b, Location loc, Value operand,
                               Folded offsets, Folded sizes,
                               Folded rowStrides) {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  for (size_t axis = 0; axis < rowStrides.size(); ++axis)
    strides[axis] = rowStrides[axis];
  if (isa<TensorType>(operand.getType()))
    return tensor::ExtractSliceOp::create(b, loc, operand, offsets, sizes,
                                          strides);
  return memref::SubViewOp::create(b, loc, operand, offsets, sizes, strides);
}

Operation *rudnn::norm::cloneOnOperands(OpBuilder &b, RowwiseOpInterface op,
                                        ArrayRef<Value> operands) {
  auto dst = cast<DestinationStyleOpInterface>(op.getOperation());
  ArrayRef<Value> inits = operands.take_back(dst.getNumDpsInits());
  SmallVector<Type> types;
  for (Value init : inits.take_front(op->getNumResults()))
    types.push_back(init.getType());
  return mlir::clone(b, op, types, operands);
}

FailureOr<TilingResult> rudnn::norm::tileRows(OpBuilder &b,
                                              RowwiseOpInterface op,
                                              Folded offsets, Folded sizes,
                                              Folded strides) {
  if (!op.isTileable())
    return op->emitOpError("a weight gradient over tiles of rows needs the "
                           "'accumulate' form");
  Location loc = op.getLoc();
  auto dst = cast<DestinationStyleOpInterface>(op.getOperation());
  SmallVector<Value> operands;
  SmallVector<Operation *> slices;
  for (OpOperand &operand : op->getOpOperands()) {
    OperandRole role = op.getOperandRole(operand.getOperandNumber());
    Value value = operand.get();
    // A destination of columns is sliced whole, to match what the loop
    // inserts.
    if (role != OperandRole::PerColumn || dst.isDpsInit(&operand)) {
      SmallVector<OpFoldResult> tileOffsets, tileSizes;
      getOperandTile(b, op, role, offsets, sizes, tileOffsets, tileSizes);
      slices.push_back(
          sliceOperand(b, loc, value, tileOffsets, tileSizes,
                       role == OperandRole::PerColumn ? Folded() : strides));
      value = slices.back()->getResult(0);
    }
    operands.push_back(value);
  }
  Operation *tiled = cloneOnOperands(b, op, operands);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

static LogicalResult getResultTile(OpBuilder &b, RowwiseOpInterface op,
                                   unsigned resultNumber, Folded offsets,
                                   Folded sizes,
                                   SmallVectorImpl<OpFoldResult> &tileOffsets,
                                   SmallVectorImpl<OpFoldResult> &tileSizes) {
  OpOperand *init = cast<DestinationStyleOpInterface>(op.getOperation())
                        .getDpsInitOperand(resultNumber);
  getOperandTile(b, op, op.getOperandRole(init->getOperandNumber()), offsets,
                 sizes, tileOffsets, tileSizes);
  return success();
}

/// The rows that a tile of an operand of `role` lies in. A tile of columns
/// alone says nothing about rows.
static LogicalResult getRowsOfTile(RowwiseOpInterface op, OperandRole role,
                                   Folded offsets, Folded sizes,
                                   SmallVectorImpl<OpFoldResult> &rowOffsets,
                                   SmallVectorImpl<OpFoldResult> &rowSizes) {
  if (role == OperandRole::PerColumn)
    return failure();
  int64_t axes = getNumRowAxes(op);
  rowOffsets.assign(offsets.begin(), offsets.begin() + axes);
  rowSizes.assign(sizes.begin(), sizes.begin() + axes);
  return success();
}

static OperandRole getResultRole(RowwiseOpInterface op, unsigned resultNumber) {
  OpOperand *init = cast<DestinationStyleOpInterface>(op.getOperation())
                        .getDpsInitOperand(resultNumber);
  return op.getOperandRole(init->getOperandNumber());
}

static bool isWholeRow(RowwiseOpInterface op, OpFoldResult offset,
                       OpFoldResult size) {
  int64_t columns = cast<ShapedType>(op.getRows().getType()).getShape().back();
  return isZeroInteger(offset) && !ShapedType::isDynamic(columns) &&
         isConstantIntValue(size, columns);
}

/// The tile of a result that a consumer asks for, computed from whole rows.
static FailureOr<TilingResult> tileForResult(OpBuilder &b,
                                             RowwiseOpInterface op,
                                             unsigned resultNumber,
                                             Folded offsets, Folded sizes) {
  OperandRole role = getResultRole(op, resultNumber);
  SmallVector<OpFoldResult> rowOffsets, rowSizes;
  if (failed(getRowsOfTile(op, role, offsets, sizes, rowOffsets, rowSizes)))
    return failure();
  FailureOr<TilingResult> tiled = tileRows(b, op, rowOffsets, rowSizes);
  if (failed(tiled))
    return failure();
  Value result = tiled->tiledValues[resultNumber];
  if (role == OperandRole::Rows &&
      !isWholeRow(op, offsets.back(), sizes.back())) {
    SmallVector<OpFoldResult> columnOffsets(offsets.size(), b.getIndexAttr(0));
    columnOffsets.back() = offsets.back();
    result = sliceOperand(b, op.getLoc(), result, columnOffsets, sizes, {})
                 ->getResult(0);
  }
  return TilingResult{tiled->tiledOps, {result}, tiled->generatedSlices};
}

/// The rows that use given tiles of operands, if these agree and are of whole
/// rows: a consumer of some columns can't be computed from them.
static LogicalResult
getRowsOfOperandTiles(RowwiseOpInterface op, ArrayRef<unsigned> operandNumbers,
                      ArrayRef<SmallVector<OpFoldResult>> offsets,
                      ArrayRef<SmallVector<OpFoldResult>> sizes,
                      SmallVectorImpl<OpFoldResult> &rowOffsets,
                      SmallVectorImpl<OpFoldResult> &rowSizes) {
  SmallVector<OpFoldResult> first, firstSizes;
  for (auto [i, number] : llvm::enumerate(operandNumbers)) {
    OperandRole role = op.getOperandRole(number);
    if (failed(getRowsOfTile(op, role, offsets[i], sizes[i], rowOffsets,
                             rowSizes)))
      return failure();
    if (role == OperandRole::Rows &&
        !isWholeRow(op, offsets[i].back(), sizes[i].back()))
      return failure();
    if (i > 0 && (first != rowOffsets || firstSizes != rowSizes))
      return failure();
    first.assign(rowOffsets.begin(), rowOffsets.end());
    firstSizes.assign(rowSizes.begin(), rowSizes.end());
  }
  return success();
}

static FailureOr<TilingResult>
tileForOperands(OpBuilder &b, RowwiseOpInterface op,
                ArrayRef<unsigned> operandNumbers,
                ArrayRef<SmallVector<OpFoldResult>> offsets,
                ArrayRef<SmallVector<OpFoldResult>> sizes) {
  SmallVector<OpFoldResult> rowOffsets, rowSizes;
  if (failed(getRowsOfOperandTiles(op, operandNumbers, offsets, sizes,
                                   rowOffsets, rowSizes)))
    return failure();
  return tileRows(b, op, rowOffsets, rowSizes);
}

//===----------------------------------------------------------------------===//
// The interface's methods, the same for every op
//===----------------------------------------------------------------------===//

#define RUDNN_ROWWISE_TILING(OpTy)                                             \
  SmallVector<utils::IteratorType> OpTy::getLoopIteratorTypes() {              \
    return getRowIterators(*this);                                             \
  }                                                                            \
  SmallVector<Range> OpTy::getIterationDomain(OpBuilder &b) {                  \
    return getRowDomain(b, *this);                                             \
  }                                                                            \
  FailureOr<TilingResult> OpTy::getTiledImplementation(                        \
      OpBuilder &b, Folded offsets, Folded sizes) {                            \
    return tileRows(b, *this, offsets, sizes);                                 \
  }                                                                            \
  LogicalResult OpTy::getResultTilePosition(                                   \
      OpBuilder &b, unsigned resultNumber, Folded offsets, Folded sizes,       \
      SmallVector<OpFoldResult> &tileOffsets,                                  \
      SmallVector<OpFoldResult> &tileSizes) {                                  \
    return getResultTile(b, *this, resultNumber, offsets, sizes, tileOffsets,  \
                         tileSizes);                                           \
  }                                                                            \
  FailureOr<TilingResult> OpTy::generateResultTileValue(                       \
      OpBuilder &b, unsigned resultNumber, Folded offsets, Folded sizes) {     \
    return tileForResult(b, *this, resultNumber, offsets, sizes);              \
  }                                                                            \
  LogicalResult OpTy::getIterationDomainTileFromResultTile(                    \
      OpBuilder &, unsigned resultNumber, Folded offsets, Folded sizes,        \
      SmallVectorImpl<OpFoldResult> &rowOffsets,                               \
      SmallVectorImpl<OpFoldResult> &rowSizes) {                               \
    return getRowsOfTile(*this, getResultRole(*this, resultNumber), offsets,   \
                         sizes, rowOffsets, rowSizes);                         \
  }                                                                            \
  LogicalResult OpTy::getIterationDomainTileFromOperandTiles(                  \
      OpBuilder &, ArrayRef<unsigned> operandNumbers,                          \
      ArrayRef<SmallVector<OpFoldResult>> offsets,                             \
      ArrayRef<SmallVector<OpFoldResult>> sizes,                               \
      SmallVectorImpl<OpFoldResult> &rowOffsets,                               \
      SmallVectorImpl<OpFoldResult> &rowSizes) {                               \
    return getRowsOfOperandTiles(*this, operandNumbers, offsets, sizes,        \
                                 rowOffsets, rowSizes);                        \
  }                                                                            \
  FailureOr<TilingResult> OpTy::getTiledImplementationFromOperandTiles(        \
      OpBuilder &b, ArrayRef<unsigned> operandNumbers,                         \
      ArrayRef<SmallVector<OpFoldResult>> offsets,                             \
      ArrayRef<SmallVector<OpFoldResult>> sizes) {                             \
    return tileForOperands(b, *this, operandNumbers, offsets, sizes);          \
  }

RUDNN_ROWWISE_TILING(RMSNormOp)
RUDNN_ROWWISE_TILING(RMSNormBackwardOp)
