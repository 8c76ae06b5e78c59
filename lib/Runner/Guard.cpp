//===- Guard.cpp - what a run must not have touched -----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Guard.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace rudnn;
using namespace rudnn::runner;

Guard::Guard(llvm::ArrayRef<ArgumentBuffer> arguments) : arguments(arguments) {
  for (const ArgumentBuffer &argument : arguments) {
    llvm::ArrayRef<char> bytes = argument.getStorage().getBytes();
    before.emplace_back(bytes.begin(), bytes.end());
  }
}

/// Makes the elements of the view the same in `copy` as in its own memory.
static void updateElements(const View &view, const char *base,
                           std::vector<char> &copy) {
  int64_t size = getSizeInBytes(view.type), length = view.getRowLength();
  for (int64_t row = 0, rows = view.getNumRows(); row < rows; ++row) {
    const char *data = view.getRow(row);
    for (int64_t i = 0; i < length; ++i) {
      const char *element = data + i * view.getRowStride() * size;
      std::memcpy(copy.data() + (element - base), element, size);
    }
  }
}

std::vector<std::string> Guard::findViolations() const {
  std::vector<std::string> violations;
  for (auto [argument, bytes] : llvm::zip_equal(arguments, before)) {
    std::string name = argument.getArgument().getName();
    const HostBuffer &storage = argument.getStorage();
    if (!storage.isCanaryIntact())
      violations.push_back(name + ": bytes before or after it were written");
    std::vector<char> expected = bytes;
    if (argument.isWritten() && argument.getView().getNumElements() != 0)
      updateElements(argument.getView(), storage.getData(), expected);
    if (llvm::ArrayRef<char>(expected) ==
        llvm::ArrayRef<char>(storage.getBytes()))
      continue;
    violations.push_back(name + (argument.isWritten()
                                     ? ": bytes between its rows were written"
                                     : ": it was written, but is an input"));
  }
  return violations;
}
