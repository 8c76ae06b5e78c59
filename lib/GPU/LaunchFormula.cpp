//===- LaunchFormula.cpp - Host values as text ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFormula.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The name of `value` among the operands of a launch or the arguments of the
/// function around it; empty if it is neither.
static std::string getName(gpu::LaunchFuncOp launch, Value value) {
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands()))
    if (operand == value)
      return "arg" + std::to_string(index);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return "host.arg" + std::to_string(argument.getArgNumber());
  return "";
}

std::string LaunchFormula::getBufferName(Value memref) {
  std::string name = getName(launch, memref);
  Operation *op = memref.getDefiningOp();
  // These have the sizes and the pointer of their operand.
  if (name.empty() && isa_and_present<memref::CastOp, memref::AssumeAlignmentOp,
                                      memref::MemorySpaceCastOp>(op))
    return getBufferName(op->getOperand(0));
  return name;
}

FailureOr<std::string>
LaunchFormula::getProperty(Value memref, const Twine &property, int64_t known) {
  if (!ShapedType::isDynamic(known))
    return std::to_string(known);
  std::string name = getBufferName(memref);
  if (name.empty())
    return launch.emitOpError("depends on a buffer that is neither an operand "
                              "nor an argument of its function: ")
           << memref;
  return name + "." + property.str();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

FailureOr<std::string> LaunchFormula::getBinary(StringRef symbol, Value lhs,
                                                Value rhs) {
  FailureOr<std::string> left = get(lhs), right = get(rhs);
  if (failed(left) || failed(right))
    return failure();
  return "(" + *left + " " + symbol.str() + " " + *right + ")";
}

FailureOr<std::string> LaunchFormula::getCall(StringRef name, Value lhs,
                                              Value rhs) {
  FailureOr<std::string> left = get(lhs), right = get(rhs);
  if (failed(left) || failed(right))
    return failure();
  return name.str() + "(" + *left + ", " + *right + ")";
}

static StringRef getSymbol(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ">=";
  }
  llvm_unreachable("unknown predicate");
}

/// How C writes an op of two operands; "" if it has no operator for it.
static StringRef getSymbol(Operation *op) {
  bool isBool = op->getResult(0).getType().isInteger(1);
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddIOp>([](auto) { return "+"; })
      .Case<arith::SubIOp>([](auto) { return "-"; })
      .Case<arith::MulIOp>([](auto) { return "*"; })
      .Case<arith::DivUIOp, arith::DivSIOp>([](auto) { return "/"; })
      .Case<arith::RemUIOp, arith::RemSIOp>([](auto) { return "%"; })
      .Case<arith::AndIOp>([=](auto) { return isBool ? "&&" : "&"; })
      .Case<arith::OrIOp>([=](auto) { return isBool ? "||" : "|"; })
      .Case<arith::XOrIOp>([](auto) { return "^"; })
      .Case([](arith::CmpIOp cmp) { return getSymbol(cmp.getPredicate()); })
      .Default([](Operation *) { return ""; });
}

/// The function of formulas that an op of two operands is; "" if none is.
static StringRef getFunction(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::MinUIOp, arith::MinSIOp>([](auto) { return "min"; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](auto) { return "max"; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](auto) { return "ceildiv"; })
      .Case<arith::FloorDivSIOp>([](auto) { return "floordiv"; })
      .Default([](Operation *) { return ""; });
}

