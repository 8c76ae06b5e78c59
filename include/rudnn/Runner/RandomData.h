//===- RandomData.h - data made up for a run --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_RANDOMDATA_H
#define RUDNN_RUNNER_RANDOMDATA_H

#include "rudnn/Reference/View.h"

#include <optional>

namespace rudnn::runner {

/// What to fill an input with. Each puts a different strain on a norm.
enum class Fill {
  Normal,   ///< standard normal
  Positive, ///< uniform in [0.5, 1.5)
  Zeros,
  Ones,
  Signs, ///< +1 and -1 at random
  Large, ///< normal near the top: squares overflow f16, or near it (7e9) in f32
  Tiny,  ///< normal, scaled to the denormals of 16-bit types (1e-40 in f32)
  Small, ///< 1e-4, all of them
  Spike, ///< 1e-3, and a 1000 somewhere in each row
  Scales, ///< normal times 1e-3, 1, 1e3 in turn from row to row
  Nan,    ///< normal, with a NaN in the row in the middle
  Inf,    ///< normal, with an infinity in the row in the middle
  ZeroRow ///< normal; every other row is zero
};

/// The fill of a name as the command line has it, such as "zero-row".
std::optional<Fill> parseFill(llvm::StringRef name);

/// All names, separated by ", ".
std::string getFillNames();

/// Fills a view. Element i gets a value that depends on `seed`, `stream` and i
/// alone: neither on the number of threads nor on the layout, but that an axis
/// of stride 0 counts as one element. Normal numbers repeat after 2^25 or so.
void fill(const View &view, Fill kind, uint64_t seed, uint64_t stream);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_RANDOMDATA_H
