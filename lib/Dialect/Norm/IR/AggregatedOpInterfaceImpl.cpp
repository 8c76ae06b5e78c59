//===- AggregatedOpInterfaceImpl.cpp - Norm ops as linalg -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that says what a norm op computes: each op as a few
// linalg.generic over (leading axes..., columns), columns innermost.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// Builds the linalg ops of one decomposition. Every op runs over rows and
/// columns of the tensor it is made for; bodies compute in f32.
class RowwiseBuilder {
public:
  using Body = function_ref<Value(RowwiseBuilder &, ArrayRef<Value>)>;

  RowwiseBuilder(OpBuilder &b, RowwiseOpInterface op)
      : b(b), loc(op.getLoc()), rows(op.getRows()),
        rank(cast<RankedTensorType>(rows.getType()).getRank()) {}

  /// `init = body(inputs)` for every element of `init`, or with `sum`
  /// `init += body(inputs)` over all rows and columns, summing over the axes
  /// that `init` lacks. Roles say how operands are indexed.
  Value compute(ArrayRef<std::pair<Value, OperandRole>> inputs, Value init,
                OperandRole initRole, bool sum, Body body);

  Value mul(Value x, Value y) {
    return arith::MulFOp::create(nested(), loc, x, y, contract());
  }
  Value add(Value x, Value y) {
    return arith::AddFOp::create(nested(), loc, x, y, contract());
  }
  Value sub(Value x, Value y) {
    return arith::SubFOp::create(nested(), loc, x, y, contract());
  }
  Value rsqrt(Value x) { return math::RsqrtOp::create(nested(), loc, x); }
  Value constant(double value) {
    return arith::ConstantOp::create(nested(), loc,
                                     nested().getF32FloatAttr(value));
  }

  /// f32 zeros of the leading shape, to sum into.
  Value zerosPerRow();
  /// f32 zeros of shape [N].
  Value zerosPerColumn();
  Value emptyPerRow();
  /// `value`, of shape [N], in the element type of `init`.
  Value castPerColumn(Value value, Value init) {
    return compute({{value, OperandRole::PerColumn}}, init,
                   OperandRole::PerColumn, /*sum=*/false,
                   [](RowwiseBuilder &, ArrayRef<Value> in) { return in[0]; });
  }
  /// 1 / N as f32.
  Value reciprocalColumns();
  /// f32(gamma) + offset.
  Value affine(Value gamma, const APFloat &offset) {
    return offset.isZero() ? gamma
                           : add(gamma, constant(offset.convertToFloat()));
  }

private:
  OpBuilder &nested() { return inner ? *inner : b; }
  arith::FastMathFlags contract() { return arith::FastMathFlags::contract; }
  AffineMap mapOf(OperandRole role, OperandRole domain);
  Value zeros(Value empty);
  Value widen(Value value);
  Value narrow(Value value, Type type);

  OpBuilder &b;
  OpBuilder *inner = nullptr;
  Location loc;
  Value rows;
  int64_t rank;
};

AffineMap RowwiseBuilder::mapOf(OperandRole role, OperandRole domain) {
  MLIRContext *context = b.getContext();
  if (domain == OperandRole::PerRow)
    return AffineMap::getMultiDimIdentityMap(rank - 1, context);
  if (domain == OperandRole::PerColumn)
    return AffineMap::getMultiDimIdentityMap(1, context);
  switch (role) {
  case OperandRole::Rows:
    return AffineMap::getMultiDimIdentityMap(rank, context);
  case OperandRole::PerRow:
    return AffineMap::getMultiDimIdentityMap(rank, context)
        .dropResult(rank - 1);
  case OperandRole::PerColumn:
    return AffineMap::get(rank, 0, b.getAffineDimExpr(rank - 1));
  }
  llvm_unreachable("unknown role");
}

Value RowwiseBuilder::widen(Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(nested(), loc, b.getF32Type(), value);
}

Value RowwiseBuilder::narrow(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(nested(), loc, type, value);
}

Value RowwiseBuilder::compute(ArrayRef<std::pair<Value, OperandRole>> inputs,
                              Value init, OperandRole initRole, bool sum,
                              Body body) {
  OperandRole domain = sum ? OperandRole::Rows : initRole;
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (auto [value, role] : inputs) {
    values.push_back(value);
    maps.push_back(mapOf(role, domain));
  }
  maps.push_back(mapOf(initRole, domain));
  SmallVector<utils::IteratorType> iterators(maps.back().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr result : maps.back().getResults())
    iterators[cast<AffineDimExpr>(result).getPosition()] =
        utils::IteratorType::parallel;
  auto generic = linalg::GenericOp::create(
      b, loc, init.getType(), values, init, maps, iterators,
      [&](OpBuilder &nestedBuilder, Location, ValueRange arguments) {
        inner = &nestedBuilder;
        SmallVector<Value> wide;
        for (Value argument : arguments.drop_back())
          wide.push_back(widen(argument));
        Value result = body(*this, wide);
        if (sum)
          result = add(arguments.back(), result);
        result = narrow(result, arguments.back().getType());
        linalg::YieldOp::create(nestedBuilder, loc, result);
        inner = nullptr;
      });
  return generic.getResult(0);
}

Value RowwiseBuilder::zeros(Value empty) {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

Value RowwiseBuilder::emptyPerRow() {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, rows);
  sizes.pop_back();
  return tensor::EmptyOp::create(b, loc, sizes, b.getF32Type());
}

Value RowwiseBuilder::zerosPerRow() { return zeros(emptyPerRow()); }

