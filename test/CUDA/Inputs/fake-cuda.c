/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A libcuda.so.1 for machines without a GPU: memory is the host's, everything
   happens at once, loads and launches are printed and compute nothing.
   Recorded launches are not done again. FAKE_CUDA_FAIL=NAME lets the function
   NAME fail with status 2, NAME,N its Nth call only; FAKE_CUDA_COPY=A,B copies
   what the kernel's buffer A points to into its buffer B, so that there are
   results; FAKE_CUDA_STRAY=B writes a byte behind buffer B, FAKE_CUDA_DRIFT=B
   the number of the launch into it. Launches of blocks of FAKE_CUDA_REFUSE
   threads fail, those of FAKE_CUDA_IDLE threads do nothing. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char name[256];

static int get_status(const char *function) {
  static long calls = 0;
  const char *failing = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(function);
  if (!failing || strncmp(failing, function, length) != 0)
    return 0;
  if (failing[length] == ',')
    return ++calls == strtol(failing + length + 1, NULL, 10) ? 2 : 0;
  return failing[length] == 0 ? 2 : 0;
}

#define STATUS get_status(__func__)

int cuInit(unsigned flags) { return getenv("FAKE_CUDA_NO_GPU") ? 100 : 0; }
int cuGetErrorString(int status, const char **message) {
  *message = "fake error";
  return 0;
}
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuDeviceGet(int *device, int index) { return *device = 0; }
int cuDeviceGetName(char *text, int length, int device) {
  snprintf(text, (size_t)length, "Fake GPU");
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 1 << 16;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = name;
  return 0;
}
int cuCtxSetCurrent(void *context) { return context == name ? 0 : 1; }

int cuMemAlloc_v2(uint64_t *memory, size_t bytes) {
  void *block = NULL;
  int status = posix_memalign(&block, 512, bytes);
  *memory = (uintptr_t)block;
  return STATUS ? STATUS : status;
}
int cuMemFree_v2(uint64_t memory) {
  free((void *)(uintptr_t)memory);
  return STATUS;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                         void *stream) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return STATUS;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  memcpy(to, (void *)(uintptr_t)from, bytes);
  return STATUS;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                         void *stream) {
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
  return STATUS;
}
int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t count,
                    void *stream) {
  memset((void *)(uintptr_t)memory, value, count);
  return STATUS;
}
int cuMemsetD16Async(uint64_t memory, unsigned short value, size_t count,
                     void *stream) {
  for (size_t i = 0; i < count; ++i)
    ((unsigned short *)(uintptr_t)memory)[i] = value;
  return STATUS;
}
int cuMemsetD32Async(uint64_t memory, unsigned value, size_t count,
                     void *stream) {
  for (size_t i = 0; i < count; ++i)
    ((unsigned *)(uintptr_t)memory)[i] = value;
  return STATUS;
}

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = name;
  return STATUS;
}
int cuStreamSynchronize(void *stream) { return STATUS; }
int cuStreamBeginCapture_v2(void *stream, int mode) { return STATUS; }
int cuStreamEndCapture(void *stream, void **graph) {
  *graph = name;
  return STATUS;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph,
                                unsigned long long flags) {
  *executable = name;
  return STATUS;
}
int cuGraphLaunch(void *executable, void *stream) { return STATUS; }
int cuGraphExecDestroy(void *executable) { return STATUS; }
int cuGraphDestroy(void *graph) { return STATUS; }
int cuEventCreate(void **event, unsigned flags) {
  *event = name;
  return STATUS;
}
int cuEventRecord(void *event, void *stream) { return STATUS; }
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds = 1;
  return STATUS;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  int status = STATUS;
  *module = (void *)(uintptr_t)image;
  printf("loaded a module\n");
  if (status)
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        strcpy(values[i], "line 7: fake error in PTX");
  return status;
}
int cuModuleUnload(void *module) { return STATUS; }
int cuModuleGetFunction(void **function, void *module, const char *entry) {
  char text[300];
  snprintf(text, sizeof text, ".entry %s(", entry);
  snprintf(name, sizeof name, "%s", entry);
  *function = name;
  return strstr(module, text) ? STATUS : 500;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = attribute == 4 ? 32 : 0;
  return STATUS;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  printf("cuFuncSetAttribute %d = %d\n", attribute, value);
  return STATUS;
}

/* The bytes of a buffer of the kernel: one of rank 2 without gaps. */
static char *get_buffer(void **parameters, int index, size_t *bytes) {
  uint64_t pointer, rows, columns;
  memcpy(&pointer, parameters[7 * index + 1], 8);
  memcpy(&rows, parameters[7 * index + 3], 8);
  memcpy(&columns, parameters[7 * index + 4], 8);
  *bytes = 4 * rows * columns;
  return (char *)(uintptr_t)pointer;
}

typedef struct {
  int id, padding;
  unsigned cluster[16];
} Attribute;

typedef struct {
  unsigned grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  unsigned count;
} Config;

/* Whether the blocks of a launch have as many threads as a variable says. */
static int has_threads(const Config *config, const char *variable) {
  const char *threads = getenv(variable);
  return threads && strtoul(threads, NULL, 10) ==
                        (unsigned long)config->block[0] * config->block[1];
}

int cuLaunchKernelEx(const Config *config, void *function, void **parameters,
                     void **extra) {
  const char *copied = getenv("FAKE_CUDA_COPY");
  const char *stray = getenv("FAKE_CUDA_STRAY");
  const char *drift = getenv("FAKE_CUDA_DRIFT");
  static char launches;
  size_t bytes;
  const unsigned *grid = config->grid, *block = config->block;
  printf("launch %s %u %u %u, %u %u %u, shared %u", (char *)function, grid[0],
         grid[1], grid[2], block[0], block[1], block[2], config->shared);
  for (unsigned i = 0; i < config->count; ++i) {
    if (config->attributes[i].id == 4)
      printf(", cluster %u", config->attributes[i].cluster[0]);
    if (config->attributes[i].id == 6 && config->attributes[i].cluster[0])
      printf(", dependent");
  }
  printf("\n");
  fflush(stdout);
  if (has_threads(config, "FAKE_CUDA_REFUSE"))
    return 2;
  if (has_threads(config, "FAKE_CUDA_IDLE"))
    return 0;
  if (copied) {
    char *from = get_buffer(parameters, copied[0] - '0', &bytes);
    memcpy(get_buffer(parameters, copied[2] - '0', &bytes), from, bytes);
  }
  if (stray)
    get_buffer(parameters, stray[0] - '0', &bytes)[bytes] = 0;
  if (drift)
    *get_buffer(parameters, drift[0] - '0', &bytes) = ++launches;
  return STATUS;
}
