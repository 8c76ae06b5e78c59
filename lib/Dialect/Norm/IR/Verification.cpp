//===- Verification.cpp - Verification of the norm ops --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "WrittenRows.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace rudnn::norm;

/// The shape that an operand of `role` has when the rows have shape `rows`.
static SmallVector<int64_t> getExpectedShape(OperandRole role,
                                             ArrayRef<int64_t> rows) {
  switch (role) {
  case OperandRole::Rows:
    return SmallVector<int64_t>(rows);
  case OperandRole::PerRow:
    return SmallVector<int64_t>(rows.drop_back());
  case OperandRole::PerColumn:
    return {rows.back()};
  }
  llvm_unreachable("unknown role");
}

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << '?';
    else
      os << size;
  });
  os << ']';
  return text;
}

/// Starts a diagnostic for constraint `number` of `op`, as in
/// "rms_norm_c4: ".
static InFlightDiagnostic emitConstraint(Operation *op, unsigned number) {
  return op->emitOpError() << op->getName().stripDialect() << "_c" << number
                           << ": ";
}

namespace {
/// Where the common rules stand in an op's numbered list of constraints.
struct ConstraintNumbers {
  unsigned rank = 1, columns = 2, elements = 3, perColumn = 4, rows = 5,
           perRow = 6, semantics = 9, layout = 10, sharing = 11;
};
} // namespace

static LogicalResult verifyRank(RowwiseOpInterface op) {
  ConstraintNumbers number;
  auto type = cast<ShapedType>(op.getRows().getType());
  if (type.getRank() == 0)
    return emitConstraint(op, number.rank)
           << "expected x of rank >= 1, got rank 0";
  if (type.getShape().back() == 0)
    return emitConstraint(op, number.columns)
           << "expected x with N >= 1 columns, got N = 0";
  return success();
}

static LogicalResult verifySemantics(RowwiseOpInterface op) {
  bool tensors = isa<TensorType>(op.getRows().getType());
  for (OpOperand &operand : op->getOpOperands()) {
    if (isa<TensorType>(operand.get().getType()) == tensors)
      continue;
    return emitConstraint(op, ConstraintNumbers().semantics)
           << "expected all operands to be "
           << (tensors ? "tensors" : "memrefs") << " as x is, got "
           << op.getOperandName(operand.getOperandNumber()) << " of type "
           << operand.get().getType();
  }
  return success();
}

bool rudnn::norm::isInRowProgram(Operation *op) {
  while ((op = op->getParentOp()))
    if (op->hasAttr(NormDialect::kScheduleAttrName))
      return true;
  return false;
}

unsigned rudnn::norm::getShapeConstraint(OperandRole role) {
  ConstraintNumbers number;
  switch (role) {
  case OperandRole::Rows:
    return number.rows;
  case OperandRole::PerRow:
    return number.perRow;
  case OperandRole::PerColumn:
    return number.perColumn;
  }
  llvm_unreachable("unknown role");
}

static LogicalResult verifyShapeAndElement(RowwiseOpInterface op,
                                           OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  OperandRole role = op.getOperandRole(index);
  StringRef name = op.getOperandName(index);
  auto type = cast<ShapedType>(operand.get().getType());
  auto rows = cast<ShapedType>(op.getRows().getType());
  SmallVector<int64_t> expected = getExpectedShape(role, rows.getShape());
  if (failed(verifyCompatibleShape(expected, type.getShape())))
    return emitConstraint(op, getShapeConstraint(role))
           << "expected " << name << " of shape " << shapeToString(expected)
           << ", got " << shapeToString(type.getShape());
  Type element = type.getElementType();
  if (role == OperandRole::PerRow) {
    if (!element.isF32())
      return emitConstraint(op, ConstraintNumbers().perRow)
             << "expected " << name << " of element type f32, got " << element;
    return success();
  }
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return emitConstraint(op, ConstraintNumbers().elements)
           << "expected " << name << " of element type f32, f16 or bf16, got "
           << element;
  return success();
}

/// Rows are read and written as vectors along the last axis; `mayExpand` lets
/// it have stride 0 too, all columns being one value.
static LogicalResult verifyLayout(RowwiseOpInterface op, OpOperand &operand,
                                  bool mayExpand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || type.getRank() == 0)
    return success();
  auto [strides, offset] = type.getStridesAndOffset();
  OperandRole role = op.getOperandRole(operand.getOperandNumber());
  int64_t last = strides.back();
  if (role == OperandRole::PerRow || last == 1 || type.getShape().back() == 1 ||
      (mayExpand && last == 0))
    return success();
  InFlightDiagnostic diag = emitConstraint(op, ConstraintNumbers().layout);
  diag << "expected the last axis of "
       << op.getOperandName(operand.getOperandNumber())
       << " to have stride 1, got ";
  return ShapedType::isDynamic(last) ? diag << "a dynamic stride"
                                     : diag << last;
}

static LogicalResult verifyRowsApart(RowwiseOpInterface op,
                                     OpOperand &operand) {
  std::optional<WrittenRows> rows = WrittenRows::get(op, operand);
  if (!rows)
    return success();
  for (int64_t axis = 0; axis < rows->getNumAxes(); ++axis)
    if (rows->mustOverlap(axis))
      return emitConstraint(op, ConstraintNumbers().layout)
             << "expected rows of "
             << op.getOperandName(operand.getOperandNumber()) << " at least "
             << rows->getLeastStep(axis) << " elements apart along axis "
             << axis << ", got a stride of " << rows->getStride(axis);
  return success();
}

