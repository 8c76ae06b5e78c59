//===- RowCut.h - Rows cut for threads --------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWCUT_H
#define RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWCUT_H

#include <cstdint>

namespace rudnn::norm {

/// A row of `units` vectors, `pieces` of them for each of `threads` threads.
struct RowCut {
  int64_t threads, pieces;

  /// The cut with about `pieces` pieces, more where a block has too few threads
  /// for that. One without rest goes before others; among those, one with up to
  /// twice the pieces before one with as many if `moreIsBetter`, since fewer
  /// threads have less to wait for. With a rest, little of it is worth a few
  /// pieces more or less.
  static RowCut choose(int64_t units, int64_t pieces, bool moreIsBetter);
};

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_TRANSFORMS_ROWCUT_H