Value RowwiseBuilder::zerosPerColumn() {
  OpFoldResult columns = tensor::getMixedSize(b, loc, rows, rank - 1);
  return zeros(tensor::EmptyOp::create(b, loc, {columns}, b.getF32Type()));
}

Value RowwiseBuilder::reciprocalColumns() {
  int64_t columns = cast<RankedTensorType>(rows.getType()).getDimSize(rank - 1);
  if (!ShapedType::isDynamic(columns))
    return arith::ConstantOp::create(b, loc,
                                     b.getF32FloatAttr(1.0 / double(columns)));
  Value size = tensor::DimOp::create(b, loc, rows, rank - 1);
  Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  Value wide = arith::UIToFPOp::create(b, loc, b.getF32Type(), integer);
  Value one = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1.0));
  return arith::DivFOp::create(b, loc, one, wide);
}

} // namespace

static constexpr OperandRole kRows = OperandRole::Rows;
static constexpr OperandRole kPerRow = OperandRole::PerRow;
static constexpr OperandRole kPerColumn = OperandRole::PerColumn;

FailureOr<SmallVector<Value>> RMSNormOp::decomposeOperation(OpBuilder &b) {
  if (!hasPureTensorSemantics())
    return failure();
  RowwiseBuilder build(b, *this);
  Value sum =
      build.compute({{getX(), kRows}}, build.zerosPerRow(), kPerRow,
                    /*sum=*/true, [](RowwiseBuilder &r, ArrayRef<Value> in) {
                      return r.mul(in[0], in[0]);
                    });

  Value reciprocal = build.reciprocalColumns();
  double epsilon = getEpsilon().convertToDouble();
  Value rstd = build.compute(
      {{sum, kPerRow}}, getRstd() ? getRstd() : build.emptyPerRow(), kPerRow,
      /*sum=*/false, [&](RowwiseBuilder &r, ArrayRef<Value> in) {
        return r.rsqrt(r.add(r.mul(in[0], reciprocal), r.constant(epsilon)));
      });

  SmallVector<std::pair<Value, OperandRole>> inputs{{getX(), kRows},
                                                    {rstd, kPerRow}};
  if (getGamma())
    inputs.push_back({getGamma(), kPerColumn});
  Value y = build.compute(
      inputs, getY(), kRows, /*sum=*/false,
      [&](RowwiseBuilder &r, ArrayRef<Value> in) {
        Value normalised = r.mul(in[0], in[1]);
        return getGamma() ? r.mul(normalised, r.affine(in[2], getGammaOffset()))
                          : normalised;
      });
  SmallVector<Value> results{y};
  if (getRstd())
    results.push_back(rstd);
  return results;
}

/// dx of the backward. The row's coefficient `rstd * c` is formed first, so
/// that an element costs two multiply-adds and a product; each factor stays in
/// the range of dy, which rstd^3 would leave.
static Value decomposeInputGrad(RMSNormBackwardOp op, RowwiseBuilder &build) {
  SmallVector<std::pair<Value, OperandRole>> inputs{{op.getX(), kRows},
                                                    {op.getDy(), kRows}};
  if (op.getGamma())
    inputs.push_back({op.getGamma(), kPerColumn});
  auto scaledDy = [&](RowwiseBuilder &r, ArrayRef<Value> in) {
    return op.getGamma() ? r.mul(in[1], r.affine(in[2], op.getGammaOffset()))
                         : in[1];
  };
  Value sum = build.compute(inputs, build.zerosPerRow(), kPerRow, /*sum=*/true,
                            [&](RowwiseBuilder &r, ArrayRef<Value> in) {
                              return r.mul(scaledDy(r, in), in[0]);
                            });
  Value reciprocal = build.reciprocalColumns();
  Value coefficient = build.compute(
      {{sum, kPerRow}, {op.getRstd(), kPerRow}}, build.emptyPerRow(), kPerRow,
      /*sum=*/false, [&](RowwiseBuilder &r, ArrayRef<Value> in) {
        return r.mul(r.mul(r.mul(in[0], in[1]), reciprocal), in[1]);
      });
  inputs.push_back({op.getRstd(), kPerRow});
  inputs.push_back({coefficient, kPerRow});
  return build.compute(inputs, op.getInputGrad(), kRows, /*sum=*/false,
                       [&](RowwiseBuilder &r, ArrayRef<Value> in) {
                         Value c = in.back(), rstd = in[in.size() - 2];
                         return r.mul(r.sub(scaledDy(r, in), r.mul(in[0], c)),
                                      rstd);
                       });
}

static Value decomposeWeightGrad(RMSNormBackwardOp op, RowwiseBuilder &build) {
  Value init = op.getAccumulate() ? op.getWeightGrad() : build.zerosPerColumn();
  Value sum = build.compute(
      {{op.getX(), kRows}, {op.getDy(), kRows}, {op.getRstd(), kPerRow}}, init,
      kPerColumn, /*sum=*/true, [](RowwiseBuilder &r, ArrayRef<Value> in) {
        return r.mul(r.mul(in[0], in[2]), in[1]);
      });
  return sum;
}

FailureOr<SmallVector<Value>>
RMSNormBackwardOp::decomposeOperation(OpBuilder &b) {
  if (!hasPureTensorSemantics())
    return failure();
  RowwiseBuilder build(b, *this);
  SmallVector<Value> results;
  if (getInputGrad())
    results.push_back(decomposeInputGrad(*this, build));
  if (!getWeightGrad())
    return results;
  Value sum = decomposeWeightGrad(*this, build);
  if (!getAccumulate())
    sum = build.castPerColumn(sum, getWeightGrad());
  results.push_back(sum);
  return results;
}
