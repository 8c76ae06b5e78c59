//===- Alignment.cpp - What is known of where rows begin ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/RowProgram/Alignment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace rudnn;

static int64_t getKnownDivisor(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant;
  return rudnn::getKnownDivisor(cast<Value>(index));
}

/// What divides `expr` of `operands`, dimensions before symbols.
static int64_t getDivisorOfExpr(AffineExpr expr, unsigned numDims,
                                ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return rudnn::getKnownDivisor(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return rudnn::getKnownDivisor(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = getDivisorOfExpr(binary.getLHS(), numDims, operands);
  int64_t right = getDivisorOfExpr(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return left * right;
  default:
    return 1;
  }
}

static int64_t getDivisorOfMap(AffineMap map, ValueRange operands) {
  int64_t divisor = 0;
  for (AffineExpr expr : map.getResults())
    divisor =
        std::gcd(divisor, getDivisorOfExpr(expr, map.getNumDims(), operands));
  return divisor;
}

static int64_t getDivisorOfArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent);
      loop && argument == loop.getInductionVar())
    return std::gcd(rudnn::getKnownDivisor(loop.getLowerBound()),
                    rudnn::getKnownDivisor(loop.getStep()));
  if (auto loop = dyn_cast<scf::ForallOp>(parent)) {
    unsigned dim = argument.getArgNumber();
    if (dim < loop.getRank())
      return std::gcd(getKnownDivisor(loop.getMixedLowerBound()[dim]),
                      getKnownDivisor(loop.getMixedStep()[dim]));
  }
  return 1;
}

int64_t rudnn::getKnownDivisor(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant;
  if (auto argument = dyn_cast<BlockArgument>(index))
    return getDivisorOfArgument(argument);
  return TypeSwitch<Operation *, int64_t>(index.getDefiningOp())
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(
          [](auto op) {
            return std::gcd(getKnownDivisor(op.getLhs()),
                            getKnownDivisor(op.getRhs()));
          })
      .Case([](arith::MulIOp op) {
        return getKnownDivisor(op.getLhs()) * getKnownDivisor(op.getRhs());
      })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [](auto op) {
            return getDivisorOfMap(op.getAffineMap(), op.getOperands());
          })
      .Default([](Operation *) { return 1; });
}

int64_t rudnn::getDimDivisor(Value memref, unsigned axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(axis))
    return type.getDimSize(axis);
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getDroppedDims().any())
    return 1;
  return ::getKnownDivisor(view.getMixedSizes()[axis]);
}

/// The part of the alignment of a view that comes from where it starts and
/// how it steps through its source.
static int64_t getViewAlignment(memref::SubViewOp view, int64_t bytes,
                                int64_t limit, bool aligned) {
  int64_t align = getRowAlignment(view.getSource(), limit, aligned);
  // All offsets but the last are whole rows of the source.
  int64_t column = ::getKnownDivisor(view.getMixedOffsets().back());
  return std::gcd(align, column * bytes);
}

/// What divides where a buffer of `type` starts, if `base` divides its pointer
/// and `dynamic` what the type leaves open.
static int64_t getTypeAlignment(MemRefType type, int64_t bytes, int64_t base,
                                int64_t dynamic) {
  auto divide = [&](int64_t distance) {
    base = std::gcd(base, ShapedType::isDynamic(distance) ? dynamic
                                                          : distance * bytes);
  };
  auto [strides, offset] = type.getStridesAndOffset();
  llvm::for_each(ArrayRef(strides).drop_back(), divide);
  divide(offset);
  return base;
}

int64_t rudnn::getRowAlignment(Value memref, int64_t limit, bool aligned) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  Operation *def = memref.getDefiningOp();
  if (auto view = dyn_cast_or_null<memref::SubViewOp>(def))
    return getViewAlignment(view, bytes, limit, aligned);
  int64_t dynamic = aligned ? kWideAccess : bytes;
  int64_t base = dynamic;
  if (auto assume = dyn_cast_or_null<memref::AssumeAlignmentOp>(def))
    base = std::max<int64_t>(base, assume.getAlignment());
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(def))
    base = std::max<int64_t>(base, alloc.getAlignment().value_or(1));
  return getTypeAlignment(type, bytes, std::gcd(base, limit), dynamic);
}

/// Whether `divisor`, a power of two, divides all numbers, one or more.
static Value createIsMultiple(OpBuilder &b, Location loc, ValueRange numbers,
                              int64_t divisor) {
  Value bits = numbers.front();
  for (Value number : numbers.drop_front())
    bits = b.createOrFold<arith::OrIOp>(loc, bits, number);
  Value mask = arith::ConstantIndexOp::create(b, loc, divisor - 1);
  Value low = b.createOrFold<arith::AndIOp>(loc, bits, mask);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, low,
                                       zero);
}

Value rudnn::createIsAligned(OpBuilder &b, Location loc, Value memref,
                             int64_t bytes, bool checkStatic) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Value element = arith::ConstantIndexOp::create(
      b, loc, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  Value pointer =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  auto isChecked = [&](int64_t known) {
    return checkStatic || ShapedType::isDynamic(known);
  };
  auto toBytes = [&](Value distance) {
    return b.createOrFold<arith::MulIOp>(loc, distance, element);
  };
  if (isChecked(offset))
    pointer = b.createOrFold<arith::AddIOp>(loc, pointer,
                                            toBytes(metadata.getOffset()));
  SmallVector<Value> numbers{pointer};
  for (auto [stride, known] :
       llvm::zip(metadata.getStrides().drop_back(), strides))
    if (isChecked(known))
      numbers.push_back(toBytes(stride));
  return createIsMultiple(b, loc, numbers, bytes);
}
