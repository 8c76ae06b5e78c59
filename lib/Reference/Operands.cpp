//===- Operands.cpp - checks and loads shared by the operators ------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "llvm/ADT/STLExtras.h"

using namespace rudnn;
using namespace rudnn::reference;

llvm::Error reference::checkX(llvm::StringRef op, const View &x) {
  if (x.sizes.empty())
    return llvm::createStringError(op +
                                   ": expected x of rank >= 1, got rank 0");
  if (x.getRowLength() == 0)
    return llvm::createStringError(op +
                                   ": expected x with a last axis of size >= "
                                   "1, got shape " +
                                   formatShape(x.sizes));
  return llvm::Error::success();
}

llvm::Error reference::checkShape(llvm::StringRef op, llvm::StringRef name,
                                  const View &view, llvm::StringRef what,
                                  llvm::ArrayRef<int64_t> expected) {
  if (llvm::ArrayRef<int64_t>(view.sizes) == expected)
    return llvm::Error::success();
  return llvm::createStringError(op + ": expected " + name + " of " + what +
                                 " " + formatShape(expected) + ", got " +
                                 formatShape(view.sizes));
}

std::vector<double> reference::loadWeights(const std::optional<View> &gamma,
                                           double offset, int64_t columns) {
  if (!gamma)
    return std::vector<double>(columns, 1.0);
  std::vector<double> weights = loadAll(*gamma);
  for (double &weight : weights)
    weight += offset;
  return weights;
}

std::vector<double> reference::loadAll(const View &view) {
  std::vector<double> values(view.getNumElements());
  int64_t length = view.getRowLength();
  for (int64_t row = 0, rows = view.getNumRows(); row < rows && length; ++row)
    loadRow(view.getRow(row), view.type, view.getRowStride(), length,
            &values[row * length]);
  return values;
}

Shadow reference::makeShadow(llvm::StringRef name, const View &view) {
  Shadow shadow;
  shadow.name = name;
  shadow.view = view;
  shadow.values.reset(new double[view.getNumElements()]);
  return shadow;
}

void reference::storeRounded(const Shadow &shadow) {
  const View &view = shadow.view;
  int64_t length = view.getRowLength();
  parallelFor(view.getNumRows(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      storeRow(view.getRow(row), view.type, view.getRowStride(), length,
               &shadow.values[row * length]);
  });
}

bool reference::areInputs(llvm::ArrayRef<const View *> views) {
  Recorder *recorder = Recorder::get();
  return recorder && llvm::all_of(views, [&](const View *view) {
           return recorder->isInput(*view);
         });
}
