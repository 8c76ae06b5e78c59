//===- DeviceBuffer.cpp - copies of arguments on a GPU --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceBuffer.h"

#include "rudnn/CUDA/Device.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace rudnn;
using namespace rudnn::runner;

/// What the driver aligns memory to.
static constexpr uintptr_t kAlignment = 256;
/// Bytes on each side, for a row or a tile that is written past the end.
static constexpr int64_t kCanaryBytes = 64 << 10;
static constexpr uint8_t kCanary = 0xA5;

void DeviceBuffer::allocate() {
  int64_t misalignment =
      reinterpret_cast<uintptr_t>(argument->getStorage().getData()) %
      kAlignment;
  int64_t bytes = 2 * kCanaryBytes + kAlignment + getSize();
  block = static_cast<char *>(cuda::allocate(bytes));
  data = block + kCanaryBytes + misalignment;
  cuda::fill(block, kCanary, data - block);
  cuda::fill(data + getSize(), kCanary, kCanaryBytes);
}

DeviceBuffer::DeviceBuffer(const ArgumentBuffer &argument)
    : argument(&argument) {
  allocate();
  cuda::upload(data, argument.getStorage().getData(), getSize());
}

DeviceBuffer::DeviceBuffer(const DeviceBuffer &other)
    : argument(other.argument) {
  allocate();
  cuda::copy(data, other.data, getSize());
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other)
    : argument(other.argument), block(std::exchange(other.block, nullptr)),
      data(other.data) {}

DeviceBuffer::~DeviceBuffer() { cuda::release(block); }

void DeviceBuffer::download() const {
  cuda::download(argument->getStorage().getData(), data, getSize());
}

static bool isCanary(const char *memory, int64_t bytes) {
  std::vector<uint8_t> found(bytes);
  cuda::download(found.data(), memory, bytes);
  return llvm::all_of(found, [](uint8_t byte) { return byte == kCanary; });
}

bool DeviceBuffer::isCanaryIntact() const {
  return isCanary(block, data - block) &&
         isCanary(data + getSize(), kCanaryBytes);
}

bool DeviceBuffer::contains(const void *pointer) const {
  return pointer >= data && pointer < data + getSize();
}

char *DeviceBuffer::toHost(const void *pointer) const {
  return argument->getStorage().getData() +
         (static_cast<const char *>(pointer) - data);
}
