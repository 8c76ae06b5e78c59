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

static_assert(std::is_nothrow_move_constructible_v<DeviceBuffer>,
              "a vector that grows would copy on the device");

/// What the driver aligns memory to.
static constexpr uintptr_t kAlignment = 256;
/// Bytes on each side, for a row or a tile that is written past the end.
static constexpr int64_t kCanaryBytes = 64 << 10;
static constexpr uint8_t kCanary = 0xA5;

/// Of what memory is filled with that a run overwrites.
static constexpr uint8_t kPoison = 0xFF;

void DeviceBuffer::allocate() {
  int64_t bytes = 2 * kCanaryBytes + kAlignment + size;
  block = static_cast<char *>(cuda::allocate(bytes));
  data = block + kCanaryBytes + misalignment;
  cuda::fill(block, kCanary, data - block);
  cuda::fill(data + size, kCanary, kCanaryBytes);
}

DeviceBuffer::DeviceBuffer(const HostBuffer &storage)
    : size(storage.getSize()),
      misalignment(reinterpret_cast<uintptr_t>(storage.getData()) %
                   kAlignment) {
  allocate();
}

DeviceBuffer::DeviceBuffer(const ArgumentBuffer &argument)
    : DeviceBuffer(argument.getStorage()) {
  cuda::upload(data, argument.getStorage().getData(), size);
}

DeviceBuffer DeviceBuffer::createPoisoned(const ArgumentBuffer &argument) {
  DeviceBuffer buffer(argument.getStorage());
  cuda::fill(buffer.data, kPoison, buffer.size);
  return buffer;
}

DeviceBuffer::DeviceBuffer(const DeviceBuffer &other)
    : size(other.size), misalignment(other.misalignment) {
  allocate();
  cuda::copy(data, other.data, size);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other) noexcept
    : size(other.size), misalignment(other.misalignment),
      block(std::exchange(other.block, nullptr)), data(other.data) {}

DeviceBuffer::~DeviceBuffer() { cuda::release(block); }

void DeviceBuffer::download(const HostBuffer &storage) const {
  cuda::download(storage.getData(), data, size);
}

static bool isCanary(const char *memory, int64_t bytes) {
  std::vector<uint8_t> found(bytes);
  cuda::download(found.data(), memory, bytes);
  return llvm::all_of(found, [](uint8_t byte) { return byte == kCanary; });
}

bool DeviceBuffer::isCanaryIntact() const {
  return isCanary(block, data - block) && isCanary(data + size, kCanaryBytes);
}

bool DeviceBuffer::contains(const void *pointer) const {
  return pointer >= data && pointer < data + size;
}
