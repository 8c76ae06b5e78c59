//===- RuntimeVerifiableOpInterfaceImpl.cpp - Checks of dynamic sizes -----===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's shape rules for sizes that only a run knows, as assertions in
// front of the op, under the same constraint ids.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn::norm;

using MakeMessage = function_ref<std::string(Operation *, StringRef)>;

namespace {

class SizeChecker {
public:
  SizeChecker(OpBuilder &b, RowwiseOpInterface op, MakeMessage makeMessage)
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

private:
  static bool isDynamic(Value value, int64_t axis) {
    return cast<ShapedType>(value.getType()).isDynamicDim(axis);
  }
  Value getSize(Value value, int64_t axis) {
    if (isa<TensorType>(value.getType()))
      return b.createOrFold<tensor::DimOp>(loc, value, axis);
    return b.createOrFold<memref::DimOp>(loc, value, axis);
  }
  void require(arith::CmpIPredicate predicate, Value x, Value y,
               unsigned constraint, const Twine &text) {
    if (x == y && predicate == arith::CmpIPredicate::eq)
      return;
    std::string message =
        (op->getName().stripDialect() + "_c" + Twine(constraint) + ": " + text)
            .str();
    Value holds = arith::CmpIOp::create(b, loc, predicate, x, y);
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
  SizeChecker checker(b, op, makeMessage);
  checker.checkColumns();
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() != op.getRows())
      checker.checkOperand(operand);
}

void RMSNormOp::generateRuntimeVerification(OpBuilder &b, Location,
                                            MakeMessage makeMessage) {
  generateChecks(b, *this, makeMessage);
}

void RMSNormBackwardOp::generateRuntimeVerification(OpBuilder &b, Location,
                                                    MakeMessage makeMessage) {
  generateChecks(b, *this, makeMessage);
}
