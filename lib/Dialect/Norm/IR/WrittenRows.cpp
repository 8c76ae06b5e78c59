//===- WrittenRows.cpp - Where an op writes its rows ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrittenRows.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace mlir;
using namespace rudnn::norm;

std::optional<WrittenRows> WrittenRows::get(RowwiseOpInterface op,
                                            OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  OperandRole role = op.getOperandRole(operand.getOperandNumber());
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  if (!type || role == OperandRole::PerColumn ||
      !destination.isDpsInit(&operand))
    return std::nullopt;
  WrittenRows rows;
  rows.isIdentity = type.getLayout().isIdentity();
  rows.sizes = llvm::to_vector(type.getShape());
  rows.strides = type.getStridesAndOffset().first;
  if (role == OperandRole::Rows) {
    rows.columns = rows.sizes.pop_back_val();
    rows.strides.pop_back();
  }
  return rows;
}

bool WrittenRows::hasSize(int64_t axis) const {
  return ShapedType::isStatic(sizes[axis]);
}

bool WrittenRows::hasStride(int64_t axis) const {
  return ShapedType::isStatic(strides[axis]);
}

bool WrittenRows::mustBeEmpty() const { return llvm::is_contained(sizes, 0); }

bool WrittenRows::mayBeEmpty() const {
  return mustBeEmpty() || llvm::any_of(sizes, ShapedType::isDynamic);
}

bool WrittenRows::isInside(int64_t axis, int64_t other) const {
  int64_t mine = std::abs(strides[axis]), others = std::abs(strides[other]);
  return mine < others || (mine == others && isInsideIfEqual(axis, other));
}

uint64_t WrittenRows::getLeastStep(int64_t axis) const {
  uint64_t step = ShapedType::isStatic(columns) ? columns : 1;
  for (int64_t inner = 0; inner < getNumAxes(); ++inner)
    if (inner != axis && hasSize(inner) && !isOne(inner) && hasStride(inner) &&
        isInside(inner, axis))
      step = llvm::SaturatingMultiplyAdd<uint64_t>(
          sizes[inner] - 1, std::abs(strides[inner]), step);
  return step;
}

bool WrittenRows::mustOverlap(int64_t axis) const {
  return !mayBeEmpty() && !isOne(axis) && hasStride(axis) &&
         uint64_t(std::abs(strides[axis])) < getLeastStep(axis);
}

bool WrittenRows::mayOverlap(int64_t axis) const {
  if (isIdentity || mustBeEmpty() || isOne(axis))
    return false;
  if (!hasStride(axis) || ShapedType::isDynamic(columns))
    return true;
  for (int64_t inner = 0; inner < getNumAxes(); ++inner) {
    if (inner == axis || isOne(inner))
      continue;
    if (!hasStride(inner) || (isInside(inner, axis) && !hasSize(inner)))
      return true;
  }
  return uint64_t(std::abs(strides[axis])) < getLeastStep(axis);
}
