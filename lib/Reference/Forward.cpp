//===- Forward.cpp - RMSNorm in f64 ---------------------------------------===//
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

/// What f32 arithmetic may do to y and to rstd, relative; half of y's for rstd,
/// on which y depends.
constexpr double kYBudget = 4e-6;
constexpr double kRstdBudget = 2e-6;

static llvm::Error checkOperands(const RMSNorm &op) {
  llvm::StringRef name = "norm.rms_norm";
  llvm::ArrayRef<int64_t> shape = op.x.sizes;
  if (llvm::Error error = checkX(name, op.x))
    return error;
  if (op.gamma)
    if (llvm::Error error = checkShape(name, "gamma", *op.gamma,
                                       "shape [N] =", shape.take_back()))
      return error;
  if (llvm::Error error = checkShape(name, "y", op.y, "the shape of x", shape))
    return error;
  if (!op.rstd)
    return llvm::Error::success();
  return checkShape(name, "rstd", *op.rstd, "the leading shape of x",
                    shape.drop_back());
}

static double computeRowRstd(llvm::ArrayRef<double> x, double epsilon) {
  double sum = 0;
  for (double value : x)
    sum += value * value;
  return 1 / std::sqrt(sum / static_cast<double>(x.size()) + epsilon);
}

std::vector<double> reference::computeRstd(const View &x, double epsilon) {
  int64_t columns = x.getRowLength();
  std::vector<double> rstd(x.getNumRows());
  parallelFor(x.getNumRows(), [&](int64_t begin, int64_t end) {
    std::vector<double> row(columns);
    for (int64_t m = begin; m < end; ++m) {
      loadRow(x.getRow(m), x.type, x.getRowStride(), columns, row.data());
      rstd[m] = computeRowRstd(row, epsilon);
    }
  });
  return rstd;
}

/// Fills the values of y, given those of rstd.
static void computeY(const RMSNorm &op, llvm::ArrayRef<double> rstd,
                     double *y) {
  int64_t columns = op.x.getRowLength();
  std::vector<double> weights = loadWeights(op.gamma, op.gammaOffset, columns);
  parallelFor(op.x.getNumRows(), [&](int64_t begin, int64_t end) {
    for (int64_t m = begin; m < end; ++m) {
      double *row = y + m * columns;
      loadRow(op.x.getRow(m), op.x.type, op.x.getRowStride(), columns, row);
      for (int64_t n = 0; n < columns; ++n)
        row[n] = row[n] * rstd[m] * weights[n];
    }
  });
}

llvm::Error reference::compute(const RMSNorm &op) {
  if (llvm::Error error = checkOperands(op))
    return error;
  llvm::SmallVector<const View *> inputs = {&op.x};
  if (op.gamma)
    inputs.push_back(&*op.gamma);
  // Before anything is written: an output may lie on an input.
  bool exact = areInputs(inputs), exactX = areInputs({&op.x});
  std::vector<double> rstd = computeRstd(op.x, op.epsilon);
  Shadow y = makeShadow("y", op.y);
  computeY(op, rstd, y.values.get());
  y.budget = kYBudget;
  // A product of two of the three factors may be denormal, and scaled up by
  // the third.
  y.floor = getSmallest(ElementType::F32) * (1 + 1 / std::sqrt(op.epsilon));
  y.exactInputs = exact;
  storeRounded(y);
  Recorder *recorder = Recorder::get();
  if (op.rstd) {
    Shadow shadow = makeShadow("rstd", *op.rstd);
    std::copy(rstd.begin(), rstd.end(), shadow.values.get());
    shadow.budget = kRstdBudget;
    shadow.exactInputs = exactX;
    storeRounded(shadow);
    if (recorder)
      recorder->add(std::move(shadow));
  }
  if (recorder)
    recorder->add(std::move(y));
  return llvm::Error::success();
}
