//===- Kernels.cpp - loading and launching kernels ------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Pool.h"
#include "rudnn/CUDA/Runtime.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

using namespace rudnn::cuda;

namespace {
struct Kernel {
  std::string name;
  void *handle = nullptr;
  int allowedBytes = 0; ///< of dynamic shared memory, so far
  /// Of the last launch; a grid of no blocks before the first.
  std::array<intptr_t, 3> lastGrid = {}, lastBlock = {};
  int lastBytes = 0;
};

/// What is loaded when a kernel of it is launched for the first time: of two
/// kernels that a function chooses from, only one may ever be.
struct Module {
  const void *data;
  int optLevel;
  void *handle = nullptr;
  double loadMilliseconds = 0;
  std::map<std::string, Kernel> kernels = {};
};
} // namespace

/// In the order in which they were handed over.
static std::vector<Module *> &getModules() {
  static auto *modules = new std::vector<Module *>;
  return *modules;
}

/// Whose errors a wait may report.
static const Kernel *lastKernel = nullptr;

static std::string describe(const Kernel *kernel) {
  return kernel ? "kernel " + kernel->name : "";
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static void *addModule(const void *data, int optLevel) {
  getModules().push_back(new Module{data, optLevel});
  return getModules().back();
}

static void load(Module &module) {
  char log[8192] = "";
  int options[] = {JitOptLevel, JitErrorLog, JitErrorLogBytes};
  void *values[] = {reinterpret_cast<void *>(intptr_t(module.optLevel)), log,
                    reinterpret_cast<void *>(sizeof(log))};
  auto begin = std::chrono::steady_clock::now();
  // What failed to load is not there to be unloaded.
  void *handle = nullptr;
  Status status =
      getDriver().loadModule.tryCall(&handle, module.data, 3, options, values);
  check(status, log, "cuModuleLoadDataEx");
  module.handle = handle;
  std::chrono::duration<double, std::milli> passed =
      std::chrono::steady_clock::now() - begin;
  module.loadMilliseconds = passed.count();
}

/// The largest optimisation level that there is.
static constexpr int kMostOptimized = 4;

void *mgpuModuleLoad(void *data, size_t) {
  return addModule(data, kMostOptimized);
}

void *mgpuModuleLoadJIT(void *data, int optLevel) {
  return addModule(data, optLevel);
}

void mgpuModuleUnload(void *opaque) {
  auto *module = static_cast<Module *>(opaque);
  // Code that was made and never run unloads too what it did not hand over.
  if (!module)
    return;
  if (module->handle)
    getDriver().unloadModule(module->handle);
  std::vector<Module *> &modules = getModules();
  modules.erase(std::find(modules.begin(), modules.end(), module));
  lastKernel = nullptr;
  delete module;
}

static int getAttribute(const Kernel &kernel, KernelAttribute attribute) {
  int value = 0;
  getDriver().getKernelAttribute.callFor(describe(&kernel), &value, attribute,
                                         kernel.handle);
  return value;
}

void *mgpuModuleGetFunction(void *opaque, const char *name) {
  auto *module = static_cast<Module *>(opaque);
  if (!module->handle)
    load(*module);
  auto [entry, isNew] = module->kernels.try_emplace(name);
  Kernel &kernel = entry->second;
  if (!isNew)
    return &kernel;
  kernel.name = name;
  getDriver().getKernel.callFor(describe(&kernel), &kernel.handle,
                                module->handle, name);
  return &kernel;
}

std::vector<KernelInfo> rudnn::cuda::getKernels() {
  std::vector<KernelInfo> infos;
  for (Module *module : getModules())
    for (auto &[name, kernel] : module->kernels)
      if (kernel.lastGrid[0] != 0)
        infos.push_back({name, kernel.lastGrid, kernel.lastBlock,
                         getAttribute(kernel, NumRegisters),
                         getAttribute(kernel, LocalSizeBytes),
                         getAttribute(kernel, SharedSizeBytes),
                         kernel.lastBytes, module->loadMilliseconds});
  return infos;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

namespace {
using Size = std::array<intptr_t, 3>;

struct Launch {
  Size grid, block;
  Size cluster; ///< all 0: as the kernel was compiled
  int32_t sharedBytes;
  void *stream;
  void **parameters, **extra;
};
} // namespace

/// A launch may have much shared memory only if it was asked for.
static void allowSharedMemory(Kernel &kernel, int bytes) {
  if (bytes <= kernel.allowedBytes)
    return;
  getDriver().setKernelAttribute.callFor(describe(&kernel), kernel.handle,
                                         MaxDynamicSharedSizeBytes, bytes);
  kernel.allowedBytes = bytes;
}

static void copySize(const Kernel &kernel, const Size &from, unsigned *to) {
  for (int axis = 0; axis < 3; ++axis) {
    if (from[axis] < 0 || from[axis] > intptr_t(UINT32_MAX))
      fail(describe(&kernel) + ": expected sizes of a launch below 2^32, got " +
           std::to_string(from[axis]));
    to[axis] = static_cast<unsigned>(from[axis]);
  }
}

static bool isNextDependent = false;

void rudnnLaunchNextAsDependent() { isNextDependent = true; }

void rudnn::cuda::abandonLaunches() {
  // Said of a launch that was never made, because its kernel did not load.
  isNextDependent = false;
  abandonRecording();
}

static void run(Kernel &kernel, const Launch &launch) {
  bool isDependent = std::exchange(isNextDependent, false);
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    return;
  allowSharedMemory(kernel, launch.sharedBytes);
  kernel.lastGrid = launch.grid;
  kernel.lastBlock = launch.block;
  kernel.lastBytes = launch.sharedBytes;
  lastKernel = &kernel;
  LaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (launch.cluster[0] != 0) {
    attributes[count].id = ClusterDimension;
    copySize(kernel, launch.cluster, attributes[count++].value);
  }
  if (isDependent)
    attributes[count++] = {ProgrammaticStreamSerialization, 0, {1}};
  LaunchConfig config = {};
  copySize(kernel, launch.grid, config.grid);
  copySize(kernel, launch.block, config.block);
  config.sharedBytes = launch.sharedBytes;
  config.stream = launch.stream;
  config.attributes = attributes;
  config.attributeCount = count;
  getDriver().launchKernel.callFor(describe(&kernel), &config, kernel.handle,
                                   launch.parameters, launch.extra);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **parameters, void **extra, size_t) {
  run(*static_cast<Kernel *>(function), {{gridX, gridY, gridZ},
                                         {blockX, blockY, blockZ},
                                         {},
                                         sharedBytes,
                                         stream,
                                         parameters,
                                         extra});
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **parameters, void **extra, size_t) {
  run(*static_cast<Kernel *>(function), {{gridX, gridY, gridZ},
                                         {blockX, blockY, blockZ},
                                         {clusterX, clusterY, clusterZ},
                                         sharedBytes,
                                         stream,
                                         parameters,
                                         extra});
}

void *mgpuStreamCreate(void) { return getStream(); }

void mgpuStreamDestroy(void *) {}

static bool isWaiting = true;

void rudnn::cuda::setWaiting(bool waiting) { isWaiting = waiting; }

void rudnn::cuda::synchronize() {
  if (!Pool::get().isRecording())
    getDriver().synchronizeStream.callFor(::describe(lastKernel), getStream());
}

void mgpuStreamSynchronize(void *) {
  if (isWaiting)
    synchronize();
}
