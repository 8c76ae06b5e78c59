//===- Driver.h - the CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is used of the driver's interface is declared here, so that neither a
// toolkit nor a GPU is needed to build or to start a program.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_CUDA_RUNTIME_DRIVER_H
#define RUDNN_LIB_CUDA_RUNTIME_DRIVER_H

#include "rudnn/CUDA/Device.h"

namespace rudnn::cuda {

using DevicePointer = uint64_t;
using Status = int;

/// Numbers that the driver's interface gives names to.
enum DeviceAttribute {
  L2CacheSize = 38,
  CapabilityMajor = 75,
  CapabilityMinor = 76
};
enum KernelAttribute {
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegisters = 4,
  MaxDynamicSharedSizeBytes = 8
};
enum JitOption { JitErrorLog = 5, JitErrorLogBytes = 6, JitOptLevel = 7 };
enum { StreamNonBlocking = 1, CaptureRelaxed = 2, ClusterDimension = 4 };
enum { ProgrammaticStreamSerialization = 6 };

/// Tells the error handler, which does not return.
[[noreturn]] void fail(const std::string &message);

/// What a status means: "out of memory (2)".
std::string describe(Status status);

/// Fails, naming `what` was done and what for, unless the status is good.
void check(Status status, const std::string &subject, const char *what);

/// A function of the driver, of which each returns a status.
struct Symbol {
  explicit Symbol(const char *name);
  const char *name;
  void *address = nullptr;
};

template <typename... Arguments> struct Function : Symbol {
  using Symbol::Symbol;

  Status tryCall(Arguments... arguments) const {
    return reinterpret_cast<Status (*)(Arguments...)>(address)(arguments...);
  }
  /// Fails if the driver does; `subject` says what for.
  void callFor(const std::string &subject, Arguments... arguments) const {
    check(tryCall(arguments...), subject, name);
  }
  void operator()(Arguments... arguments) const { callFor("", arguments...); }
};

/// How to launch a kernel, laid out as the driver has it.
struct LaunchAttribute {
  int id;
  int padding = 0;
  unsigned value[16] = {};
};
struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// The functions, all of which the driver has once it is open.
struct Driver {
  Function<unsigned> init{"cuInit"};
  Function<Status, const char **> getErrorString{"cuGetErrorString"};
  Function<int *> getVersion{"cuDriverGetVersion"};
  Function<int *, int> getDevice{"cuDeviceGet"};
  Function<char *, int, int> getDeviceName{"cuDeviceGetName"};
  Function<int *, int, int> getDeviceAttribute{"cuDeviceGetAttribute"};
  Function<void **, int> retainContext{"cuDevicePrimaryCtxRetain"};
  Function<void *> setContext{"cuCtxSetCurrent"};

  Function<DevicePointer *, size_t> allocate{"cuMemAlloc_v2"};
  Function<DevicePointer> free{"cuMemFree_v2"};
  Function<DevicePointer, const void *, size_t, void *> upload{
      "cuMemcpyHtoDAsync_v2"};
  Function<void *, DevicePointer, size_t, void *> download{
      "cuMemcpyDtoHAsync_v2"};
  Function<DevicePointer, DevicePointer, size_t, void *> copy{
      "cuMemcpyDtoDAsync_v2"};
  Function<DevicePointer, unsigned char, size_t, void *> fill8{
      "cuMemsetD8Async"};
  Function<DevicePointer, unsigned short, size_t, void *> fill16{
      "cuMemsetD16Async"};
  Function<DevicePointer, unsigned, size_t, void *> fill32{"cuMemsetD32Async"};

  Function<void **, unsigned> createStream{"cuStreamCreate"};
  Function<void *> synchronizeStream{"cuStreamSynchronize"};
  Function<void *, int> beginCapture{"cuStreamBeginCapture_v2"};
  Function<void *, void **> endCapture{"cuStreamEndCapture"};
  Function<void **, void *, unsigned long long> instantiateGraph{
      "cuGraphInstantiateWithFlags"};
  Function<void *, void *> launchGraph{"cuGraphLaunch"};
  Function<void *> destroyExecutable{"cuGraphExecDestroy"};
  Function<void *> destroyGraph{"cuGraphDestroy"};
  Function<void **, unsigned> createEvent{"cuEventCreate"};
  Function<void *, void *> recordEvent{"cuEventRecord"};
  Function<float *, void *, void *> getElapsedTime{"cuEventElapsedTime"};

  Function<void **, const void *, unsigned, int *, void **> loadModule{
      "cuModuleLoadDataEx"};
  Function<void *> unloadModule{"cuModuleUnload"};
  Function<void **, void *, const char *> getKernel{"cuModuleGetFunction"};
  Function<int *, int, void *> getKernelAttribute{"cuFuncGetAttribute"};
  Function<void *, int, int> setKernelAttribute{"cuFuncSetAttribute"};
  Function<const LaunchConfig *, void *, void **, void **> launchKernel{
      "cuLaunchKernelEx"};
};

/// Opens the driver and the first GPU, or returns what is missing.
std::optional<std::string> openDriver();

/// The driver, opened; fails if that is not possible.
const Driver &getDriver();

/// The stream on which everything happens.
void *getStream();

/// Ends a recording that is under way, if there is one. It is lost.
void abandonRecording();

inline DevicePointer toDevice(const void *memory) {
  return reinterpret_cast<DevicePointer>(memory);
}

} // namespace rudnn::cuda

#endif // RUDNN_LIB_CUDA_RUNTIME_DRIVER_H
