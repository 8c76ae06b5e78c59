//===- Memory.cpp - memory of the device ----------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Pool.h"
#include "rudnn/CUDA/Runtime.h"

using namespace rudnn::cuda;

/// What sizes are rounded up to, so that similar ones share blocks.
static constexpr size_t kGranule = 512;

Pool &Pool::get() {
  static auto *pool = new Pool;
  return *pool;
}

DevicePointer Pool::reuse(Blocks &blocks, size_t bytes) {
  auto found = blocks.find(bytes);
  if (found == blocks.end())
    return 0;
  DevicePointer block = found->second;
  blocks.erase(found);
  return block;
}

DevicePointer Pool::create(size_t bytes) {
  DevicePointer block = 0;
  if (getDriver().allocate.tryCall(&block, bytes) != 0) {
    returnFreeBlocks();
    getDriver().allocate.callFor(std::to_string(bytes) + " bytes", &block,
                                 bytes);
  }
  sizes.emplace(block, bytes);
  return block;
}

void Pool::returnFreeBlocks() {
  for (auto &[bytes, block] : freeBlocks) {
    getDriver().free(block);
    sizes.erase(block);
  }
  freeBlocks.clear();
}

void *Pool::allocate(size_t bytes) {
  size_t granules = (std::max<size_t>(bytes, 1) + kGranule - 1) / kGranule;
  size_t rounded = granules * kGranule;
  DevicePointer block = recording ? reuse(recordedBlocks, rounded) : 0;
  if (!block)
    block = reuse(freeBlocks, rounded);
  if (!block)
    block = create(rounded);
  auto *memory = reinterpret_cast<void *>(block);
  if (poison)
    fill(memory, 0xFF, rounded);
  return memory;
}

void Pool::free(void *memory) {
  if (!memory)
    return;
  auto found = sizes.find(toDevice(memory));
  if (found == sizes.end())
    fail("memory is freed that was not allocated");
  Blocks &blocks = recording ? recordedBlocks : freeBlocks;
  blocks.emplace(found->second, found->first);
}

void Pool::beginRecording() {
  recording = true;
  ++numRecordings;
}

void Pool::dropRecording() {
  if (--numRecordings == 0)
    freeBlocks.merge(recordedBlocks);
}

void *rudnn::cuda::allocate(size_t bytes) {
  return Pool::get().allocate(bytes);
}

void rudnn::cuda::release(void *memory) { Pool::get().free(memory); }

void rudnn::cuda::setPoison(bool poison) { Pool::get().setPoison(poison); }

void rudnn::cuda::upload(void *to, const void *from, size_t bytes) {
  if (bytes == 0)
    return;
  getDriver().upload(toDevice(to), from, bytes, getStream());
  synchronize();
}

void rudnn::cuda::download(void *to, const void *from, size_t bytes) {
  if (bytes == 0)
    return;
  getDriver().download(to, toDevice(from), bytes, getStream());
  synchronize();
}

void rudnn::cuda::copy(void *to, const void *from, size_t bytes) {
  if (bytes != 0)
    getDriver().copy(toDevice(to), toDevice(from), bytes, getStream());
}

void rudnn::cuda::fill(void *memory, uint8_t value, size_t bytes) {
  if (bytes != 0)
    getDriver().fill8(toDevice(memory), value, bytes, getStream());
}

void *mgpuMemAlloc(uint64_t bytes, void *, bool isHostShared) {
  if (isHostShared)
    fail("memory that host and device share is not supported");
  return allocate(bytes);
}

void mgpuMemFree(void *memory, void *) { release(memory); }

void mgpuMemcpy(void *to, void *from, size_t bytes, void *) {
  copy(to, from, bytes);
}

void mgpuMemset32(void *memory, uint32_t value, size_t count, void *stream) {
  if (count != 0)
    getDriver().fill32(toDevice(memory), value, count, stream);
}

void mgpuMemset16(void *memory, uint16_t value, size_t count, void *stream) {
  if (count != 0)
    getDriver().fill16(toDevice(memory), value, count, stream);
}

static void refuseRecording() {
  if (Pool::get().isRecording())
    fail("launches cannot be recorded, and timed, together with elements that "
         "host code reads or writes");
}

void rudnnReadElement(int64_t host, int64_t device, int64_t bytes) {
  refuseRecording();
  download(reinterpret_cast<void *>(host), reinterpret_cast<void *>(device),
           bytes);
}

void rudnnWriteElement(int64_t host, int64_t device, int64_t bytes) {
  refuseRecording();
  upload(reinterpret_cast<void *>(device), reinterpret_cast<void *>(host),
         bytes);
}
