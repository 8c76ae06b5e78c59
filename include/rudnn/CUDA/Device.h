//===- Device.h - a GPU, its memory and its clock ---------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that runs compiled host code does with the GPU besides: it
// fills buffers, waits, records launches and times them. It shares the stream
// and the error handling of rudnn/CUDA/Runtime.h.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CUDA_DEVICE_H
#define RUDNN_CUDA_DEVICE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rudnn::cuda {

struct DeviceInfo {
  std::string name;
  /// Compute capability times ten.
  int capability = 0;
  int64_t cacheBytes = 0; ///< of the cache that all multiprocessors share
  int driverVersion = 0;  ///< of CUDA, times 1000
};

/// Opens the first GPU, if that was not done before. Returns what is missing if
/// there is no driver or no GPU.
std::optional<std::string> open(DeviceInfo &info);

/// Sets what is done about an error; by default it is printed and the process
/// ends with exit code 3. The handler must not return.
void setErrorHandler(void (*handler)(const char *message));

void *allocate(size_t bytes);
void release(void *memory);

/// Whether memory is filled with bytes of 0xFF when it is allocated: NaN, so
/// that what a kernel does not write shows.
void setPoison(bool poison);

/// These two wait until it is done.
void upload(void *to, const void *from, size_t bytes);
void download(void *to, const void *from, size_t bytes);
void copy(void *to, const void *from, size_t bytes);
void fill(void *memory, uint8_t value, size_t bytes);
void synchronize();

/// Whether functions return when what they launched is done, as they do by
/// default, or as soon as it is asked for.
void setWaiting(bool waiting);

/// The microseconds that the GPU takes for what `work` launches and copies.
double time(const std::function<void()> &work);

/// What `record` launches and copies on the device, to be done again and again.
/// Memory that it allocates must not be in use elsewhere when that is done.
class Recording {
public:
  explicit Recording(const std::function<void()> &record);
  ~Recording();
  Recording(const Recording &) = delete;
  Recording &operator=(const Recording &) = delete;

  void play() const;

private:
  void *graph = nullptr, *executable = nullptr;
};

/// Forgets what was under way when an error handler did not return: a
/// recording, and what was said of the next launch.
void abandonLaunches();

/// A kernel that was launched, as the driver describes it, and its last launch.
struct KernelInfo {
  std::string name;
  std::array<int64_t, 3> grid, block;
  int registers = 0;           ///< per thread
  int localBytes = 0;          ///< per thread: spills and arrays
  int staticBytes = 0;         ///< of shared memory, per block
  int dynamicBytes = 0;        ///< of shared memory, per block
  double loadMilliseconds = 0; ///< until the driver had loaded it
};
std::vector<KernelInfo> getKernels();

} // namespace rudnn::cuda

#endif // RUDNN_CUDA_DEVICE_H
