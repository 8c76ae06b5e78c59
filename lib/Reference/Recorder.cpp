//===- Recorder.cpp - what the reference knew before it rounded -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Reference/Recorder.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstring>

using namespace rudnn;
using namespace rudnn::reference;

static Recorder *currentRecorder = nullptr;

double Shadow::getScale(int64_t index) const {
  return scale ? scale[index] : std::abs(values[index]);
}

bool Shadow::isLive() const {
  int64_t length = view.getRowLength();
  int64_t elementSize = getSizeInBytes(view.type);
  int64_t step = view.getRowStride() * elementSize;
  std::atomic<bool> live = true;
  parallelFor(view.getNumRows(), [&](int64_t begin, int64_t end) {
    char rounded[8];
    for (int64_t row = begin; row < end && live; ++row) {
      const char *data = view.getRow(row);
      for (int64_t i = 0; i < length; ++i) {
        storeElement(rounded, view.type, values[row * length + i]);
        if (std::memcmp(rounded, data + i * step, elementSize) != 0)
          live = false;
      }
    }
  });
  return live;
}

Recorder::Recorder() {
  assert(!currentRecorder && "one reference run at a time");
  currentRecorder = this;
}

Recorder::~Recorder() { currentRecorder = nullptr; }

Recorder *Recorder::get() { return currentRecorder; }

void Recorder::addInput(const View &view) {
  inputs.push_back(view.getExtent());
}

bool Recorder::isInput(const View &view) const {
  auto [begin, end] = view.getExtent();
  return llvm::any_of(inputs, [begin = begin, end = end](auto &input) {
    return input.first <= begin && end <= input.second;
  });
}

bool Recorder::isExactRstd(const View &view) const {
  for (const Shadow &shadow : llvm::reverse(shadows))
    if (shadow.view.data == view.data && shadow.view.sizes == view.sizes &&
        shadow.view.strides == view.strides)
      return shadow.name == "rstd" && shadow.exactInputs && shadow.isLive();
  return false;
}

void Recorder::setError(std::string message) {
  if (!error)
    error = std::move(message);
}
