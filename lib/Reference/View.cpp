//===- View.cpp - strided memory of any rank ------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Reference/View.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace rudnn;

int64_t View::getNumElements() const { return llvm::product_of(sizes); }

int64_t View::getNumRows() const {
  return sizes.empty() ? 1
                       : llvm::product_of(llvm::ArrayRef(sizes).drop_back());
}

char *View::getRow(int64_t row) const {
  int64_t offset = 0;
  for (int64_t axis = getRank() - 2; axis >= 0; --axis) {
    offset += row % sizes[axis] * strides[axis];
    row /= sizes[axis];
  }
  return data + offset * getSizeInBytes(type);
}

char *View::getElement(int64_t index) const {
  return getRow(index / getRowLength()) +
         index % getRowLength() * getRowStride() * getSizeInBytes(type);
}

bool View::isContiguous() const {
  int64_t expected = 1;
  for (auto [size, stride] : llvm::reverse(llvm::zip_equal(sizes, strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

std::pair<char *, char *> View::getExtent() const {
  if (llvm::is_contained(sizes, 0))
    return {data, data};
  int64_t low = 0, high = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    (stride < 0 ? low : high) += (size - 1) * stride;
  int64_t elementSize = getSizeInBytes(type);
  return {data + low * elementSize, data + (high + 1) * elementSize};
}

llvm::SmallVector<int64_t, 4>
rudnn::getContiguousStrides(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> strides(sizes.size(), 1);
  for (int64_t axis = static_cast<int64_t>(sizes.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * sizes[axis + 1];
  return strides;
}

std::string rudnn::formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (size < 0)
      os << '?';
    else
      os << size;
  });
  os << ']';
  return text;
}
