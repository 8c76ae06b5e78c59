//===- Arithmetic.h - the norm operators in f64 -----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RMSNorm and its gradients as their formulas say, on the exactly widened
// inputs, in f64, with one rounding at the end. Shares nothing with any
// lowering. M is the product of all axes but the last, N the last one.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_ARITHMETIC_H
#define RUDNN_REFERENCE_ARITHMETIC_H

#include "rudnn/Reference/View.h"

#include "llvm/Support/Error.h"

#include <optional>

namespace rudnn::reference {

/// Operands of the forward:
///   rstd[m] = 1 / sqrt(sum_n x[m,n]^2 / N + epsilon)
///   y[m,n]  = x[m,n] * rstd[m] * (gamma[n] + gammaOffset)
/// x, y: the same shape, of rank >= 1, N > 0; gamma: [N], absent: no affine
/// step; rstd: the leading shape of x, absent: not wanted.
struct RMSNorm {
  View x;
  std::optional<View> gamma;
  View y;
  std::optional<View> rstd;
  double epsilon;
  double gammaOffset;
};

/// Operands of the backward, with g[n] = gamma[n] + gammaOffset or 1:
///   c[m]            = sum_n dy[m,n] * g[n] * x[m,n] * rstd[m] / N
///   inputGrad[m,n]  = rstd[m] * (dy[m,n] * g[n] - x[m,n] * rstd[m] * c[m])
///   weightGrad[n]   = sum_m dy[m,n] * x[m,n] * rstd[m]
/// A gradient that is absent is not computed. With `accumulate`, the weight
/// gradient is added to what is there.
struct RMSNormBackward {
  View x;
  View dy;
  View rstd;
  std::optional<View> gamma;
  std::optional<View> inputGrad;
  std::optional<View> weightGrad;
  double gammaOffset;
  bool accumulate;
};

/// Computes the operator and leaves its shadows with the current Recorder, if
/// there is one. Operands whose sizes do not fit together are refused before
/// any memory is touched.
llvm::Error compute(const RMSNorm &op);
llvm::Error compute(const RMSNormBackward &op);

/// 1 / sqrt(mean(x^2) + epsilon) of each row of x, in f64.
std::vector<double> computeRstd(const View &x, double epsilon);

} // namespace rudnn::reference

#endif // RUDNN_REFERENCE_ARITHMETIC_H
