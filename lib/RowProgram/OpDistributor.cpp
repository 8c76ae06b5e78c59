//===- OpDistributor.cpp - Ops on rows as ops on machine vectors ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDistributor.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn;

SmallVector<Value> OpDistributor::scalars(unsigned first, size_t count) {
  return llvm::map_to_vector(
      operands.slice(first, count),
      [](const Pieces &pieces) -> Value { return pieces.front(); });
}

SmallVector<Value> OpDistributor::pieceIndices(ValueRange indices, int64_t k) {
  SmallVector<Value> moved(indices);
  if (k == 0)
    return moved;
  Value offset = arith::ConstantIndexOp::create(b, loc, k * layout.lanes);
  moved.back() = b.createOrFold<arith::AddIOp>(loc, moved.back(), offset);
  return moved;
}

Value OpDistributor::maskInside(Value base, ArrayRef<Value> indices) {
  int64_t last = cast<MemRefType>(base.getType()).getRank() - 1;
  Value end = b.createOrFold<memref::DimOp>(loc, base, last);
  Value left = b.createOrFold<arith::SubIOp>(loc, end, indices.back());
  return vector::CreateMaskOp::create(
      b, loc, VectorType::get({layout.lanes}, b.getI1Type()), left);
}

/// Rows of one column may have any stride.
static bool isSingleColumn(MemRefType type) {
  return type.getShape().back() == 1;
}

/// Rows are contiguous, or one value stands for all columns (stride 0).
FailureOr<int64_t> OpDistributor::getColumnStride(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t stride = strides.back();
  if (stride == 1 || stride == 0 || isSingleColumn(type))
    return stride;
  return op->emitOpError("expected rows with a last stride of 1 or 0, got ")
         << type;
}

FailureOr<SmallVector<Pieces>>
OpDistributor::read(vector::TransferReadOp read) {
  auto base = dyn_cast<TypedValue<MemRefType>>(read.getBase());
  if (!base || read.getMask() || !read.getPermutationMap().isMinorIdentity())
    return op->emitOpError("is no plain read of a row");
  SmallVector<Value> indices = scalars(1, read.getIndices().size());
  Value memref = operand(0);
  VectorType type = read.getVectorType();
  if (PieceLayout::isPerRow(type))
    return SmallVector<Pieces>{
        {memref::LoadOp::create(b, loc, memref, indices).getResult()}};
  FailureOr<int64_t> stride = getColumnStride(base.getType());
  if (failed(stride))
    return failure();
  auto pieceType = cast<VectorType>(layout.getPieceType(type));
  Pieces pieces;
  for (int64_t k = 0; k < layout.getNumPieces(type); ++k) {
    SmallVector<Value> at = pieceIndices(indices, k);
    if (isSingleColumn(base.getType())) {
      Value element = memref::LoadOp::create(b, loc, memref, at);
      Value padding = spread(operand(1 + indices.size()), pieceType);
      pieces.push_back(vector::InsertOp::create(b, loc, element, padding, 0));
    } else if (*stride == 0) {
      pieces.push_back(
          spread(memref::LoadOp::create(b, loc, memref, at), pieceType));
    } else if (read.getInBoundsValues().back()) {
      pieces.push_back(vector::LoadOp::create(b, loc, pieceType, memref, at));
    } else {
      Value padding = spread(operand(1 + indices.size()), pieceType);
      pieces.push_back(vector::MaskedLoadOp::create(
          b, loc, pieceType, memref, at, maskInside(memref, at), padding));
    }
  }
  return SmallVector<Pieces>{pieces};
}

FailureOr<SmallVector<Pieces>>
OpDistributor::write(vector::TransferWriteOp write) {
  auto base = dyn_cast<TypedValue<MemRefType>>(write.getBase());
  if (!base || write.getMask() || !write.getPermutationMap().isMinorIdentity())
    return op->emitOpError("is no plain write of a row");
  SmallVector<Value> indices = scalars(2, write.getIndices().size());
  Value memref = operand(1);
  VectorType type = write.getVectorType();
  if (PieceLayout::isPerRow(type)) {
    memref::StoreOp::create(b, loc, operand(0), memref, indices);
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
          b, loc, vector::ExtractOp::create(b, loc, piece, 0), memref, at);
    else if (write.getInBoundsValues().back())
      vector::StoreOp::create(b, loc, piece, memref, at);
    else
      vector::MaskedStoreOp::create(b, loc, memref, at, maskInside(memref, at),
                                    piece);
  }
  return SmallVector<Pieces>{};
}

/// Adds neighbours pairwise, so that no chain is longer than need be.
static Value combineTree(OpBuilder &b, Location loc, vector::CombiningKind kind,
                         Pieces pieces) {
  while (pieces.size() > 1) {
    Pieces half;
    for (size_t i = 0; i + 1 < pieces.size(); i += 2)
      half.push_back(vector::makeArithReduction(
          b, loc, kind, pieces[i], pieces[i + 1],
          arith::FastMathFlagsAttr::get(b.getContext(),
                                        arith::FastMathFlags::contract)));
    if (pieces.size() % 2)
      half.push_back(pieces.back());
    pieces = std::move(half);
  }
  return pieces.front();
}

