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
#include <map>
#include <memory>
#include <vector>

using namespace rudnn::cuda;

namespace {
struct Kernel {
  std::string name;
  void *handle = nullptr;
  int allowedBytes = 0; ///< of dynamic shared memory, so far
  bool wasLaunched = false;
  std::array<int64_t, 3> grid = {}, block = {};
  int dynamicBytes = 0;
};

struct Module {
  void *handle = nullptr;
  std::map<std::string, Kernel> kernels;
};
} // namespace

/// In the order in which they were loaded.
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

static void *loadModule(const void *data, int optLevel) {
  char log[8192] = "";
  int options[] = {JitOptLevel, JitErrorLog, JitErrorLogBytes};
  void *values[] = {reinterpret_cast<void *>(intptr_t(optLevel)), log,
                    reinterpret_cast<void *>(sizeof(log))};
  auto module = std::make_unique<Module>();
  Status status =
      getDriver().loadModule.tryCall(&module->handle, data, 3, options, values);
  check(status, log, "cuModuleLoadDataEx");
  getModules().push_back(module.get());
  return module.release();
}

/// The largest optimisation level that there is.
static constexpr int kMostOptimized = 4;

void *mgpuModuleLoad(void *data, size_t) {
  return loadModule(data, kMostOptimized);
}

void *mgpuModuleLoadJIT(void *data, int optLevel) {
  return loadModule(data, optLevel);
}

void mgpuModuleUnload(void *opaque) {
  auto *module = static_cast<Module *>(opaque);
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

/// Blocks of a cluster that every GPU with clusters can run.
static constexpr int kPortableClusterSize = 8;

void *mgpuModuleGetFunction(void *opaque, const char *name) {
  auto *module = static_cast<Module *>(opaque);
  auto [entry, isNew] = module->kernels.try_emplace(name);
  Kernel &kernel = entry->second;
  if (!isNew)
    return &kernel;
  kernel.name = name;
  getDriver().getKernel.callFor(describe(&kernel), &kernel.handle,
                                module->handle, name);
  // Our clusters lie along x.
  if (getAttribute(kernel, RequiredClusterWidth) > kPortableClusterSize)
    getDriver().setKernelAttribute.callFor(describe(&kernel), kernel.handle,
                                           NonPortableClusterSizeAllowed, 1);
  return &kernel;
}

std::vector<KernelInfo> rudnn::cuda::getKernels() {
  std::vector<KernelInfo> infos;
  for (Module *module : getModules())
    for (auto &[name, kernel] : module->kernels)
      if (kernel.wasLaunched)
        infos.push_back({name, kernel.grid, kernel.block,
                         getAttribute(kernel, NumRegisters),
                         getAttribute(kernel, LocalSizeBytes),
                         getAttribute(kernel, SharedSizeBytes),
                         kernel.dynamicBytes});
  return infos;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

static void allowSharedMemory(Kernel &kernel, int bytes) {
  if (bytes <= kernel.allowedBytes)
    return;
  getDriver().setKernelAttribute.callFor(describe(&kernel), kernel.handle,
                                         MaxDynamicSharedSizeBytes, bytes);
  kernel.allowedBytes = bytes;
}

static unsigned toSize(const Kernel &kernel, intptr_t size) {
  if (size < 0 || size > intptr_t(UINT32_MAX))
    fail(describe(&kernel) +
         ": expected a launch of at most 2^32 - 1 blocks, "
         "got " +
         std::to_string(size));
  return static_cast<unsigned>(size);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **parameters, void **extra, size_t) {
  if (gridX == 0 || gridY == 0 || gridZ == 0)
    return;
  auto &kernel = *static_cast<Kernel *>(function);
  allowSharedMemory(kernel, sharedBytes);
  kernel.wasLaunched = true;
  kernel.grid = {gridX, gridY, gridZ};
  kernel.block = {blockX, blockY, blockZ};
  kernel.dynamicBytes = sharedBytes;
  lastKernel = &kernel;
  getDriver().launchKernel.callFor(
      describe(&kernel), kernel.handle, toSize(kernel, gridX),
      toSize(kernel, gridY), toSize(kernel, gridZ), toSize(kernel, blockX),
      toSize(kernel, blockY), toSize(kernel, blockZ),
      static_cast<unsigned>(sharedBytes), stream, parameters, extra);
}

void *mgpuStreamCreate(void) { return getStream(); }

void mgpuStreamDestroy(void *) {}

void mgpuStreamSynchronize(void *stream) {
  if (!Pool::get().isRecording())
    getDriver().synchronizeStream.callFor(describe(lastKernel), stream);
}

void rudnn::cuda::synchronize() { mgpuStreamSynchronize(getStream()); }
