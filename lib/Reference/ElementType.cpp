//===- ElementType.cpp - element types in host memory ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Reference/ElementType.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace rudnn;

namespace {

/// A binary floating-point format of at most 16 bits, IEEE style.
struct Format {
  int mantissaBits;
  int exponentBits;
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int minExponent() const { return 1 - bias(); }
  uint16_t infinity() const {
    return ((1u << exponentBits) - 1) << mantissaBits;
  }
};

constexpr Format kF16{10, 5};
constexpr Format kBF16{7, 8};

template <typename T> T loadAs(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

template <typename T> void storeAs(void *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

/// 2^exponent; std::ldexp is slow where it does nothing special.
double getPowerOfTwo(int exponent) {
  if (exponent < -1022 || exponent > 1023)
    return std::ldexp(1.0, exponent);
  return llvm::bit_cast<double>(uint64_t(exponent + 1023) << 52);
}

/// The exponent of a finite number that is not zero.
int getExponent(double value) {
  int biased = (llvm::bit_cast<uint64_t>(value) >> 52) & 0x7ff;
  return biased == 0 ? std::ilogb(value) : biased - 1023;
}

double widen(uint16_t bits, const Format &format) {
  int exponent = (bits & 0x7fff) >> format.mantissaBits;
  double mantissa = bits & ((1u << format.mantissaBits) - 1);
  double magnitude;
  if (exponent == (1 << format.exponentBits) - 1)
    magnitude = mantissa == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    magnitude =
        mantissa * getPowerOfTwo(format.minExponent() - format.mantissaBits);
  else
    magnitude = (mantissa + (1u << format.mantissaBits)) *
                getPowerOfTwo(exponent - format.bias() - format.mantissaBits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Rounds to nearest even on the bits of the double, so that there is exactly
/// one rounding; a way over f32 could round twice.
uint16_t narrow(double value, const Format &format) {
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = (bits >> 48) & 0x8000;
  int exponent = ((bits >> 52) & 0x7ff) - 1023;
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 1024)
    return sign | format.infinity() |
           (fraction ? 1u << (format.mantissaBits - 1) : 0);
  int below = std::max(0, format.minExponent() - exponent);
  int shift = 52 - format.mantissaBits + below;
  if (shift > 54 || exponent == -1023)
    return sign; // Under half of the smallest denormal.
  uint64_t significand = fraction | (uint64_t(1) << 52);
  uint64_t rounded = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  rounded += rest > half || (rest == half && (rounded & 1));
  // A carry out of the significand moves into the exponent by itself.
  uint64_t magnitude = rounded;
  if (below == 0)
    magnitude += uint64_t(exponent + format.bias() - 1) << format.mantissaBits;
  return sign | std::min<uint64_t>(magnitude, format.infinity());
}

/// Number of stored significand bits and exponent of the smallest normal.
std::pair<int, int> getPrecision(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return {23, -126};
  case ElementType::F16:
    return {kF16.mantissaBits, kF16.minExponent()};
  case ElementType::BF16:
    return {kBF16.mantissaBits, kBF16.minExponent()};
  case ElementType::F64:
    return {52, -1022};
  default:
    llvm_unreachable("integers have no ulp");
  }
}

} // namespace

int64_t rudnn::getSizeInBytes(ElementType type) {
  switch (type) {
  case ElementType::I8:
    return 1;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::I16:
    return 2;
  case ElementType::F32:
  case ElementType::I32:
    return 4;
  case ElementType::F64:
  case ElementType::I64:
    return 8;
  }
  llvm_unreachable("unknown element type");
}

llvm::StringRef rudnn::getName(ElementType type) {
  constexpr llvm::StringLiteral names[] = {"f32", "f16", "bf16", "f64",
                                           "i8",  "i16", "i32",  "i64"};
  return names[static_cast<int64_t>(type)];
}

bool rudnn::isFloat(ElementType type) {
  return static_cast<int64_t>(type) <= static_cast<int64_t>(ElementType::F64);
}

/// Calls `body` with what loads an element of a type.
template <typename Body>
static decltype(auto) withLoader(ElementType type, Body body) {
  switch (type) {
  case ElementType::F32:
    return body([](const char *at) -> double { return loadAs<float>(at); });
  case ElementType::F16:
    return body(
        [](const char *at) { return widen(loadAs<uint16_t>(at), kF16); });
  case ElementType::BF16:
    return body([](const char *at) -> double {
      return llvm::bit_cast<float>(uint32_t(loadAs<uint16_t>(at)) << 16);
    });
  case ElementType::F64:
    return body([](const char *at) { return loadAs<double>(at); });
  case ElementType::I8:
    return body([](const char *at) -> double { return loadAs<int8_t>(at); });
  case ElementType::I16:
    return body([](const char *at) -> double { return loadAs<int16_t>(at); });
  case ElementType::I32:
    return body([](const char *at) -> double { return loadAs<int32_t>(at); });
  case ElementType::I64:
    return body([](const char *at) { return double(loadAs<int64_t>(at)); });
  }
  llvm_unreachable("unknown element type");
}

/// Calls `body` with what stores an element of a type.
template <typename Body> static void withStorer(ElementType type, Body body) {
  switch (type) {
  case ElementType::F32:
    return body([](char *at, double v) { storeAs(at, float(v)); });
  case ElementType::F16:
    return body([](char *at, double v) { storeAs(at, narrow(v, kF16)); });
  case ElementType::BF16:
    return body([](char *at, double v) { storeAs(at, narrow(v, kBF16)); });
  case ElementType::F64:
    return body([](char *at, double v) { storeAs(at, v); });
  case ElementType::I8:
    return body([](char *at, double v) { storeAs(at, int8_t(v)); });
  case ElementType::I16:
    return body([](char *at, double v) { storeAs(at, int16_t(v)); });
  case ElementType::I32:
    return body([](char *at, double v) { storeAs(at, int32_t(v)); });
  case ElementType::I64:
    return body([](char *at, double v) { storeAs(at, int64_t(v)); });
  }
  llvm_unreachable("unknown element type");
}

double rudnn::loadElement(const void *address, ElementType type) {
  return withLoader(type, [&](auto load) {
    return load(static_cast<const char *>(address));
  });
}

void rudnn::storeElement(void *address, ElementType type, double value) {
  withStorer(type,
             [&](auto store) { store(static_cast<char *>(address), value); });
}

void rudnn::loadRow(const char *data, ElementType type, int64_t stride,
                    int64_t count, double *values) {
  int64_t step = stride * getSizeInBytes(type);
  withLoader(type, [&](auto load) {
    for (int64_t i = 0; i < count; ++i)
      values[i] = load(data + i * step);
  });
}

void rudnn::storeRow(char *data, ElementType type, int64_t stride,
                     int64_t count, const double *values) {
  int64_t step = stride * getSizeInBytes(type);
  withStorer(type, [&](auto store) {
    for (int64_t i = 0; i < count; ++i)
      store(data + i * step, values[i]);
  });
}

double rudnn::roundTo(ElementType type, double value) {
  char buffer[8];
  storeElement(buffer, type, value);
  return loadElement(buffer, type);
}

double rudnn::getUlp(ElementType type, double value) {
  auto [mantissaBits, minExponent] = getPrecision(type);
  int exponent = value == 0 ? minExponent : getExponent(value);
  return getPowerOfTwo(std::max(exponent, minExponent) - mantissaBits);
}

double rudnn::getUnitRoundoff(ElementType type) {
  return std::ldexp(1.0, -getPrecision(type).first - 1);
}

double rudnn::getLargest(ElementType type) {
  auto [mantissaBits, minExponent] = getPrecision(type);
  return std::ldexp(2.0 - std::ldexp(1.0, -mantissaBits), 1 - minExponent);
}

double rudnn::getSmallest(ElementType type) { return getUlp(type, 0); }
