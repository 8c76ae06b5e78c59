//===- Repeat.cpp - running a function again ------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repeat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace rudnn;
using namespace rudnn::runner;

std::vector<const ArgumentBuffer *>
rudnn::runner::getPointers(llvm::ArrayRef<ArgumentBuffer> arguments) {
  std::vector<const ArgumentBuffer *> pointers;
  for (const ArgumentBuffer &argument : arguments)
    pointers.push_back(&argument);
  return pointers;
}

llvm::Expected<std::vector<ArgumentBuffer>>
rudnn::runner::cloneWritten(llvm::ArrayRef<ArgumentBuffer> arguments) {
  std::vector<ArgumentBuffer> copies;
  for (const ArgumentBuffer &argument : arguments) {
    if (!argument.isWritten())
      continue;
    auto copy = argument.clone();
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  return std::move(copies);
}

void rudnn::runner::restoreWritten(llvm::ArrayRef<ArgumentBuffer> arguments,
                                   llvm::ArrayRef<ArgumentBuffer> copies) {
  for (const ArgumentBuffer &argument : arguments) {
    if (!argument.isWritten())
      continue;
    const HostBuffer &storage = argument.getStorage();
    char *target = copies.front().getStorage().getData();
    parallelFor(storage.getSize(), [&](int64_t begin, int64_t end) {
      std::memcpy(target + begin, storage.getData() + begin, end - begin);
    });
    copies = copies.drop_front();
  }
}

std::vector<const ArgumentBuffer *>
rudnn::runner::replaceWritten(llvm::ArrayRef<ArgumentBuffer> arguments,
                              llvm::ArrayRef<ArgumentBuffer> copies) {
  std::vector<const ArgumentBuffer *> pointers = getPointers(arguments);
  for (const ArgumentBuffer *&pointer : pointers)
    if (pointer->isWritten()) {
      pointer = &copies.front();
      copies = copies.drop_front();
    }
  return pointers;
}

/// Whether all bits of a row are the same.
static bool isSameRow(const View &a, const View &b, int64_t row) {
  return a.getRowStride() == 1 && b.getRowStride() == 1 &&
         std::memcmp(a.getRow(row), b.getRow(row),
                     a.getRowLength() * getSizeInBytes(a.type)) == 0;
}

/// The elements that have other bits, by number.
static std::vector<int64_t> findDifferentElements(const View &a,
                                                  const View &b) {
  std::vector<int64_t> different;
  int64_t length = a.getRowLength();
  for (int64_t row = 0, rows = a.getNumRows(); row < rows; ++row) {
    if (isSameRow(a, b, row))
      continue;
    for (int64_t i = row * length; i < (row + 1) * length; ++i)
      if (std::memcmp(a.getElement(i), b.getElement(i),
                      getSizeInBytes(a.type)) != 0)
        different.push_back(i);
  }
  return different;
}

std::vector<std::string>
rudnn::runner::findDifferences(llvm::ArrayRef<Output> expected,
                               llvm::ArrayRef<Output> got) {
  std::vector<std::string> differences;
  for (auto [a, b] : llvm::zip_equal(expected, got)) {
    std::vector<int64_t> elements = findDifferentElements(a.view, b.view);
    if (!elements.empty())
      differences.push_back(llvm::formatv(
          "{0} has other bits in {1} of {2} elements, the first "
          "of them number {3}",
          a.name, elements.size(), a.view.getNumElements(), elements.front()));
  }
  return differences;
}
