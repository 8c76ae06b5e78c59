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

/// Whether a row in memory has the bits of `expected`, which lies without gaps.
static bool hasBits(const View &view, int64_t row, const char *expected) {
  int64_t length = view.getRowLength(), size = getSizeInBytes(view.type);
  const char *data = view.getRow(row);
  if (view.getRowStride() == 1)
    return std::memcmp(data, expected, length * size) == 0;
  for (int64_t i = 0; i < length; ++i)
    if (std::memcmp(data + i * view.getRowStride() * size, expected + i * size,
                    size) != 0)
      return false;
  return true;
}

bool Shadow::isLive() const {
  int64_t length = view.getRowLength();
  std::atomic<bool> live = true;
  parallelFor(view.getNumRows(), [&](int64_t begin, int64_t end) {
    std::vector<char> rounded(length * getSizeInBytes(view.type));
    for (int64_t row = begin; row < end && live; ++row) {
      storeRow(rounded.data(), view.type, 1, length, &values[row * length]);
      if (!hasBits(view, row, rounded.data()))
        live = false;
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
