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

#include <algorithm>
#include <limits>
#include <thread>

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

namespace {
/// How rows lie in memory; an op is as the operand with the last of these.
enum class Layout { Contiguous, Strided, Expanded };
} // namespace

static Layout getLayout(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getLayout().isIdentity())
    return Layout::Contiguous;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return Layout::Strided;
  if (llvm::is_contained(strides, 0))
    return Layout::Expanded;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (stride != expected)
      return Layout::Strided;
    // Only the outermost size may be unknown.
    expected =
        ShapedType::isDynamic(size) ? ShapedType::kDynamic : expected * size;
  }
  return Layout::Contiguous;
}

/// How rows lie in memory, as far as the text tells: tensors from elsewhere
/// have no gaps.
static Layout getLayout(Value value) {
  if (auto memref = dyn_cast<MemRefType>(value.getType()))
    return getLayout(memref);
  while (Operation *op = value.getDefiningOp()) {
    if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op))
      return getLayout(cast<MemRefType>(buffer.getBuffer().getType()));
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
        slice && !isRangeOfRows(slice))
      return Layout::Strided;
    if (!isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op))
      return Layout::Contiguous;
    value = op->getOperand(0);
  }
  return Layout::Contiguous;
}

static StringRef describeLayout(norm::RowwiseOpInterface op) {
  auto last = Layout::Contiguous;
  for (OpOperand &operand : op->getOpOperands())
    if (op.getOperandRole(operand.getOperandNumber()) ==
        norm::OperandRole::Rows)
      last = std::max(last, getLayout(operand.get()));
  constexpr StringLiteral names[] = {"contiguous", "strided", "expanded"};
  return names[static_cast<int>(last)];
}

static llvm::json::Value describeSize(int64_t size) {
  if (ShapedType::isDynamic(size))
    return "dynamic";
  return size;
}

/// One entry serves about as many rows.
static int64_t getBucket(int64_t rows) {
  return int64_t(llvm::bit_ceil(uint64_t(rows)));
}

/// Its value is a constant of the code, which takes as long with any other of
/// the class.
static StringRef describeEpsilon(norm::RowwiseOpInterface op) {
  auto forward = dyn_cast<norm::RMSNormOp>(op.getOperation());
  if (!forward)
    return "none";
  double value = forward.getEpsilon().convertToDouble();
  return value < std::numeric_limits<float>::min() ? "subnormal" : "normal";
}

static bool addsToGamma(norm::RowwiseOpInterface op) {
  if (auto forward = dyn_cast<norm::RMSNormOp>(op.getOperation()))
    return !forward.getGammaOffset().isZero();
  auto backward = dyn_cast<norm::RMSNormBackwardOp>(op.getOperation());
  return backward && !backward.getGammaOffset().isZero();
}

std::string rudnn::tuning::describe(const Machine &machine) {
  std::string text = machine.device.empty() ? machine.chip : machine.device;
  if (machine.driver != 0)
    text += " with driver " + std::to_string(machine.driver);
  if (machine.threads != 0)
    text += " with " + std::to_string(machine.threads) +
            (machine.threads == 1 ? " thread" : " threads");
  return text;
}

int64_t rudnn::tuning::resolveThreads(int64_t threads) {
  return threads > 0 ? threads
                     : std::max(1u, std::thread::hardware_concurrency());
}

static void addMachine(const Machine &machine, Object &key) {
  StringRef chip = getGenericChip(machine.chip);
  key["device"] = machine.device;
  key["chip"] = chip;
  bool isGPU = chip.starts_with("sm_");
  key[isGPU ? "driver" : "threads"] = isGPU ? machine.driver : machine.threads;
}

Object rudnn::tuning::makeTuningKey(norm::RowwiseOpInterface op,
                                    const Machine &machine, int64_t rows) {
  auto inits = cast<DestinationStyleOpInterface>(op.getOperation());
  Object inputs, results;
  for (OpOperand &operand : op->getOpOperands()) {
    Object &types = inits.isDpsInit(&operand) ? results : inputs;
    types[op.getOperandName(operand.getOperandNumber())] =
        print(getElementTypeOrSelf(operand.get().getType()));
  }
  auto backward = dyn_cast<norm::RMSNormBackwardOp>(op.getOperation());
  norm::ScheduleProblem problem(op);
  if (problem.hasRows())
    rows = std::max<int64_t>(problem.rows, 1);
  Object key{{"op", op->getName().getStringRef()},
             {"inputs", std::move(inputs)},
             {"results", std::move(results)},
             {"accumulate", backward && backward.getAccumulate()},
             {"gamma_offset", addsToGamma(op)},
             {"epsilon", describeEpsilon(op)},
             {"columns", describeSize(problem.columns)},
             {"rows", rows == 0 ? 0 : getBucket(rows)},
             {"dynamic_rows", !problem.hasRows()},
             {"layout", describeLayout(op)},
             {"rudnn", RUDNN_VERSION}};
  addMachine(machine, key);
  return key;
}

bool rudnn::tuning::matches(const Object &entry, const Object &key) {
  return llvm::all_of(key, [&](const auto &field) {
    const llvm::json::Value *value = entry.get(field.first);
    bool isAny = field.second == "" || field.second == 0;
    return isAny || (value && *value == field.second);
  });
}
