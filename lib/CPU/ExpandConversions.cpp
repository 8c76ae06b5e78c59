//===- ExpandConversions.cpp - 16-bit floats by integer arithmetic --------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMEXPANDCONVERSIONS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

/// Integer arithmetic on the bits of floats, on scalars and vectors alike.
class Bits {
public:
  Bits(OpBuilder &b, Location loc, Type like) : b(b), loc(loc), like(like) {}

  Type of(Type element) const {
    auto vector = dyn_cast<VectorType>(like);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type i16() const { return of(b.getI16Type()); }
  Type i32() const { return of(b.getI32Type()); }
  Type f32() const { return of(b.getF32Type()); }

  Value constant(uint32_t value) {
    TypedAttr attr = b.getIntegerAttr(b.getI32Type(), int32_t(value));
    if (auto vector = dyn_cast<VectorType>(i32()))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value cast(Value value, Type type) {
    return arith::BitcastOp::create(b, loc, type, value);
  }
  template <typename OpTy> Value apply(Value x, Value y) {
    return OpTy::create(b, loc, x, y);
  }
  Value add(Value x, Value y) { return apply<arith::AddIOp>(x, y); }
  Value sub(Value x, uint32_t y) {
    return apply<arith::SubIOp>(x, constant(y));
  }
  Value bitAnd(Value x, uint32_t y) {
    return apply<arith::AndIOp>(x, constant(y));
  }
  Value bitOr(Value x, Value y) { return apply<arith::OrIOp>(x, y); }
  Value shiftLeft(Value x, uint32_t n) {
    return apply<arith::ShLIOp>(x, constant(n));
  }
  Value shiftRight(Value x, uint32_t n) {
    return apply<arith::ShRUIOp>(x, constant(n));
  }
  /// x > y, unsigned.
  Value above(Value x, uint32_t y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, x,
                                 constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value widen(Value x) { return arith::ExtUIOp::create(b, loc, i32(), x); }
  Value narrow(Value x) { return arith::TruncIOp::create(b, loc, i16(), x); }
  Value floatOp(Value x, uint32_t bits, bool multiply) {
    Value y = cast(constant(bits), f32());
    Value z = multiply ? arith::MulFOp::create(b, loc, x, y).getResult()
                       : arith::AddFOp::create(b, loc, x, y).getResult();
    return cast(z, i32());
  }
  /// `x` rounded to nearest even at bit `n`: what is below may be cut off.
  Value roundAt(Value x, uint32_t n) {
    Value odd = bitAnd(shiftRight(x, n), 1);
    return add(add(x, constant((1u << (n - 1)) - 1)), odd);
  }

private:
  OpBuilder &b;
  Location loc;
  Type like;
};

constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000,
                   kMagnitude = 0x7fffffff;

/// A bf16 is the upper half of an f32.
Value truncateToBF16(Bits &bits, Value value) {
  Value x = bits.cast(value, bits.i32());
  Value isNaN = bits.above(bits.bitAnd(x, kMagnitude), kInfinity);
  Value quiet = bits.bitOr(x, bits.constant(0x00400000));
  return bits.narrow(
      bits.shiftRight(bits.select(isNaN, quiet, bits.roundAt(x, 16)), 16));
}

Value extendBF16(Bits &bits, Value value) {
  Value x = bits.widen(bits.cast(value, bits.i16()));
  return bits.cast(bits.shiftLeft(x, 16), bits.f32());
}

/// f16 has 5 bits of exponent (bias 15) and 10 of mantissa. Results that are
/// denormal there are rounded by adding 0.5, whose last place is theirs.
Value truncateToF16(Bits &bits, Value value) {
  constexpr uint32_t rebias = (127 - 15) << 23, half = 0x3f000000;
  constexpr uint32_t lastDenormal = 0x387fffff, lastFinite = 0x477fffff;
  Value x = bits.cast(value, bits.i32());
  Value magnitude = bits.bitAnd(x, kMagnitude);
  Value normal =
      bits.shiftRight(bits.sub(bits.roundAt(magnitude, 13), rebias), 13);
  Value denormal = bits.sub(
      bits.floatOp(bits.cast(magnitude, bits.f32()), half, /*multiply=*/false),
      half);
  Value finite =
      bits.select(bits.above(magnitude, lastDenormal), normal, denormal);
  Value special = bits.select(bits.above(magnitude, kInfinity),
                              bits.constant(0x7e00), bits.constant(0x7c00));
  Value result =
      bits.select(bits.above(magnitude, lastFinite), special, finite);
  return bits.narrow(
      bits.bitOr(result, bits.shiftRight(bits.bitAnd(x, kSign), 16)));
}

/// The multiplication by 2^112 moves the exponent from f16's bias to f32's and
/// makes denormals normal.
Value extendF16(Bits &bits, Value value) {
  constexpr uint32_t twoTo112 = (127 + 112) << 23;
  constexpr uint32_t lastFinite = (0x7bffu << 13);
  Value x = bits.widen(bits.cast(value, bits.i16()));
  Value shifted = bits.shiftLeft(bits.bitAnd(x, 0x7fff), 13);
  Value finite = bits.floatOp(bits.cast(shifted, bits.f32()), twoTo112,
                              /*multiply=*/true);
  Value special = bits.bitOr(shifted, bits.constant(kInfinity));
  Value magnitude =
      bits.select(bits.above(shifted, lastFinite), special, finite);
  Value sign = bits.shiftLeft(bits.bitAnd(x, 0x8000), 16);
  return bits.cast(bits.bitOr(magnitude, sign), bits.f32());
}

Value expand(Bits &bits, arith::TruncFOp op, bool toBF16) {
  Value result = toBF16 ? truncateToBF16(bits, op.getIn())
                        : truncateToF16(bits, op.getIn());
  return bits.cast(result, op.getType());
}

Value expand(Bits &bits, arith::ExtFOp op, bool fromBF16) {
  return fromBF16 ? extendBF16(bits, op.getIn()) : extendF16(bits, op.getIn());
}

/// Expands the conversions in one direction between f32 and the wanted types.
template <typename OpTy> struct ExpandConversion : OpRewritePattern<OpTy> {
  ExpandConversion(MLIRContext *context, bool bf16, bool f16)
      : OpRewritePattern<OpTy>(context), bf16(bf16), f16(f16) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type narrow = getElementTypeOrSelf(op.getIn().getType());
    Type wide = getElementTypeOrSelf(op.getType());
    if (std::is_same_v<OpTy, arith::TruncFOp>)
      std::swap(narrow, wide);
    bool expands = (bf16 && narrow.isBF16()) || (f16 && narrow.isF16());
    // A tensor has no bits yet.
    if (!wide.isF32() || !expands || isa<TensorType>(op.getType()))
      return failure();
    Bits bits(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, expand(bits, op, narrow.isBF16()));
    return success();
  }

private:
  bool bf16, f16;
};

struct NormExpandConversions
    : rudnn::impl::NormExpandConversionsBase<NormExpandConversions> {
  using NormExpandConversionsBase::NormExpandConversionsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandConversion<arith::TruncFOp>,
                 ExpandConversion<arith::ExtFOp>>(&getContext(), bf16, f16);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
