//===- Backward.cpp - the gradients of RMSNorm in f64 ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "rudnn/Reference/Arithmetic.h"

#include <algorithm>
#include <cmath>

using namespace rudnn;
using namespace rudnn::reference;

/// What f32 arithmetic may do to the input gradient, relative to its scale.
constexpr double kInputGradBudget = 4e-6;

static llvm::Error checkOperands(const RMSNormBackward &op) {
  llvm::StringRef name = "norm.rms_norm_backward";
  llvm::ArrayRef<int64_t> shape = op.x.sizes;
  if (llvm::Error error = checkX(name, op.x))
    return error;
  if (llvm::Error error =
          checkShape(name, "dy", op.dy, "the shape of x", shape))
    return error;
  if (llvm::Error error = checkShape(
          name, "rstd", op.rstd, "the leading shape of x", shape.drop_back()))
    return error;
  if (op.gamma)
    if (llvm::Error error = checkShape(name, "gamma", *op.gamma,
                                       "shape [N] =", shape.take_back()))
      return error;
  if (op.inputGrad)
    if (llvm::Error error = checkShape(name, "input_grad", *op.inputGrad,
                                       "the shape of x", shape))
      return error;
  if (!op.weightGrad)
    return llvm::Error::success();
  return checkShape(name, "weight_grad", *op.weightGrad,
                    "shape [N] =", shape.take_back());
}

/// One row of the input gradient. The scale is what the error of a careful f32
/// computation is relative to: both terms of the difference, the second with
/// the magnitudes that went into the sum c, for c may cancel to nothing.
static void computeInputGradRow(llvm::ArrayRef<double> x,
                                llvm::ArrayRef<double> dy,
                                llvm::ArrayRef<double> weights, double rstd,
                                double *values, float *scale) {
  double columns = static_cast<double>(x.size());
  double c = 0, magnitude = 0;
  for (size_t n = 0; n < x.size(); ++n) {
    double term = dy[n] * weights[n] * x[n] * rstd / columns;
    c += term;
    magnitude += std::abs(term);
  }
  for (size_t n = 0; n < x.size(); ++n) {
    double first = dy[n] * weights[n], second = x[n] * rstd;
    values[n] = rstd * (first - second * c);
    scale[n] = static_cast<float>(
        std::abs(rstd) * (std::abs(first) + std::abs(second) * magnitude));
  }
}

static Shadow computeInputGrad(const RMSNormBackward &op,
                               llvm::ArrayRef<double> rstd) {
  const View &x = op.x, &dy = op.dy;
  int64_t columns = x.getRowLength();
  Shadow shadow = makeShadow("input_grad", *op.inputGrad);
  shadow.scale.reset(new float[x.getNumElements()]);
  std::vector<double> weights = loadWeights(op.gamma, op.gammaOffset, columns);
  parallelFor(x.getNumRows(), [&](int64_t begin, int64_t end) {
    std::vector<double> xRow(columns), dyRow(columns);
    for (int64_t m = begin; m < end; ++m) {
      loadRow(x.getRow(m), x.type, x.getRowStride(), columns, xRow.data());
      loadRow(dy.getRow(m), dy.type, dy.getRowStride(), columns, dyRow.data());
      computeInputGradRow(xRow, dyRow, weights, rstd[m],
                          &shadow.values[m * columns],
                          &shadow.scale[m * columns]);
    }
  });
  double largest = 1;
  for (double value : rstd)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  shadow.floor = getSmallest(ElementType::F32) * (1 + largest * largest);
  shadow.budget = kInputGradBudget;
  return shadow;
}

static Shadow computeWeightGrad(const RMSNormBackward &op,
                                llvm::ArrayRef<double> rstd) {
  const View &x = op.x, &dy = op.dy;
  int64_t rows = x.getNumRows(), columns = x.getRowLength();
  Shadow shadow = makeShadow("weight_grad", *op.weightGrad);
  shadow.scale.reset(new float[columns]);
  int64_t xStep = x.getRowStride() * getSizeInBytes(x.type);
  int64_t dyStep = dy.getRowStride() * getSizeInBytes(dy.type);
  // Columns, not rows, go to the threads: each sum is then in row order, and
  // there is nothing to merge.
  parallelFor(columns, [&](int64_t begin, int64_t end) {
    int64_t count = end - begin;
    std::vector<double> xRow(count), dyRow(count), sums(count), sizes(count);
    for (int64_t m = 0; m < rows; ++m) {
      loadRow(x.getRow(m) + begin * xStep, x.type, x.getRowStride(), count,
              xRow.data());
      loadRow(dy.getRow(m) + begin * dyStep, dy.type, dy.getRowStride(), count,
              dyRow.data());
      for (int64_t n = 0; n < count; ++n) {
        double term = dyRow[n] * xRow[n] * rstd[m];
        sums[n] += term;
        sizes[n] += std::abs(term);
      }
    }
    std::copy(sums.begin(), sums.end(), &shadow.values[begin]);
    std::copy(sizes.begin(), sizes.end(), &shadow.scale[begin]);
  });
  shadow.floor = getSmallest(ElementType::F32) * static_cast<double>(rows);
  shadow.budget = 2e-6 * std::log2(std::max<double>(rows, 1)) + 1e-6;
  return shadow;
}

/// Adds what is in the memory of the shadow already.
static void accumulate(Shadow &shadow) {
  std::vector<double> before = loadAll(shadow.view);
  for (auto [n, value] : llvm::enumerate(before)) {
    shadow.values[n] += value;
    shadow.scale[n] += static_cast<float>(std::abs(value));
  }
}

/// Whether the checked program has the same operands, but for f32 roundings of
/// rstd; sets `rstdComputed` if it has those.
static bool hasExactInputs(const RMSNormBackward &op, bool &rstdComputed) {
  Recorder *recorder = Recorder::get();
  if (!recorder || op.accumulate)
    return false;
  llvm::SmallVector<const View *> inputs = {&op.x, &op.dy};
  if (op.gamma)
    inputs.push_back(&*op.gamma);
  rstdComputed = !recorder->isInput(op.rstd);
  return areInputs(inputs) && (!rstdComputed || recorder->isExactRstd(op.rstd));
}

llvm::Error reference::compute(const RMSNormBackward &op) {
  if (llvm::Error error = checkOperands(op))
    return error;
  bool rstdComputed = false;
  bool exact = hasExactInputs(op, rstdComputed);
  // Both are computed before either is stored: an output may lie on an input.
  std::vector<double> rstd = loadAll(op.rstd);
  llvm::SmallVector<Shadow, 2> shadows;
  if (op.inputGrad)
    shadows.push_back(computeInputGrad(op, rstd));
  if (op.weightGrad)
    shadows.push_back(computeWeightGrad(op, rstd));
  if (op.weightGrad && op.accumulate)
    accumulate(shadows.back());
  for (Shadow &shadow : shadows) {
    shadow.exactInputs = exact;
    if (rstdComputed)
      shadow.budget *= 2;
    storeRounded(shadow);
    if (Recorder *recorder = Recorder::get())
      recorder->add(std::move(shadow));
  }
  return llvm::Error::success();
}
