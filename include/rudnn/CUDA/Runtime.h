//===- Runtime.h - what host code calls to use a GPU ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C ABI between host code that upstream's gpu-to-llvm has lowered and the
// CUDA driver; names and parameters that begin with mgpu are upstream's. The
// driver is loaded and its first GPU opened by the first call: nothing of CUDA
// is needed before.
//
// There is one stream, on which everything happens in order. What the driver
// refuses is told to the error handler (rudnn/CUDA/Device.h), with the kernel's
// name, and never returns. Not to be called from several threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CUDA_RUNTIME_H
#define RUDNN_CUDA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes machine code, or PTX that the driver compiles. It is loaded when the
/// first kernel of it is asked for, and must stay where it is until then.
void *mgpuModuleLoad(void *data, size_t size);
void *mgpuModuleLoadJIT(void *data, int optLevel);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);

/// Launches a kernel; a grid without blocks nothing.
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **parameters, void **extra, size_t parameterCount);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **parameters, void **extra,
                             size_t parameterCount);

/// The next launch may begin before the kernel before it ends: a kernel that
/// waits for it by itself (`griddepcontrol.wait`).
void rudnnLaunchNextAsDependent(void);

void *mgpuStreamCreate(void);
void mgpuStreamDestroy(void *stream);
/// Waits for what was launched; not while launches are being recorded, nor
/// after `setWaiting(false)` (rudnn/CUDA/Device.h).
void mgpuStreamSynchronize(void *stream);

/// Memory of the device. What was freed may be handed out again at once: the
/// order of the stream keeps its users apart.
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool isHostShared);
void mgpuMemFree(void *memory, void *stream);
void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream);
void mgpuMemset32(void *memory, uint32_t value, size_t count, void *stream);
void mgpuMemset16(void *memory, uint16_t value, size_t count, void *stream);

/// Copies an element from or to a buffer of the GPU, given the addresses, and
/// waits for it. Not while launches are being recorded.
void rudnnReadElement(int64_t host, int64_t device, int64_t bytes);
void rudnnWriteElement(int64_t host, int64_t device, int64_t bytes);

#ifdef __cplusplus
}
#endif

#endif // RUDNN_CUDA_RUNTIME_H
