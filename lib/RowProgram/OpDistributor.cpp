//===- OpDistributor.cpp - Ops on rows as ops on pieces of them -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDistributor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn;

SmallVector<Value> OpDistributor::scalars(unsigned first, size_t count) {
  return llvm::map_to_vector(
      operands.slice(first, count),
      [](const Pieces &pieces) -> Value { return pieces.front(); });
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

Value OpDistributor::combine(vector::CombiningKind kind, Value x, Value y) {
  return vector::makeArithReduction(
      *b, loc, kind, x, y,
      arith::FastMathFlagsAttr::get(b->getContext(),
                                    arith::FastMathFlags::contract));
}

Value OpDistributor::combineTree(vector::CombiningKind kind, Pieces pieces) {
  while (pieces.size() > 1) {
    Pieces half;
    for (size_t i = 0; i + 1 < pieces.size(); i += 2)
      half.push_back(combine(kind, pieces[i], pieces[i + 1]));
    if (pieces.size() % 2)
      half.push_back(pieces.back());
    pieces = std::move(half);
  }
  return pieces.front();
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
  Value piece = arith::ConstantOp::create(*b, loc, value);
  return SmallVector<Pieces>{
      Pieces(layout.getNumPieces(constant.getType()), piece)};
}

FailureOr<SmallVector<Pieces>> OpDistributor::poison(ub::PoisonOp poison) {
  Value piece =
      ub::PoisonOp::create(*b, loc, layout.getPieceType(poison.getType()));
  return SmallVector<Pieces>{
      Pieces(layout.getNumPieces(poison.getType()), piece)};
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
    Operation *piece = b->create(state);
    allowContraction(piece);
    for (auto [i, result] : llvm::enumerate(piece->getResults()))
      results[i].push_back(result);
  }
  return results;
}

OpDistributor::Result OpDistributor::dispatch() {
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
        return other(o);
      });
}

OpDistributor::Result OpDistributor::other(Operation *o) {
  return o->emitOpError("can't be cut into pieces of a row");
}

OpDistributor::Result OpDistributor::distribute(OpBuilder &builder,
                                                Operation *operation,
                                                ArrayRef<Pieces> pieces) {
  b = &builder;
  op = operation;
  loc = op->getLoc();
  operands = pieces;
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (auto vector = dyn_cast<VectorType>(type);
        vector && failed(checkType(vector)))
      return failure();
  return dispatch();
}

Operation *OpDistributor::cloneAllocation(OpBuilder &builder,
                                          memref::AllocOp alloc) {
  return builder.clone(*alloc);
}
