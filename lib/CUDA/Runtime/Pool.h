//===- Pool.h - memory of the device that is handed out again ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_CUDA_RUNTIME_POOL_H
#define RUDNN_LIB_CUDA_RUNTIME_POOL_H

#include "Driver.h"

#include <map>
#include <unordered_map>

namespace rudnn::cuda {

/// Blocks that were freed are kept by size and handed out again, without a call
/// of the driver: launches are timed and recorded together with their buffers.
/// What is freed in a recording is handed out in recordings only, for as long
/// as there are any.
class Pool {
public:
  static Pool &get();

  void *allocate(size_t bytes);
  void free(void *memory);
  void setPoison(bool value) { poison = value; }

  void beginRecording();
  void endRecording() { recording = false; }
  void dropRecording();
  bool isRecording() const { return recording; }

private:
  using Blocks = std::multimap<size_t, DevicePointer>;

  /// Takes a block of that size out of some, or returns 0.
  static DevicePointer reuse(Blocks &blocks, size_t bytes);
  DevicePointer create(size_t bytes);
  /// Gives free blocks back to the driver, which waits for those that use them.
  void returnFreeBlocks();

  Blocks freeBlocks, recordedBlocks;
  std::unordered_map<DevicePointer, size_t> sizes; ///< of all blocks
  int numRecordings = 0;
  bool recording = false;
  bool poison = false;
};

} // namespace rudnn::cuda

#endif // RUDNN_LIB_CUDA_RUNTIME_POOL_H