/// A row is read before it is written, so rows may be written over rows.
static bool mayShareMemory(RowwiseOpInterface op, OpOperand &init,
                           OpOperand &other) {
  auto isRows = [&](OpOperand &operand) {
    return op.getOperandRole(operand.getOperandNumber()) == OperandRole::Rows;
  };
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  return isRows(init) && isRows(other) && !destination.isDpsInit(&other);
}

static LogicalResult emitSharing(RowwiseOpInterface op, OpOperand &init,
                                 OpOperand &other) {
  InFlightDiagnostic diag = emitConstraint(op, ConstraintNumbers().sharing);
  diag << "expected " << op.getOperandName(init.getOperandNumber())
       << " to be a memref of its own";
  for (OpOperand &input : op->getOpOperands())
    if (mayShareMemory(op, init, input))
      diag << " or " << op.getOperandName(input.getOperandNumber());
  return diag << ", got " << op.getOperandName(other.getOperandNumber());
}

/// Different values may be the same memory too; that is for a run to know.
static LogicalResult verifySharing(RowwiseOpInterface op) {
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &init : destination.getDpsInitsMutable()) {
    if (!isa<MemRefType>(init.get().getType()))
      continue;
    for (OpOperand &other : op->getOpOperands())
      if (&other != &init && other.get() == init.get() &&
          !mayShareMemory(op, init, other))
        return emitSharing(op, init, other);
  }
  return success();
}

/// The rules that follow from the roles of the operands.
static LogicalResult
verifyOperands(RowwiseOpInterface op,
               std::optional<unsigned> mayExpand = std::nullopt) {
  if (failed(verifyRank(op)) || failed(verifySemantics(op)))
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    if (failed(verifyShapeAndElement(op, operand)) ||
        failed(verifyLayout(op, operand,
                            operand.getOperandNumber() == mayExpand)) ||
        failed(verifyRowsApart(op, operand)))
      return failure();
  return verifySharing(op);
}

static LogicalResult verifySameElement(Operation *op, unsigned number,
                                       StringRef name, Value value,
                                       StringRef otherName, Type other) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element == other)
    return success();
  return emitConstraint(op, number)
         << "expected " << name << " of element type " << other << " as "
         << otherName << " has, got " << element;
}

static LogicalResult verifyOffset(Operation *op, unsigned number,
                                  const APFloat &offset, Value gamma) {
  if (!offset.isFinite())
    return emitConstraint(op, number) << "expected a finite gamma_offset, got "
                                      << offset.convertToDouble();
  if (!gamma && !offset.isZero())
    return emitConstraint(op, number) << "expected gamma_offset 0 without "
                                         "gamma, got "
                                      << offset.convertToDouble();
  return success();
}

/// An op in a row program, and one on its way there, has no schedule.
static LogicalResult verifyOwnSchedule(RowwiseOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return success();
  return verifySchedule(op, schedule.getValue(),
                        [&] { return op->emitOpError() << "schedule: "; });
}

/// The generic form can give an operand none or several values.
template <typename OpTy>
static LogicalResult verifySegments(OpTy op, ArrayRef<unsigned> required) {
  for (auto [index, size] :
       llvm::enumerate(op.getProperties().operandSegmentSizes))
    if (size > 1 || (size == 0 && llvm::is_contained(required, index)))
      return op.emitOpError("expected one value for operand #")
             << index << ", got " << size;
  return success();
}

LogicalResult RMSNormOp::verify() {
  if (failed(verifySegments(*this, {0, 2})))
    return failure();
  auto op = cast<RowwiseOpInterface>(getOperation());
  if (failed(verifyOperands(op)) ||
      failed(verifySameElement(op, ConstraintNumbers().rows, "y", getY(), "x",
                               getXType().getElementType())))
    return failure();
  float epsilon = float(getEpsilon().convertToDouble());
  if (!std::isfinite(epsilon) || !(epsilon > 0))
    return emitConstraint(op, 7)
           << "expected an epsilon that is finite and > 0 as f32, got "
           << getEpsilon().convertToDouble();
  if (failed(verifyOffset(op, 8, getGammaOffset(), getGamma())))
    return failure();
  return verifyOwnSchedule(op);
}

LogicalResult RMSNormBackwardOp::verify() {
  if (failed(verifySegments(*this, {0, 1, 2})))
    return failure();
  auto op = cast<RowwiseOpInterface>(getOperation());
  if (failed(verifyOperands(op, /*mayExpand=*/1)))
    return failure();
  Type xElement = getXType().getElementType();
  if (getInputGrad() &&
      failed(verifySameElement(op, ConstraintNumbers().rows, "input_grad",
                               getInputGrad(), "x", xElement)))
    return failure();
  if (Value grad = getWeightGrad()) {
    Type element = getElementTypeOrSelf(grad.getType());
    if (getAccumulate() && !element.isF32())
      return emitConstraint(op, 7) << "expected weight_grad of element type "
                                      "f32 with accumulate, got "
                                   << element;
    if (!getAccumulate() && getGamma() &&
        failed(verifySameElement(op, 7, "weight_grad", grad, "gamma",
                                 getElementTypeOrSelf(getGamma().getType()))))
      return failure();
  }
  if (failed(verifyOffset(op, 8, getGammaOffset(), getGamma())))
    return failure();
  return verifyOwnSchedule(op);
}