FailureOr<SmallVector<Pieces>>
OpDistributor::reduce(vector::MultiDimReductionOp reduction) {
  VectorType source = reduction.getSourceVectorType();
  vector::CombiningKind kind = reduction.getKind();
  if (!layout.isRow(source) && !PieceLayout::isPerRow(source))
    return op->emitOpError("reduces what is no row");
  bool alongRow =
      layout.isRow(source) && reduction.isReducedDim(source.getRank() - 1);
  if (!alongRow) {
    Pieces sums;
    for (auto [value, acc] : llvm::zip_equal(operands[0], operands[1]))
      sums.push_back(combineTree(b, loc, kind, {acc, value}));
    return SmallVector<Pieces>{sums};
  }
  Value sum = combineTree(b, loc, kind, operands[0]);
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  Value lanes =
      vector::ReductionOp::create(b, loc, kind, sum, operand(1), flags);
  return SmallVector<Pieces>{{lanes}};
}

FailureOr<SmallVector<Pieces>>
OpDistributor::constant(arith::ConstantOp constant) {
  auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!splat)
    return op->emitOpError("is a row of different constants");
  Type type = layout.getPieceType(constant.getType());
  TypedAttr value = splat.getSplatValue<TypedAttr>();
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, splat.getSplatValue<Attribute>());
  Value piece = arith::ConstantOp::create(b, loc, value);
  return SmallVector<Pieces>{
      Pieces(layout.getNumPieces(constant.getType()), piece)};
}

FailureOr<SmallVector<Pieces>> OpDistributor::poison(ub::PoisonOp poison) {
  Value piece =
      ub::PoisonOp::create(b, loc, layout.getPieceType(poison.getType()));
  return SmallVector<Pieces>{
      Pieces(layout.getNumPieces(poison.getType()), piece)};
}

FailureOr<SmallVector<Pieces>> OpDistributor::step(vector::StepOp step) {
  Pieces pieces;
  auto type = cast<VectorType>(layout.getPieceType(step.getType()));
  Value lanes = vector::StepOp::create(b, loc, type);
  for (int64_t k = 0; k < layout.getNumPieces(step.getType()); ++k) {
    Value offset = arith::ConstantIndexOp::create(b, loc, k * layout.lanes);
    pieces.push_back(
        k == 0 ? lanes
               : arith::AddIOp::create(b, loc, lanes, spread(offset, type)));
  }
  return SmallVector<Pieces>{pieces};
}

/// Broadcasts, shape casts and moves between unit axes: pieces stay pieces, a
/// value per row is spread over them.
FailureOr<SmallVector<Pieces>> OpDistributor::reshape() {
  Type type = op->getResult(0).getType();
  int64_t count = layout.getNumPieces(type);
  Type pieceType = layout.getPieceType(type);
  const Pieces &source = operands.front();
  if (int64_t(source.size()) == count && source.front().getType() == pieceType)
    return SmallVector<Pieces>{source};
  if (source.size() != 1 || isa<VectorType>(source.front().getType()))
    return op->emitOpError("moves columns");
  return SmallVector<Pieces>{Pieces(count, spread(source.front(), pieceType))};
}

/// The vectorizer drops `contract` from the sums it builds, and with it the
/// fused multiply-add.
static void allowContraction(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!fast || !fast.getFastMathFlagsAttr())
    return;
  arith::FastMathFlags flags = fast.getFastMathFlagsAttr().getValue();
  op->setAttr(fast.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::contract));
}

FailureOr<SmallVector<Pieces>> OpDistributor::elementwise() {
  int64_t count = 1;
  for (Type type : op->getResultTypes())
    count = std::max(count, layout.getNumPieces(type));
  SmallVector<Pieces> results(op->getNumResults());
  for (int64_t k = 0; k < count; ++k) {
    OperationState state(loc, op->getName());
    for (const Pieces &pieces : operands)
      state.operands.push_back(pieces.size() == 1 ? pieces[0] : pieces[k]);
    for (Type type : op->getResultTypes())
      state.types.push_back(layout.getPieceType(type));
    state.attributes = llvm::to_vector(op->getDiscardableAttrs());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Operation *piece = b.create(state);
    allowContraction(piece);
    for (auto [i, result] : llvm::enumerate(piece->getResults()))
      results[i].push_back(result);
  }
  return results;
}

FailureOr<SmallVector<Pieces>> OpDistributor::run() {
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](vector::TransferReadOp o) { return read(o); })
      .Case([&](vector::TransferWriteOp o) { return write(o); })
      .Case([&](vector::MultiDimReductionOp o) { return reduce(o); })
      .Case([&](arith::ConstantOp o) { return constant(o); })
      .Case([&](ub::PoisonOp o) { return poison(o); })
      .Case([&](vector::StepOp o) { return step(o); })
      .Case<vector::BroadcastOp, vector::ShapeCastOp, vector::TransposeOp,
            vector::ExtractOp>([&](Operation *) { return reshape(); })
      .Default([&](Operation *o) -> Result {
        if (OpTrait::hasElementwiseMappableTraits(o))
          return elementwise();
        return o->emitOpError("can't be spread over machine vectors");
      });
}
