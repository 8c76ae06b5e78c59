//===- WrittenRows.h - Where an op writes its rows --------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads write rows in any order, so rows must not overlap (constraint c10):
// an axis must step over all that axes of smaller strides reach, columns too.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_DIALECT_NORM_IR_WRITTENROWS_H
#define RUDNN_LIB_DIALECT_NORM_IR_WRITTENROWS_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

namespace rudnn::norm {

/// The rows, or values per row, that an op writes to a memref, as far as its
/// type says where they lie.
class WrittenRows {
public:
  /// None for an operand that holds no such thing.
  static std::optional<WrittenRows> get(RowwiseOpInterface op,
                                        mlir::OpOperand &operand);

  /// The axes along which rows, or values, are counted.
  int64_t getNumAxes() const { return sizes.size(); }
  int64_t getStride(int64_t axis) const { return strides[axis]; }
  /// The elements of a row: one where there is one value per row.
  int64_t getColumns() const { return columns; }

  /// What `axis` must step over at least: more perhaps where only a run knows.
  uint64_t getLeastStep(int64_t axis) const;
  /// Whether it can't step over as much.
  bool mustOverlap(int64_t axis) const;
  /// Whether only a run knows if it does.
  bool mayOverlap(int64_t axis) const;

  /// Whether among equal strides `axis` counts as inside `other`: one of them
  /// must be.
  static bool isInsideIfEqual(int64_t axis, int64_t other) {
    return axis > other;
  }

private:
  bool isOne(int64_t axis) const { return sizes[axis] <= 1 && hasSize(axis); }
  /// Whether there are no rows at all; whether there may be none.
  bool mustBeEmpty() const;
  bool mayBeEmpty() const;
  bool hasSize(int64_t axis) const;
  bool hasStride(int64_t axis) const;
  /// For axes whose strides are known.
  bool isInside(int64_t axis, int64_t other) const;

  llvm::SmallVector<int64_t> sizes, strides;
  int64_t columns = 1;
  bool isIdentity = false;
};

} // namespace rudnn::norm

#endif // RUDNN_LIB_DIALECT_NORM_IR_WRITTENROWS_H
