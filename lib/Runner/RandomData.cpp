//===- RandomData.cpp - data made up for a run ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/RandomData.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

using namespace rudnn;
using namespace rudnn::runner;

static constexpr std::pair<llvm::StringLiteral, Fill> kNames[] = {
    {"normal", Fill::Normal},   {"positive", Fill::Positive},
    {"zeros", Fill::Zeros},     {"ones", Fill::Ones},
    {"signs", Fill::Signs},     {"large", Fill::Large},
    {"tiny", Fill::Tiny},       {"small", Fill::Small},
    {"spike", Fill::Spike},     {"scales", Fill::Scales},
    {"nan", Fill::Nan},         {"inf", Fill::Inf},
    {"zero-row", Fill::ZeroRow}};

std::optional<Fill> rudnn::runner::parseFill(llvm::StringRef name) {
  for (auto [text, kind] : kNames)
    if (text == name)
      return kind;
  return std::nullopt;
}

std::string rudnn::runner::getFillNames() {
  return llvm::join(llvm::make_first_range(kNames), ", ");
}

namespace {

/// The generator splitmix64 (Steele, Lea and Flood, 2014), by counter: the
/// standard library's distributions give other values on other systems.
class Random {
public:
  Random(uint64_t seed, uint64_t stream)
      : state(mix(seed + kGamma * (2 * stream + 1))) {}

  uint64_t bits(uint64_t index) const { return mix(state + kGamma * index); }

  /// In (0, 1).
  double uniform(uint64_t index) const {
    return (static_cast<double>(bits(index) >> 12) + 0.5) * 0x1p-52;
  }

  /// Standard normal, by the method of Box and Muller; indices 2k and 2k+1
  /// share their two uniform numbers.
  double normal(uint64_t index) const {
    uint64_t first = index & ~uint64_t(1);
    double radius = std::sqrt(-2 * std::log(uniform(first)));
    double angle = 2 * M_PI * uniform(first + 1);
    return radius * (index & 1 ? std::sin(angle) : std::cos(angle));
  }

private:
  static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t state;
};

/// Where an element is, and of what.
struct Position {
  uint64_t index;
  int64_t row, column, rows, columns;
};

double getLargeScale(ElementType type) {
  return type == ElementType::F16 ? 15000 : 7e9;
}

double getTinyScale(ElementType type) {
  return type == ElementType::F16 ? 1e-6 : 1e-40;
}

bool isMiddle(const Position &at) {
  return at.row == at.rows / 2 && at.column == at.columns / 2;
}

/// Normal numbers begin again after so many, a prime: a larger array is a copy
/// of them, and made as fast.
constexpr int64_t kPeriod = 33554393;

double make(Fill kind, const Random &random, ElementType type,
            const Position &at) {
  switch (kind) {
  case Fill::Normal:
    return random.normal(at.index % kPeriod);
  case Fill::Positive:
    return 0.5 + random.uniform(at.index);
  case Fill::Zeros:
    return 0;
  case Fill::Ones:
    return 1;
  case Fill::Signs:
    return random.bits(at.index) & 1 ? 1 : -1;
  case Fill::Large: {
    double limit = isFloat(type) ? getLargest(type) : 100;
    return std::clamp(getLargeScale(type) * random.normal(at.index), -limit,
                      limit);
  }
  case Fill::Tiny:
    return getTinyScale(type) * random.normal(at.index);
  case Fill::Small:
    return 1e-4;
  case Fill::Spike: {
    uint64_t where = random.bits(at.row) % at.columns;
    return where == static_cast<uint64_t>(at.column) ? 1000 : 1e-3;
  }
  case Fill::Scales:
    return random.normal(at.index) * std::pow(10.0, at.row % 3 * 3 - 3);
  case Fill::Nan:
    return isMiddle(at) ? NAN : random.normal(at.index);
  case Fill::Inf:
    return isMiddle(at) ? INFINITY : random.normal(at.index);
  case Fill::ZeroRow:
    return at.row % 2 ? 0 : random.normal(at.index);
  }
  llvm_unreachable("unknown fill");
}

} // namespace

/// Makes the first `count` elements of a view.
static void makeElements(const View &view, int64_t count, Fill kind,
                         const Random &random) {
  int64_t rows = view.getNumRows(), columns = view.getRowLength();
  // Elements, not rows, are shared out: a single long row is enough work too.
  int64_t step = view.getRowStride() * getSizeInBytes(view.type);
  parallelFor(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end;) {
      int64_t row = i / columns, column = i % columns;
      char *data = view.getRow(row) + column * step;
      for (; column < columns && i < end; ++column, ++i, data += step) {
        Position at = {static_cast<uint64_t>(i), row, column, rows, columns};
        storeElement(data, view.type, make(kind, random, view.type, at));
      }
    }
  });
}

/// Makes the rest of an array without gaps from its first period.
static void repeatPeriod(const View &view) {
  int64_t size = getSizeInBytes(view.type);
  parallelFor(view.getNumElements() - kPeriod, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin + kPeriod; i < end + kPeriod;) {
      int64_t from = i % kPeriod;
      int64_t count = std::min(end + kPeriod - i, kPeriod - from);
      std::memcpy(view.data + i * size, view.data + from * size, count * size);
      i += count;
    }
  });
}

void rudnn::runner::fill(const View &expanded, Fill kind, uint64_t seed,
                         uint64_t stream) {
  Random random(seed, stream);
  // Elements that share memory are one: threads must not race for its value.
  View view = expanded;
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides))
    if (stride == 0)
      size = std::min<int64_t>(size, 1);
  int64_t count = view.getNumElements();
  bool repeats = kind == Fill::Normal && count > kPeriod && view.isContiguous();
  makeElements(view, repeats ? kPeriod : count, kind, random);
  if (repeats)
    repeatPeriod(view);
}
