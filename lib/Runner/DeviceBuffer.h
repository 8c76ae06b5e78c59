//===- DeviceBuffer.h - copies of arguments on a GPU ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_DEVICEBUFFER_H
#define RUDNN_LIB_RUNNER_DEVICEBUFFER_H

#include "rudnn/Runner/Jit.h"

namespace rudnn::runner {

/// A copy of an argument's storage in the memory of the GPU, at an address
/// aligned like the original's, with canary bytes before and behind it.
class DeviceBuffer {
public:
  explicit DeviceBuffer(const ArgumentBuffer &argument);
  /// The same for one that a run only overwrites: bytes of 0xFF, with nothing
  /// copied from the host.
  static DeviceBuffer createPoisoned(const ArgumentBuffer &argument);
  /// Copied on the device.
  DeviceBuffer(const DeviceBuffer &other);
  DeviceBuffer(DeviceBuffer &&other) noexcept;
  DeviceBuffer &operator=(DeviceBuffer) = delete;
  ~DeviceBuffer();

  char *getData() const { return data; }
  /// Copies what is there to a storage of the same size.
  void download(const HostBuffer &storage) const;
  bool isCanaryIntact() const;
  /// Whether a pointer of the device lies in it.
  bool contains(const void *pointer) const;

private:
  explicit DeviceBuffer(const HostBuffer &storage);
  void allocate();

  int64_t size;
  int64_t misalignment;
  char *block = nullptr; ///< what was allocated
  char *data = nullptr;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_DEVICEBUFFER_H
