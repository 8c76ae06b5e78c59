//===- TuningKey.cpp - What a measured schedule is good for ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Tuning/TuningKey.h"

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::tuning;
using llvm::json::Object;

StringRef rudnn::tuning::getGenericChip(StringRef chip) {
  return chip.starts_with("sm_") ? chip.rtrim("af") : chip;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Whether a slice is nothing but a range of the outermost axis.
static bool isRangeOfRows(tensor::ExtractSliceOp slice) {
  auto sizes =
      llvm::zip_equal(slice.getMixedSizes(), slice.getSourceType().getShape());
  bool isWhole = llvm::all_of(llvm::drop_begin(sizes), [](auto pair) {
    return isConstantIntValue(std::get<0>(pair), std::get<1>(pair));
  });
  return isWhole && llvm::all_of(slice.getMixedStrides(), isOneInteger);
}

static bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (stride != expected)
      return false;
    // Only the outermost size may be unknown.
    expected =
        ShapedType::isDynamic(size) ? ShapedType::kDynamic : expected * size;
  }
  return true;
}

/// Whether rows follow one another in memory, as far as the text tells: tensors
/// from elsewhere have no gaps.
static bool isContiguous(Value value) {
  if (auto memref = dyn_cast<MemRefType>(value.getType()))
    return isContiguous(memref);
  while (Operation *op = value.getDefiningOp()) {
    if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op))
      return isContiguous(cast<MemRefType>(buffer.getBuffer().getType()));
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
        slice && !isRangeOfRows(slice))
      return false;
    if (!isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op))
      return true;
    value = op->getOperand(0);
  }
  return true;
}

static StringRef getLayout(norm::RowwiseOpInterface op) {
  bool hasGaps = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return op.getOperandRole(operand.getOperandNumber()) ==
               norm::OperandRole::Rows &&
           !isContiguous(operand.get());
  });
  return hasGaps ? "strided" : "contiguous";
}

static llvm::json::Value describeSize(int64_t size) {
  if (ShapedType::isDynamic(size))
    return "dynamic";
  return size;
}

/// One entry serves about as many rows.
static int64_t getBucket(int64_t rows) {
  return ShapedType::isDynamic(rows)
             ? rows
             : int64_t(llvm::bit_ceil(uint64_t(std::max<int64_t>(rows, 1))));
}

Object rudnn::tuning::makeTuningKey(norm::RowwiseOpInterface op,
                                    const Machine &machine) {
  auto inits = cast<DestinationStyleOpInterface>(op.getOperation());
  Object inputs, results;
  for (OpOperand &operand : op->getOpOperands()) {
    Object &types = inits.isDpsInit(&operand) ? results : inputs;
    types[op.getOperandName(operand.getOperandNumber())] =
        print(getElementTypeOrSelf(operand.get().getType()));
  }
  auto backward = dyn_cast<norm::RMSNormBackwardOp>(op.getOperation());
  norm::ScheduleProblem problem(op);
  return Object{{"op", op->getName().getStringRef()},
                {"inputs", std::move(inputs)},
                {"results", std::move(results)},
                {"accumulate", backward && backward.getAccumulate()},
                {"columns", describeSize(problem.columns)},
                {"rows", describeSize(getBucket(problem.rows))},
                {"layout", getLayout(op)},
                {"device", machine.device},
                {"chip", getGenericChip(machine.chip)},
                {"rudnn", RUDNN_VERSION}};
}

bool rudnn::tuning::matches(const Object &entry, const Object &key) {
  return llvm::all_of(key, [&](const auto &field) {
    const llvm::json::Value *value = entry.get(field.first);
    bool isAny = field.first == "device" && field.second == "";
    return isAny || (value && *value == field.second);
  });
}
