//===- Check.cpp - compare results with what they should be ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace rudnn;
using namespace rudnn::runner;

namespace {

/// What is summed up over a block of rows.
struct Summary {
  int64_t numWrong = 0, numMeasured = 0, worst = -1;
  double maxError = 0, sum = 0, signedSum = 0, maxRowBias = 0, maxRelative = 0;
  double worstRatio = -1;

  void note(int64_t index, double ratio) {
    if (ratio > 1)
      ++numWrong;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      worst = index;
    }
  }

  void merge(const Summary &other) {
    numWrong += other.numWrong;
    numMeasured += other.numMeasured;
    maxError = std::max(maxError, other.maxError);
    sum += other.sum;
    signedSum += other.signedSum;
    maxRowBias = std::max(maxRowBias, other.maxRowBias);
    maxRelative = std::max(maxRelative, other.maxRelative);
    if (other.worstRatio > worstRatio) {
      worstRatio = other.worstRatio;
      worst = other.worst;
    }
  }
};

class Comparator {
public:
  Comparator(const View &result, const Expectation &expectation)
      : result(result), expectation(expectation) {}

  Summary run() const {
    // As many blocks on every machine, merged in order: so the sums are the
    // same everywhere.
    constexpr int64_t kBlocks = 256;
    std::vector<Summary> blocks(kBlocks);
    int64_t rows = result.getNumRows();
    parallelFor(kBlocks, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block)
        for (int64_t row = rows * block / kBlocks,
                     stop = rows * (block + 1) / kBlocks;
             row < stop; ++row)
          addRow(blocks[block], row);
    });
    Summary total;
    for (const Summary &block : blocks)
      total.merge(block);
    return total;
  }

private:
  void addRow(Summary &summary, int64_t row) const {
    int64_t length = result.getRowLength(), measured = 0;
    std::vector<double> values(length);
    loadRow(result.getRow(row), result.type, result.getRowStride(), length,
            values.data());
    double signedSum = 0;
    for (int64_t i = 0; i < length; ++i) {
      int64_t index = row * length + i;
      double error = values[i] - expectation.values[index];
      Measure measure = getMeasure(index);
      summary.note(index, getRatio(index, values[i], measure.tolerance));
      if (!std::isfinite(error))
        continue;
      double scale = expectation.getScale(index);
      if (scale != 0)
        summary.maxRelative =
            std::max(summary.maxRelative, std::abs(error) / scale);
      error /= measure.unit;
      ++measured;
      signedSum += error;
      summary.sum += std::abs(error);
      summary.maxError = std::max(summary.maxError, std::abs(error));
    }
    summary.numMeasured += measured;
    summary.signedSum += signedSum;
    if (measured != 0)
      summary.maxRowBias =
          std::max(summary.maxRowBias,
                   std::abs(signedSum) / static_cast<double>(measured));
  }

  Measure getMeasure(int64_t index) const {
    if (!isFloat(result.type))
      return {/*tolerance=*/0, /*unit=*/1};
    return expectation.getMeasure(index, result.type);
  }

  /// Error as a part of the tolerance; above 1 is wrong.
  double getRatio(int64_t index, double got, double tolerance) const {
    double expected = expectation.values[index];
    if (std::isnan(expected) || std::isnan(got))
      return std::isnan(expected) && std::isnan(got) ? 0 : INFINITY;
    if (std::isinf(expected) || !isFloat(result.type))
      return got == expected ? 0 : INFINITY;
    if (std::isinf(got)) {
      // Right if a number within the tolerance would round to infinity.
      double reach = std::abs(expected) + tolerance;
      bool rounds = std::isinf(roundTo(result.type, reach));
      return rounds && std::signbit(got) == std::signbit(expected) ? 0
                                                                   : INFINITY;
    }
    if (tolerance == 0)
      return got == expected && std::signbit(got) == std::signbit(expected)
                 ? 0
                 : INFINITY;
    return std::abs(got - expected) / tolerance;
  }

  const View &result;
  const Expectation &expectation;
};

} // namespace

static llvm::SmallVector<int64_t, 4> unflatten(int64_t index,
                                               llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> position(shape.size());
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 1; axis >= 0;
       --axis) {
    position[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return position;
}

Comparison rudnn::runner::compare(std::string name, const View &result,
                                  const Expectation &expectation) {
  Comparison comparison;
  comparison.name = std::move(name);
  comparison.type = result.type;
  comparison.shape = result.sizes;
  comparison.tolerance =
      isFloat(result.type) ? expectation.tolerance : Tolerance::Exact;
  if (result.getNumElements() == 0)
    return comparison;
  Summary summary = Comparator(result, expectation).run();
  comparison.numWrong = summary.numWrong;
  comparison.maxError = summary.maxError;
  comparison.maxRelative = summary.maxRelative;
  comparison.maxRowBias = summary.maxRowBias;
  if (summary.numMeasured != 0) {
    double count = static_cast<double>(summary.numMeasured);
    comparison.meanError = summary.sum / count;
    comparison.bias = summary.signedSum / count;
  }
  comparison.worst = unflatten(summary.worst, result.sizes);
  comparison.worstRatio = summary.worstRatio;
  comparison.got = loadElement(result.getElement(summary.worst), result.type);
  comparison.expected = expectation.values[summary.worst];
  return comparison;
}

static llvm::StringRef describe(Tolerance tolerance) {
  constexpr llvm::StringLiteral names[] = {"strict", "loose", "exact", "given"};
  return names[static_cast<int>(tolerance)];
}

/// A number with all the digits that tell it from its neighbours.
static std::string formatNumber(double value) {
  char text[40];
  snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

static std::string formatShort(double value) {
  char text[40];
  snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

std::string Comparison::format() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t count = llvm::product_of(shape);
  os << llvm::formatv("{0}: {1}, {2} {3}", name, isGood() ? "ok" : "FAIL",
                      getName(type), formatShape(shape));
  if (count == 0)
    return text + ", no elements";
  llvm::StringRef unit = isFloat(type) ? " ulp" : "";
  os << ", max error " << formatShort(maxError) << unit << " (relative "
     << formatShort(maxRelative) << "), mean " << formatShort(meanError)
     << ", bias " << formatShort(bias) << ", row bias "
     << formatShort(maxRowBias) << "; worst at " << formatShape(worst)
     << ": got " << formatNumber(got) << ", expected " << formatNumber(expected)
     << ", " << formatShort(worstRatio) << " of the " << describe(tolerance)
     << " tolerance";
  if (!isGood())
    os << "; " << numWrong << " of " << count << " elements are wrong";
  return text;
}

/// JSON has no NaN and no infinity: those go as text.
static llvm::json::Value toNumber(double value) {
  if (std::isfinite(value))
    return value;
  return formatNumber(value);
}

llvm::json::Object Comparison::toJSON() const {
  llvm::json::Object object{
      {"name", name},
      {"ok", isGood()},
      {"type", getName(type)},
      {"shape", llvm::json::Array(shape)},
      {"tolerance", describe(tolerance)},
      {"wrong_elements", numWrong},
      {"max_error_ulp", maxError},
      {"max_relative_error", maxRelative},
      {"mean_error_ulp", meanError},
      {"bias_ulp", bias},
      {"max_row_bias_ulp", maxRowBias},
  };
  if (worst.empty() && !shape.empty())
    return object;
  object["worst"] = llvm::json::Object{
      {"index", llvm::json::Array(worst)},
      {"got", toNumber(got)},
      {"expected", toNumber(expected)},
      {"error_per_tolerance", toNumber(worstRatio)},
  };
  return object;
}
