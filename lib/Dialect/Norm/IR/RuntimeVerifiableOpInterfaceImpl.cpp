//===- RuntimeVerifiableOpInterfaceImpl.cpp - Checks at run time ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's rules for sizes and strides that only a run knows, as
// assertions in front of the op, under the same constraint ids.
//
//===----------------------------------------------------------------------===//

#include "WrittenRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

using MakeMessage = function_ref<std::string(Operation *, StringRef)>;

namespace {

class Checker {
public:
  Checker(OpBuilder &b, RowwiseOpInterface op, MakeMessage makeMessage)
      : b(b), loc(op.getLoc()), op(op), makeMessage(makeMessage) {}

  void checkColumns() {
    int64_t last = cast<ShapedType>(op.getRows().getType()).getRank() - 1;
    if (!isDynamic(op.getRows(), last))
      return;
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    require(arith::CmpIPredicate::ne, getSize(op.getRows(), last), zero, 2,
            "expected x with N >= 1 columns, got N = 0");
  }

  void checkOperand(OpOperand &operand) {
    unsigned number = operand.getOperandNumber();
    OperandRole role = op.getOperandRole(number);
    int64_t rowsRank = cast<ShapedType>(op.getRows().getType()).getRank();
    int64_t rank = cast<ShapedType>(operand.get().getType()).getRank();
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t rowsAxis = role == OperandRole::PerColumn ? rowsRank - 1 : axis;
      if (!isDynamic(operand.get(), axis) && !isDynamic(op.getRows(), rowsAxis))
        continue;
      require(arith::CmpIPredicate::eq, getSize(operand.get(), axis),
              getSize(op.getRows(), rowsAxis), getShapeConstraint(role),
              "expected axis " + Twine(axis) + " of " +
                  op.getOperandName(number) + " to have the size of axis " +
                  Twine(rowsAxis) + " of x");
    }
  }

  void checkRowsApart(OpOperand &operand) {
    std::optional<WrittenRows> rows = WrittenRows::get(op, operand);
    if (!rows)
      return;
    for (int64_t axis = 0; axis < rows->getNumAxes(); ++axis)
      if (rows->mayOverlap(axis))
        checkAxisApart(operand, *rows, axis);
  }

private:
  static bool isDynamic(Value value, int64_t axis) {
    return cast<ShapedType>(value.getType()).isDynamicDim(axis);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getSize(Value value, int64_t axis) {
    if (isa<TensorType>(value.getType()))
      return b.createOrFold<tensor::DimOp>(loc, value, axis);
    return b.createOrFold<memref::DimOp>(loc, value, axis);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
  }

  /// The elements from an index of `axis` to the next, in either direction.
  Value getDistance(Value value, int64_t axis) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, value);
    Value stride = getValueOrCreateConstantIndexOp(
        b, loc, metadata.getConstifiedMixedStrides()[axis]);
    Value back = b.createOrFold<arith::SubIOp>(loc, constant(0), stride);
    return b.createOrFold<arith::MaxSIOp>(loc, stride, back);
  }

  /// `step`, and what `inner` reaches if it is the axis of the smaller stride.
  Value addInnerAxis(Value step, Value value, int64_t inner, Value distance,
                     bool isInsideIfEqual) {
    Value innerDistance = getDistance(value, inner);
    Value size =
        b.createOrFold<arith::MaxSIOp>(loc, getSize(value, inner), constant(1));
    Value last = b.createOrFold<arith::SubIOp>(loc, size, constant(1));
    Value reach = b.createOrFold<arith::MulIOp>(loc, last, innerDistance);
    Value more = b.createOrFold<arith::AddIOp>(loc, step, reach);
    Value isInside = compare(isInsideIfEqual ? arith::CmpIPredicate::ule
                                             : arith::CmpIPredicate::ult,
                             innerDistance, distance);
    return b.createOrFold<arith::SelectOp>(loc, isInside, more, step);
  }

  void checkAxisApart(OpOperand &operand, const WrittenRows &rows,
                      int64_t axis) {
    Value value = operand.get();
    Value distance = getDistance(value, axis);
    Value step = rows.getColumns() == 1 ? constant(1)
                                        : getSize(value, rows.getNumAxes());
    for (int64_t inner = 0; inner < rows.getNumAxes(); ++inner)
      if (inner != axis)
        step = addInnerAxis(step, value, inner, distance,
                            WrittenRows::isInsideIfEqual(inner, axis));
    Value isOne =
        compare(arith::CmpIPredicate::ule, getSize(value, axis), constant(1));
    Value isApart = compare(arith::CmpIPredicate::uge, distance, step);
    isApart = b.createOrFold<arith::OrIOp>(loc, isOne, isApart);
    requireTrue(orIsEmpty(isApart, value, rows, axis), 10,
                "expected rows of " +
                    op.getOperandName(operand.getOperandNumber()) +
                    " that do not overlap along axis " + Twine(axis) +
                    ": a stride of at least what the axes of smaller strides "
                    "reach");
  }

  /// `holds`, or an axis other than `axis` has size 0.
  Value orIsEmpty(Value holds, Value value, const WrittenRows &rows,
                  int64_t axis) {
    for (int64_t other = 0; other < rows.getNumAxes(); ++other) {
      if (other == axis || !isDynamic(value, other))
        continue;
      Value isZero =
          compare(arith::CmpIPredicate::eq, getSize(value, other), constant(0));
      holds = b.createOrFold<arith::OrIOp>(loc, holds, isZero);
    }
    return holds;
  }

  void require(arith::CmpIPredicate predicate, Value x, Value y,
               unsigned constraint, const Twine &text) {
    if (x == y && predicate == arith::CmpIPredicate::eq)
      return;
    requireTrue(arith::CmpIOp::create(b, loc, predicate, x, y), constraint,
                text);
  }
  void requireTrue(Value holds, unsigned constraint, const Twine &text) {
    std::string message =
        (op->getName().stripDialect() + "_c" + Twine(constraint) + ": " + text)
            .str();
    cf::AssertOp::create(b, loc, holds, makeMessage(op, message));
  }

  OpBuilder &b;
  Location loc;
  RowwiseOpInterface op;
  MakeMessage makeMessage;
};

} // namespace

/// A tile needs none: its sizes are those of an op that was checked.
static void generateChecks(OpBuilder &b, RowwiseOpInterface op,
                           MakeMessage makeMessage) {
  if (isInRowProgram(op))
    return;
  Checker checker(b, op, makeMessage);
  checker.checkColumns();
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != op.getRows())
      checker.checkOperand(operand);
    checker.checkRowsApart(operand);
  }
}

void RMSNormOp::generateRuntimeVerification(OpBuilder &b, Location,
                                            MakeMessage makeMessage) {
  generateChecks(b, *this, makeMessage);
}

void RMSNormBackwardOp::generateRuntimeVerification(OpBuilder &b, Location,
                                                    MakeMessage makeMessage) {
  generateChecks(b, *this, makeMessage);
}
