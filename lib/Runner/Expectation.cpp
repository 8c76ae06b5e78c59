//===- Expectation.cpp - what a result should be --------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Check.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace rudnn;
using namespace rudnn::runner;
using reference::Recorder;
using reference::Shadow;

/// What rounding to 16 bits may add to half an ulp, on ordinary data.
static constexpr double kStrictUlps = 0.52;
/// Error of f32 arithmetic where no shadow says more.
static constexpr double kLooseBudget = 4e-6;
/// Neighbours that values on the way may have been rounded to.
static constexpr double kLooseRoundings = 4;

static bool isNarrow(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16;
}

double Expectation::getScale(int64_t index) const {
  return scales ? scales[index] : std::abs(values[index]);
}

Measure Expectation::getMeasure(int64_t index, ElementType type) const {
  double ulp = getUlp(type, values[index]), scale = getScale(index);
  Measure measure;
  measure.tolerance =
      std::max(ulps * ulp + relative * scale, leastUlps * ulp) + absolute;
  measure.unit = ulp;
  if (tolerance == Tolerance::Strict && isNarrow(type))
    measure.unit = std::max(ulp, 2 * relative * scale);
  else if (scales && std::isfinite(scale))
    measure.unit = getUlp(type, scale);
  return measure;
}

static void setTolerance(Expectation &expectation, bool strict, double budget,
                         double floor, ElementType type, double coarsest) {
  expectation.tolerance = strict ? Tolerance::Strict : Tolerance::Loose;
  expectation.absolute = floor;
  expectation.relative = budget;
  expectation.ulps = isNarrow(type) ? 0.5 : 0;
  if (strict) {
    expectation.leastUlps = isNarrow(type) ? kStrictUlps : 0;
    return;
  }
  expectation.ulps = 0.5;
  expectation.relative += kLooseRoundings * coarsest;
}

/// The newest shadow of exactly this memory, if it is what is there now.
static const Shadow *findWhole(const View &view, const Recorder &recorder) {
  for (const Shadow &shadow : llvm::reverse(recorder.getShadows()))
    if (shadow.view.data == view.data && shadow.view.sizes == view.sizes &&
        shadow.view.strides == view.strides && shadow.view.type == view.type)
      return shadow.isLive() ? &shadow : nullptr;
  return nullptr;
}

/// The row-major number of the element at an address; none if it is not one.
static std::optional<int64_t> findElement(const View &view,
                                          const char *address) {
  int64_t elementSize = getSizeInBytes(view.type);
  int64_t distance = address - view.data;
  if (distance < 0 || distance % elementSize != 0)
    return std::nullopt;
  distance /= elementSize;
  int64_t index = 0;
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
    int64_t position = 0;
    if (stride != 0 && size != 1) {
      position = distance / stride;
      distance %= stride;
    }
    if (position >= size)
      return std::nullopt;
    index = index * size + position;
  }
  if (distance != 0)
    return std::nullopt;
  return index;
}

namespace {

/// Puts shadows of parts of a result over the values read from its memory.
class Overlay {
public:
  Overlay(const View &view, Expectation &expectation)
      : view(view), expectation(expectation),
        covered(view.getNumElements(), false) {}

  void add(const Shadow &shadow) {
    auto [begin, end] = view.getExtent();
    auto [shadowBegin, shadowEnd] = shadow.view.getExtent();
    if (shadow.view.type != view.type || shadowBegin < begin ||
        shadowEnd > end || shadowBegin == shadowEnd || !shadow.isLive())
      return;
    int64_t length = shadow.view.getRowLength();
    if (length > 1 && shadow.view.getRowStride() != view.getRowStride())
      return;
    for (int64_t row = 0; row < shadow.view.getNumRows(); ++row)
      if (std::optional<int64_t> first =
              findElement(view, shadow.view.getRow(row)))
        addRow(shadow, row * length, *first, length);
  }

  /// Whether every element is the result of an op on inputs of the program.
  bool isStrict() const {
    return exact && llvm::all_of(covered, [](bool value) { return value; });
  }
  double getBudget() const { return budget; }
  double getFloor() const { return floor; }

private:
  void addRow(const Shadow &shadow, int64_t from, int64_t to, int64_t length) {
    if (to % view.getRowLength() + length > view.getRowLength())
      return;
    for (int64_t i = 0; i < length; ++i) {
      expectation.ownValues[to + i] = shadow.values[from + i];
      expectation.ownScales[to + i] =
          static_cast<float>(shadow.getScale(from + i));
      covered[to + i] = true;
    }
    exact &= shadow.exactInputs;
    budget = std::max(budget, shadow.budget);
    floor = std::max(floor, shadow.floor);
  }

  const View &view;
  Expectation &expectation;
  std::vector<bool> covered;
  bool exact = true;
  double budget = 0, floor = 0;
};

} // namespace

/// Reads the values of a result, and gives each as its scale its magnitude or
/// the root mean square of its row.
static void loadWithRowScales(const View &view, Expectation &expectation) {
  int64_t length = view.getRowLength();
  expectation.ownValues.resize(view.getNumElements());
  expectation.ownScales.resize(view.getNumElements());
  parallelFor(view.getNumRows(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      double *values = &expectation.ownValues[row * length];
      loadRow(view.getRow(row), view.type, view.getRowStride(), length, values);
      double sum = 0;
      for (int64_t i = 0; i < length; ++i)
        if (std::isfinite(values[i]))
          sum += values[i] * values[i] / static_cast<double>(length);
      double size = std::sqrt(sum);
      for (int64_t i = 0; i < length; ++i)
        expectation.ownScales[row * length + i] =
            static_cast<float>(std::max(size, std::abs(values[i])));
    }
  });
  expectation.values = expectation.ownValues.data();
  expectation.scales = expectation.ownScales.data();
}

Expectation rudnn::runner::makeExpectation(const View &view,
                                           const Recorder &recorder,
                                           double coarsest) {
  Expectation expectation;
  if (const Shadow *shadow = findWhole(view, recorder)) {
    expectation.values = shadow->values.get();
    expectation.scales = shadow->scale.get();
    setTolerance(expectation, shadow->exactInputs, shadow->budget,
                 shadow->floor, view.type, coarsest);
    return expectation;
  }
  if (view.getNumElements() != 0)
    loadWithRowScales(view, expectation);
  if (!isFloat(view.type))
    return expectation;
  Overlay overlay(view, expectation);
  for (const Shadow &shadow : recorder.getShadows())
    overlay.add(shadow);
  bool strict = overlay.isStrict();
  setTolerance(expectation, strict,
               strict ? overlay.getBudget()
                      : std::max(overlay.getBudget(), kLooseBudget),
               overlay.getFloor(), view.type, coarsest);
  return expectation;
}

Expectation rudnn::runner::makeExpectation(const View &expected, double ulps) {
  Expectation expectation;
  if (expected.getNumElements() != 0)
    loadWithRowScales(expected, expectation);
  expectation.scales = nullptr;
  expectation.tolerance = Tolerance::Given;
  expectation.ulps = ulps;
  return expectation;
}
