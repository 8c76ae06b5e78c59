//===- Shapes.h - the sizes of a run ----------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_SHAPES_H
#define RUDNN_RUNNER_SHAPES_H

#include "rudnn/Runner/Program.h"

#include <map>

namespace rudnn::runner {

using Shape = llvm::SmallVector<int64_t, 4>;

/// What is known about sizes from outside the module.
struct SizeSources {
  /// Size of each dynamic leading axis that nothing else fixes.
  std::optional<int64_t> rows;
  /// Size of each dynamic last axis of rows that nothing else fixes.
  std::optional<int64_t> columns;
  /// Shapes of the arguments that are given, by argument number.
  std::map<unsigned, Shape> given;
};

/// Gives every argument a size along each axis: from its type, from what is
/// given for it, from an axis that a norm op makes equal to it, or else from
/// `rows` and `columns`. Refuses what does not fit a type, or what a norm op
/// could not take, naming the operand and both shapes.
llvm::Expected<std::vector<Shape>> resolveShapes(const Program &program,
                                                 const SizeSources &sources);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_SHAPES_H