FailureOr<std::string>
LaunchFormula::getAffine(AffineExpr expr, ValueRange dims, ValueRange symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(dims[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(symbols[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<std::string> left = getAffine(binary.getLHS(), dims, symbols);
  FailureOr<std::string> right = getAffine(binary.getRHS(), dims, symbols);
  if (failed(left) || failed(right))
    return failure();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return "(" + *left + " + " + *right + ")";
  case AffineExprKind::Mul:
    return "(" + *left + " * " + *right + ")";
  case AffineExprKind::Mod:
    return "mod(" + *left + ", " + *right + ")";
  case AffineExprKind::FloorDiv:
    return "floordiv(" + *left + ", " + *right + ")";
  case AffineExprKind::CeilDiv:
    return "ceildiv(" + *left + ", " + *right + ")";
  default:
    llvm_unreachable("not a binary expression");
  }
}

/// The values that both branches of `branch` give for `result`.
static std::pair<Value, Value> getYielded(scf::IfOp branch, OpResult result) {
  unsigned index = result.getResultNumber();
  return {branch.thenYield().getOperand(index),
          branch.elseYield().getOperand(index)};
}

FailureOr<std::string> LaunchFormula::getChoice(Value condition, Value yes,
                                                Value no) {
  FailureOr<std::string> test = get(condition), left = get(yes),
                         right = get(no);
  if (failed(test) || failed(left) || failed(right))
    return failure();
  return "(" + *test + " ? " + *left + " : " + *right + ")";
}

FailureOr<std::string> LaunchFormula::getOp(Operation *op, Value value) {
  if (StringRef symbol = getSymbol(op); !symbol.empty())
    return getBinary(symbol, op->getOperand(0), op->getOperand(1));
  if (StringRef name = getFunction(op); !name.empty())
    return getCall(name, op->getOperand(0), op->getOperand(1));
  return TypeSwitch<Operation *, FailureOr<std::string>>(op)
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
            arith::ExtSIOp, arith::TruncIOp>(
          [&](auto cast) { return get(Value(cast.getIn())); })
      .Case([&](arith::SelectOp select) {
        return getChoice(select.getCondition(), select.getTrueValue(),
                         select.getFalseValue());
      })
      .Case([&](scf::IfOp branch) {
        auto [yes, no] = getYielded(branch, cast<OpResult>(value));
        return getChoice(branch.getCondition(), yes, no);
      })
      .Case([&](affine::AffineApplyOp apply) {
        AffineMap map = apply.getAffineMap();
        ValueRange operands = apply.getMapOperands();
        return getAffine(map.getResult(0),
                         operands.take_front(map.getNumDims()),
                         operands.drop_front(map.getNumDims()));
      })
      .Default([&](Operation *) { return getBufferFact(op, value); });
}

FailureOr<std::string> LaunchFormula::getBufferFact(Operation *op,
                                                    Value value) {
  if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    return getProperty(pointer.getSource(), "pointer", ShapedType::kDynamic);
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return getMetadata(metadata, cast<OpResult>(value));
  auto dim = dyn_cast<memref::DimOp>(op);
  auto type =
      dim ? dyn_cast<MemRefType>(dim.getSource().getType()) : MemRefType();
  std::optional<int64_t> axis = dim ? dim.getConstantIndex() : std::nullopt;
  if (!type || !axis)
    return op->emitOpError("has no formula for a kernel's launch");
  return getProperty(dim.getSource(), "size" + Twine(*axis),
                     type.getDimSize(*axis));
}

FailureOr<std::string>
LaunchFormula::getMetadata(memref::ExtractStridedMetadataOp metadata,
                           OpResult result) {
  auto type = cast<MemRefType>(metadata.getSource().getType());
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t rank = type.getRank();
  // The base buffer, the offset, the sizes, the strides.
  int64_t number = int64_t(result.getResultNumber()) - 1;
  if (number == 0)
    return getProperty(metadata.getSource(), "offset", offset);
  if (number <= rank)
    return getProperty(metadata.getSource(), "size" + Twine(number - 1),
                       type.getDimSize(number - 1));
  return getProperty(metadata.getSource(), "stride" + Twine(number - 1 - rank),
                     strides[number - 1 - rank]);
}

FailureOr<std::string> LaunchFormula::get(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::to_string(value.getType().isInteger(1) ? *constant & 1
                                                       : *constant);
  // What an operand is computed from says more than its name.
  if (Operation *op = value.getDefiningOp())
    return getOp(op, value);
  std::string name = getName(launch, value);
  if (!name.empty())
    return name;
  return launch.emitOpError("depends on a value of a loop or branch that has "
                            "no formula");
}
