//===- ExpandDeviceMath.cpp - Math without a device library ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMEXPANDDEVICEMATH
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

//===----------------------------------------------------------------------===//
// Calls of intrinsics
//===----------------------------------------------------------------------===//

/// The elements of `value`, or `value` itself if it is a scalar.
static SmallVector<Value> getElements(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  if (type.getRank() != 1) {
    auto flat = VectorType::get(type.getNumElements(), type.getElementType());
    value = vector::ShapeCastOp::create(b, flat, value);
  }
  return llvm::to_vector_of<Value>(
      vector::ToElementsOp::create(b, value).getResults());
}

/// The inverse of getElements.
static Value fromElements(ImplicitLocOpBuilder &b, Type type,
                          ArrayRef<Value> elements) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return elements.front();
  auto flat = VectorType::get(vector.getNumElements(), vector.getElementType());
  Value value = vector::FromElementsOp::create(b, flat, elements);
  return vector == flat ? value : vector::ShapeCastOp::create(b, type, value);
}

/// Calls an LLVM intrinsic on each element of `operands`, all of type `type`.
static Value callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type type,
                           ValueRange operands) {
  SmallVector<SmallVector<Value>> elements;
  for (Value operand : operands)
    elements.push_back(getElements(b, operand));
  SmallVector<Value> results;
  for (size_t i = 0, e = elements.front().size(); i != e; ++i) {
    SmallVector<Value> arguments = llvm::map_to_vector(
        elements, [&](ArrayRef<Value> operand) { return operand[i]; });
    results.push_back(
        LLVM::CallIntrinsicOp::create(b, getElementTypeOrSelf(type),
                                      b.getStringAttr(name), arguments)
            .getResults());
  }
  return fromElements(b, type, results);
}

static TypedAttr getSplat(Type type, const APFloat &value) {
  auto element = FloatAttr::get(getElementTypeOrSelf(type), value);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? TypedAttr(DenseElementsAttr::get(vector, element))
                : TypedAttr(element);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
/// A math op is one call of an intrinsic.
template <typename OpT> struct ToIntrinsic : OpRewritePattern<OpT> {
  ToIntrinsic(MLIRContext *context, StringRef name, bool onlyF32 = false)
      : OpRewritePattern<OpT>(context), name(name), onlyF32(onlyF32) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (onlyF32 && !getElementTypeOrSelf(type).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, callIntrinsic(b, name, type, op->getOperands()));
    return success();
  }

  StringRef name;
  bool onlyF32;
};

/// Computes in f32 what has f16 or bf16 operands. A fused multiply-add is
/// left, the hardware has it in both types.
struct WidenToF32 : RewritePattern {
  WidenToF32(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
        isa<math::FmaOp>(op) || op->getNumResults() != 1 ||
        !isNarrow(op->getResult(0)))
      return failure();
    Operation *wide = rewriter.clone(*op);
    rewriter.setInsertionPoint(wide);
    for (OpOperand &operand : wide->getOpOperands())
      if (isNarrow(operand.get()))
        operand.set(arith::ExtFOp::create(
            rewriter, op->getLoc(), getWide(operand.get()), operand.get()));
    wide->getResult(0).setType(getWide(op->getResult(0)));
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op->getResult(0).getType(),
                                                 wide->getResult(0));
    return success();
  }

  static bool isNarrow(Value value) {
    Type element = getElementTypeOrSelf(value);
    return element.isF16() || element.isBF16();
  }

  static Type getWide(Value value) {
    Type f32 = Float32Type::get(value.getContext());
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? Type(vector.clone(f32)) : f32;
  }
};

/// LLVM keeps vectors whole here, for chips that have packed arithmetic.
struct ExpandFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector || vector.getRank() == 1) {
      rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getA(), op.getB(),
                                               op.getC());
      return success();
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op, callIntrinsic(b, "llvm.fma", op.getType(), op->getOperands()));
    return success();
  }
};

