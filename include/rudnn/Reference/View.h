//===- View.h - strided memory of any rank ----------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_VIEW_H
#define RUDNN_REFERENCE_VIEW_H

#include "rudnn/Reference/ElementType.h"
#include "rudnn/Runtime/Runtime.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace rudnn {

/// Elements in memory, as a memref describes them. `data` is the address of
/// element [0, ..., 0]; strides are in elements and may be zero or negative.
/// A row is a run along the last axis; a view of rank 0 is one row of one
/// element.
struct View {
  ElementType type = ElementType::F32;
  char *data = nullptr;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides;

  int64_t getRank() const { return sizes.size(); }
  int64_t getNumElements() const;
  int64_t getNumRows() const;
  int64_t getRowLength() const { return sizes.empty() ? 1 : sizes.back(); }
  int64_t getRowStride() const { return strides.empty() ? 1 : strides.back(); }

  /// Address of the first element of a row, counted in row-major order.
  char *getRow(int64_t row) const;

  /// Address of an element, counted in row-major order.
  char *getElement(int64_t index) const;

  /// Whether the elements lie in row-major order without gaps.
  bool isContiguous() const;

  /// Lowest and one past the highest byte of the elements; equal when empty.
  std::pair<char *, char *> getExtent() const;
};

/// Row-major strides of an array without gaps.
llvm::SmallVector<int64_t, 4>
getContiguousStrides(llvm::ArrayRef<int64_t> sizes);

/// Prints a shape as "[4, 4096]"; a dynamic size of a type as "?".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Calls `body(begin, end)` on chunks of [0, count) on all threads.
template <typename Body> void parallelFor(int64_t count, Body body) {
  rudnnParallelFor(
      count, /*threads=*/0,
      [](void *context, int64_t begin, int64_t end) {
        (*static_cast<Body *>(context))(begin, end);
      },
      &body);
}

} // namespace rudnn

#endif // RUDNN_REFERENCE_VIEW_H
