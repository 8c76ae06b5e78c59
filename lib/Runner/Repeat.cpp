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

std::vector<std::string>
rudnn::runner::findDifferences(llvm::ArrayRef<Output> expected,
                               llvm::ArrayRef<Output> got) {
  std::vector<std::string> differences;
  for (auto [a, b] : llvm::zip_equal(expected, got)) {
    int64_t count = a.view.getNumElements(), wrong = 0, first = 0;
    for (int64_t i = count - 1; i >= 0; --i)
      if (std::memcmp(a.view.getElement(i), b.view.getElement(i),
                      getSizeInBytes(a.view.type)) != 0) {
        ++wrong;
        first = i;
      }
    if (wrong != 0)
      differences.push_back(
          llvm::formatv("{0} has other bits in {1} of {2} elements, the first "
                        "of them number {3}",
                        a.name, wrong, count, first));
  }
  return differences;
}
