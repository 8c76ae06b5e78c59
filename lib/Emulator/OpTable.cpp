//===- OpTable.cpp - how messages name the ops of a kernel ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace rudnn;

/// "FILE:LINE:COLUMN", or nothing if that is not known.
static std::string describe(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

OpTable::OpTable(gpu::GPUFuncOp kernel,
                 function_ref<bool(Operation *)> isListed) {
  llvm::raw_string_ostream os(description);
  auto parent = kernel->getParentOfType<gpu::GPUModuleOp>();
  os << parent.getName() << "::@" << kernel.getName();
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs().useLocalScope().skipRegions();
  // One state for all: values have the names that the whole kernel gives them.
  AsmState state(kernel, flags);
  kernel.walk([&](Operation *op) {
    if (!isListed(op))
      return;
    numbers.try_emplace(op, numbers.size());
    std::string text;
    llvm::raw_string_ostream line(text);
    op->print(line, state);
    // A line and a tab mean something else here.
    for (char &c : text)
      if (c == '\n' || c == '\t')
        c = ' ';
    os << '\n' << text << '\t' << describe(op->getLoc());
  });
}
