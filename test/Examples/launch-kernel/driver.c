/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; a launch may have this much
   without it. */
enum { MaxDynamicShared = 8, SharedWithoutAsking = 48 << 10 };

static struct {
  int (*init)(unsigned);
  int (*get_error)(int, const char **);
  int (*get_device)(int *, int);
  int (*retain_context)(void **, int);
  int (*set_context)(void *);
  int (*allocate)(DevicePointer *, size_t);
  int (*free)(DevicePointer);
  int (*upload)(DevicePointer, const void *, size_t);
  int (*download)(void *, DevicePointer, size_t);
  int (*load)(Module *, const void *);
  int (*find)(Function *, Module, const char *);
  int (*set_attribute)(Function, int, int);
  int (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned,
                unsigned, unsigned, void *, void **, void **);
  int (*synchronize)(void);
} cu;

static const char *get_message(int status) {
  const char *message = NULL;
  cu.get_error(status, &message);
  return message ? message : "unknown error";
}

static void check(int status, const char *what) {
  if (status == 0)
    return;
  fprintf(stderr, "%s: %s (%d)\n", what, get_message(status), status);
  exit(1);
}

/* Looks `name` up; a data pointer becomes one to a function through memory, for
   C has no cast between them. */
static void get_symbol(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "the CUDA driver has no %s\n", name);
    exit(3);
  }
  *(void **)function = symbol;
}

static void load_symbols(void *library) {
  get_symbol(library, "cuInit", &cu.init);
  get_symbol(library, "cuGetErrorString", &cu.get_error);
  get_symbol(library, "cuDeviceGet", &cu.get_device);
  get_symbol(library, "cuDevicePrimaryCtxRetain", &cu.retain_context);
  get_symbol(library, "cuCtxSetCurrent", &cu.set_context);
  get_symbol(library, "cuMemAlloc_v2", &cu.allocate);
  get_symbol(library, "cuMemFree_v2", &cu.free);
  get_symbol(library, "cuMemcpyHtoD_v2", &cu.upload);
  get_symbol(library, "cuMemcpyDtoH_v2", &cu.download);
  get_symbol(library, "cuModuleLoadData", &cu.load);
  get_symbol(library, "cuModuleGetFunction", &cu.find);
  get_symbol(library, "cuFuncSetAttribute", &cu.set_attribute);
  get_symbol(library, "cuLaunchKernel", &cu.launch);
  get_symbol(library, "cuCtxSynchronize", &cu.synchronize);
}

void driver_open(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "no CUDA driver: %s\n", dlerror());
    exit(3);
  }
  load_symbols(library);
  int device = 0;
  void *context = NULL;
  int status = cu.init(0);
  if (status == 0)
    status = cu.get_device(&device, 0);
  if (status != 0) {
    fprintf(stderr, "no GPU: %s (%d)\n", get_message(status), status);
    exit(3);
  }
  check(cu.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
  check(cu.set_context(context), "cuCtxSetCurrent");
}

DevicePointer driver_allocate(size_t bytes) {
  DevicePointer memory = 0;
  check(cu.allocate(&memory, bytes), "cuMemAlloc");
  return memory;
}

void driver_free(DevicePointer memory) { check(cu.free(memory), "cuMemFree"); }

void driver_upload(DevicePointer to, const void *from, size_t bytes) {
  check(cu.upload(to, from, bytes), "cuMemcpyHtoD");
}

void driver_download(void *to, DevicePointer from, size_t bytes) {
  check(cu.download(to, from, bytes), "cuMemcpyDtoH");
}

Module driver_load(const void *code) {
  Module module = NULL;
  check(cu.load(&module, code), "cuModuleLoadData");
  return module;
}

Function driver_find(Module module, const char *name, unsigned shared_bytes) {
  Function function = NULL;
  check(cu.find(&function, module, name), "cuModuleGetFunction");
  if (shared_bytes > SharedWithoutAsking)
    check(cu.set_attribute(function, MaxDynamicShared, (int)shared_bytes),
          "cuFuncSetAttribute");
  return function;
}

void driver_launch(Function function, const unsigned grid[3],
                   const unsigned block[3], unsigned shared_bytes,
                   void **parameters) {
  check(cu.launch(function, grid[0], grid[1], grid[2], block[0], block[1],
                  block[2], shared_bytes, NULL, parameters, NULL),
        "cuLaunchKernel");
  check(cu.synchronize(), "cuCtxSynchronize");
}