/// e^x = 2^f * 2^k, where k is x * log2(e) rounded to an integer and f the
/// rest. The product x * log2(e) is exact to twice the precision of f32, for a
/// rounding of it would be multiplied by x.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](float value) -> Value {
      return arith::ConstantOp::create(b, getSplat(type, APFloat(value)));
    };
    auto exp2 = [&](Value value) {
      return callIntrinsic(b, "llvm.nvvm.ex2.approx", type, value);
    };
    // Outside of these bounds the result is 0 or infinity. Infinite x would
    // make f a NaN.
    Value x = arith::MaximumFOp::create(b, op.getOperand(), constant(-105.0f));
    x = arith::MinimumFOp::create(b, x, constant(89.0f));
    Value scaled = arith::MulFOp::create(b, x, constant(log2eHigh));
    Value k = callIntrinsic(b, "llvm.roundeven", type, scaled);
    // 2^128 is no float, but 2^127 * 2^f with f > 1/2 may be one.
    k = arith::MinimumFOp::create(b, k, constant(127.0f));
    Value f = math::FmaOp::create(b, x, constant(log2eHigh),
                                  arith::NegFOp::create(b, k));
    f = math::FmaOp::create(b, x, constant(log2eLow), f);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, exp2(f), exp2(k));
    return success();
  }

  /// log2(e) as the sum of two f32.
  static constexpr float log2eHigh = 0x1.715476p+0;
  static constexpr float log2eLow = 0x1.4ae0cp-26;
};

/// A class of numbers by how their size compares to infinity.
template <typename OpT, arith::CmpFPredicate predicate>
struct ToComparison : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getOperand().getType();
    auto infinity = APFloat::getInf(
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics());
    Value size = math::AbsFOp::create(b, op.getOperand());
    Value limit = arith::ConstantOp::create(b, getSplat(type, infinity));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, size, limit);
    return success();
  }
};

struct NormExpandDeviceMath
    : rudnn::impl::NormExpandDeviceMathBase<NormExpandDeviceMath> {
  void runOnOperation() override;
};
} // namespace

/// What upstream's polynomials give to a few units in the last place. Others
/// of them are worse (sine and cosine of large arguments) and not used.
static bool isApproximated(StringRef name) {
  static constexpr StringLiteral names[] = {
      "math.erf",  "math.erfc",  "math.expm1", "math.log",
      "math.log2", "math.log1p", "math.tanh"};
  return llvm::is_contained(names, name);
}

static void populateIntrinsics(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ToIntrinsic<arith::MaxNumFOp>>(context, "llvm.maxnum");
  patterns.add<ToIntrinsic<arith::MinNumFOp>>(context, "llvm.minnum");
  patterns.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
  patterns.add<ToIntrinsic<math::CeilOp>>(context, "llvm.ceil");
  patterns.add<ToIntrinsic<math::CopySignOp>>(context, "llvm.copysign");
  patterns.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
  patterns.add<ToIntrinsic<math::RoundEvenOp>>(context, "llvm.roundeven");
  patterns.add<ToIntrinsic<math::RoundOp>>(context, "llvm.round");
  patterns.add<ToIntrinsic<math::TruncOp>>(context, "llvm.trunc");
  patterns.add<ToIntrinsic<math::Exp2Op>>(context, "llvm.nvvm.ex2.approx",
                                          true);
  patterns.add<ToIntrinsic<math::RsqrtOp>>(context, "llvm.nvvm.rsqrt.approx.f",
                                           true);
  patterns.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.nvvm.sqrt.rn.f", true);
}

void NormExpandDeviceMath::runOnOperation() {
  RewritePatternSet patterns(&getContext());
  populateMathAlgebraicSimplificationPatterns(patterns);
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
  populateIntrinsics(patterns);
  patterns.add<WidenToF32, ExpandExp, ExpandFma>(&getContext());
  using Predicate = arith::CmpFPredicate;
  patterns.add<ToComparison<math::IsNaNOp, Predicate::UNO>,
               ToComparison<math::IsInfOp, Predicate::OEQ>,
               ToComparison<math::IsFiniteOp, Predicate::OLT>>(&getContext());
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    return signalPassFailure();
  WalkResult result = getOperation().walk([](Operation *op) {
    bool isMath = isa_and_present<math::MathDialect>(op->getDialect()) ||
                  isa<arith::RemFOp>(op);
    if (!isMath || !isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))))
      return WalkResult::advance();
    return WalkResult(op->emitOpError("of type ")
                      << op->getResult(0).getType()
                      << " has no lowering to NVVM without a device library");
  });
  if (result.wasInterrupted())
    signalPassFailure();
}
