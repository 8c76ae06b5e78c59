//===- Check.h - compare results with what they should be -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tolerances. With u the unit roundoff of the result's type (half an ulp of
// 1), a result is right where |got - expected| is at most
//
//   Strict  the result of a norm op on inputs of the program, compared with the
//           f64 value before rounding:
//             f32           budget * scale
//             f16, bf16     0.52 ulp, or (1/2 ulp + budget * scale) if larger
//           budget: 4e-6 for y and the input gradient, 2e-6 for rstd,
//           2e-6 * log2(M) + 1e-6 for the weight gradient; twice that for a
//           gradient whose rstd the program computed itself. scale: the value
//           itself, but the sum of the magnitudes of what is added or
//           subtracted for gradients (see Arithmetic.h).
//   Loose   everything else, compared with what the rounding reference program
//           wrote: 1/2 ulp + (4e-6 + 4 w) * scale, with w the unit roundoff of
//           the coarsest float type in the function, for any value on the way
//           may have been rounded to the neighbour. scale: as above after a
//           norm op, else the value, or the root mean square of its row if that
//           is larger.
//   Exact   integers, which have to be equal.
//
// NaN and infinities have to be where the reference has them.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_CHECK_H
#define RUDNN_RUNNER_CHECK_H

#include "rudnn/Reference/Recorder.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace rudnn::runner {

enum class Tolerance { Strict, Loose, Exact, Given };

/// How one result compares.
struct Comparison {
  std::string name;
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  Tolerance tolerance = Tolerance::Strict;
  /// Elements outside the tolerance.
  int64_t numWrong = 0;
  /// Errors in units (Measure::unit; absolute for integers): largest,
  /// mean magnitude, mean with sign, and the largest mean with sign of a row.
  double maxError = 0, meanError = 0, bias = 0, maxRowBias = 0;
  /// Largest error, relative to the scale.
  double maxRelative = 0;
  /// The element nearest to or furthest over its tolerance: where, what, and
  /// its error as a part of the tolerance.
  llvm::SmallVector<int64_t, 4> worst;
  double got = 0, expected = 0, worstRatio = 0;

  bool isGood() const { return numWrong == 0; }
  std::string format() const;
  llvm::json::Object toJSON() const;
};

/// What the error of an element is measured by.
struct Measure {
  double tolerance;
  /// What errors are counted in: the ulp of the scale; for a result in 16 bits
  /// the ulp of the value, unless the f32 error allowed for is more than half
  /// of that.
  double unit;
};

/// What a result is compared with, row-major. Moving it is cheap, copying is
/// not possible.
struct Expectation {
  Tolerance tolerance = Tolerance::Exact;
  const double *values = nullptr;
  /// What errors are relative to; null: the magnitudes of the values.
  const float *scales = nullptr;
  /// Tolerated error: ulps * ulp(value) + relative * scale + absolute, and at
  /// least leastUlps * ulp(value).
  double ulps = 0, relative = 0, absolute = 0, leastUlps = 0;
  /// Where values and scales are, unless with a shadow.
  std::vector<double> ownValues;
  std::vector<float> ownScales;

  Expectation() = default;
  Expectation(Expectation &&) = default;
  Expectation &operator=(Expectation &&) = default;

  double getScale(int64_t index) const;
  Measure getMeasure(int64_t index, ElementType type) const;
};

/// What the shadows tell about a result of the reference run, which lies at
/// `reference`; `coarsest` is the unit roundoff of the coarsest float type.
/// Must not outlive the recorder.
Expectation makeExpectation(const View &reference,
                            const reference::Recorder &recorder,
                            double coarsest);

/// An expectation from outside: `ulps` units in the last place of the result's
/// type; 0 asks for the same bits.
Expectation makeExpectation(const View &expected, double ulps);

/// Compares all elements of a result.
Comparison compare(std::string name, const View &result,
                   const Expectation &expectation);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_CHECK_H
