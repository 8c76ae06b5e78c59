//===- VectorDistributor.cpp - Rows as machine vectors --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorDistributor.h"

using namespace mlir;
using namespace rudnn;

LogicalResult VectorDistributor::checkType(VectorType type) {
  bool isWhole = isRow(type) &&
                 type.getShape().back() == type.getNumElements() &&
                 type.getNumElements() % layout.lanes == 0;
  if (isWhole || isPerRow(type))
    return success();
  return op->emitOpError("expected a row of whole vectors of ")
         << layout.lanes << " elements, got " << type;
}

SmallVector<Value> VectorDistributor::pieceIndices(ValueRange indices,
                                                   int64_t k) {
  SmallVector<Value> moved(indices);
  if (k == 0)
    return moved;
  Value offset = constantIndex(k * layout.lanes);
  moved.back() = b->createOrFold<arith::AddIOp>(loc, moved.back(), offset);
  return moved;
}

Value VectorDistributor::maskInside(Value base, ArrayRef<Value> indices) {
  int64_t last = cast<MemRefType>(base.getType()).getRank() - 1;
  Value end = b->createOrFold<memref::DimOp>(loc, base, last);
  Value left = b->createOrFold<arith::SubIOp>(loc, end, indices.back());
  return vector::CreateMaskOp::create(
      *b, loc, VectorType::get({layout.lanes}, b->getI1Type()), left);
}

OpDistributor::Result VectorDistributor::read(vector::TransferReadOp read) {
  auto base = dyn_cast<TypedValue<MemRefType>>(read.getBase());
  if (!base || read.getMask() || !read.getPermutationMap().isMinorIdentity())
    return op->emitOpError("is no plain read of a row");
  SmallVector<Value> indices = scalars(1, read.getIndices().size());
  Value memref = operand(0);
  VectorType type = read.getVectorType();
  if (isPerRow(type))
    return SmallVector<Pieces>{
        {memref::LoadOp::create(*b, loc, memref, indices).getResult()}};
  FailureOr<int64_t> stride = getColumnStride(base.getType());
  if (failed(stride))
    return failure();
  auto pieceType = cast<VectorType>(layout.getPieceType(type));
  Pieces pieces;
  for (int64_t k = 0; k < layout.getNumPieces(type); ++k) {
    SmallVector<Value> at = pieceIndices(indices, k);
    if (isSingleColumn(base.getType())) {
      Value element = memref::LoadOp::create(*b, loc, memref, at);
      Value padding = spread(operand(1 + indices.size()), pieceType);
      pieces.push_back(vector::InsertOp::create(*b, loc, element, padding, 0));
    } else if (*stride == 0) {
      pieces.push_back(
          spread(memref::LoadOp::create(*b, loc, memref, at), pieceType));
    } else if (read.getInBoundsValues().back()) {
      pieces.push_back(vector::LoadOp::create(*b, loc, pieceType, memref, at));
    } else {
      Value padding = spread(operand(1 + indices.size()), pieceType);
      pieces.push_back(vector::MaskedLoadOp::create(
          *b, loc, pieceType, memref, at, maskInside(memref, at), padding));
    }
  }
  return SmallVector<Pieces>{pieces};
}

OpDistributor::Result VectorDistributor::write(vector::TransferWriteOp write) {
  auto base = dyn_cast<TypedValue<MemRefType>>(write.getBase());
  if (!base || write.getMask() || !write.getPermutationMap().isMinorIdentity())
    return op->emitOpError("is no plain write of a row");
  SmallVector<Value> indices = scalars(2, write.getIndices().size());
  Value memref = operand(1);
  VectorType type = write.getVectorType();
  if (isPerRow(type)) {
    memref::StoreOp::create(*b, loc, operand(0), memref, indices);
    return SmallVector<Pieces>{};
  }
  FailureOr<int64_t> stride = getColumnStride(base.getType());
  if (failed(stride))
    return failure();
  if (*stride == 0 && !isSingleColumn(base.getType()))
    return op->emitOpError("writes a row whose columns are one element");
  for (auto [k, piece] : llvm::enumerate(operands[0])) {
    SmallVector<Value> at = pieceIndices(indices, k);
    if (isSingleColumn(base.getType()))
      memref::StoreOp::create(
          *b, loc, vector::ExtractOp::create(*b, loc, piece, 0), memref, at);
    else if (write.getInBoundsValues().back())
      vector::StoreOp::create(*b, loc, piece, memref, at);
    else
      vector::MaskedStoreOp::create(*b, loc, memref, at, maskInside(memref, at),
                                    piece);
  }
  return SmallVector<Pieces>{};
}

OpDistributor::Result
VectorDistributor::reduce(vector::MultiDimReductionOp reduction) {
  VectorType source = reduction.getSourceVectorType();
  vector::CombiningKind kind = reduction.getKind();
  if (!isRow(source) && !isPerRow(source))
    return op->emitOpError("reduces what is no row");
  bool alongRow = isRow(source) && reduction.isReducedDim(source.getRank() - 1);
  if (!alongRow) {
    Pieces sums;
    for (auto [value, acc] : llvm::zip_equal(operands[0], operands[1]))
      sums.push_back(combineTree(kind, {acc, value}));
    return SmallVector<Pieces>{sums};
  }
  Value sum = combineTree(kind, operands[0]);
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  Value lanes =
      vector::ReductionOp::create(*b, loc, kind, sum, operand(1), flags);
  return SmallVector<Pieces>{{lanes}};
}

OpDistributor::Result VectorDistributor::step(vector::StepOp step) {
  if (isPerRow(step.getType()))
    return SmallVector<Pieces>{{constantIndex(0)}};
  Pieces pieces;
  auto type = cast<VectorType>(layout.getPieceType(step.getType()));
  Value lanes = vector::StepOp::create(*b, loc, type);
  for (int64_t k = 0; k < layout.getNumPieces(step.getType()); ++k) {
    Value offset = constantIndex(k * layout.lanes);
    pieces.push_back(
        k == 0 ? lanes
               : arith::AddIOp::create(*b, loc, lanes, spread(offset, type)));
  }
  return SmallVector<Pieces>{pieces};
}
