//===- ElementType.h - element types in host memory -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types that the reference and the runner can hold in memory, their
// exact widening to f64 and their correctly rounded narrowing from f64. None of
// it uses the compiler's or the machine's 16-bit conversions: those are what is
// being checked.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_ELEMENTTYPE_H
#define RUDNN_REFERENCE_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace rudnn {

/// An element type. The values are part of the ABI between the functions that
/// `norm-to-reference` calls and the code that calls them.
enum class ElementType : int64_t {
  F32 = 0,
  F16 = 1,
  BF16 = 2,
  F64 = 3,
  I8 = 4,
  I16 = 5,
  I32 = 6,
  I64 = 7
};

/// Size of one element in bytes.
int64_t getSizeInBytes(ElementType type);

/// The name MLIR gives the type, such as "bf16".
llvm::StringRef getName(ElementType type);

bool isFloat(ElementType type);

/// Reads one element; exact but for i64 beyond 2^53.
double loadElement(const void *address, ElementType type);

/// Writes one element: floats rounded to nearest even, once; integers
/// truncated.
void storeElement(void *address, ElementType type, double value);

/// The same for `count` elements, `stride` elements apart.
void loadRow(const char *data, ElementType type, int64_t stride, int64_t count,
             double *values);
void storeRow(char *data, ElementType type, int64_t stride, int64_t count,
              const double *values);

/// `value` rounded to `type`, as storeElement does.
double roundTo(ElementType type, double value);

/// The distance between neighbours of `type` in the binade of a finite `value`
/// (of the smallest normal binade, below it). `type` must be a float.
double getUlp(ElementType type, double value);

/// Half the ulp of 1: 2^-24 for f32, 2^-11 for f16, 2^-8 for bf16.
double getUnitRoundoff(ElementType type);

/// The largest finite value.
double getLargest(ElementType type);

/// The smallest positive value, a denormal.
double getSmallest(ElementType type);

} // namespace rudnn

#endif // RUDNN_REFERENCE_ELEMENTTYPE_H
