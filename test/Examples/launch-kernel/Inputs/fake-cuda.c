/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A libcuda.so.1 for machines without a GPU. It prints what it is asked to
   launch and, in place of the kernel, computes an RMSNorm forward (epsilon
   1e-6) on the buffers that the parameters describe. FAKE_CUDA_ORDER says which
   of x, gamma, y and rstd (0 to 3) each argument of the kernel is: "0312". */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *code;
static const char *name;

int cuInit(unsigned flags) { return getenv("FAKE_CUDA_NO_GPU") ? 100 : 0; }
int cuGetErrorString(int status, const char **message) {
  *message = "fake error";
  return 0;
}
int cuDeviceGet(int *device, int index) { return *device = 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &code;
  return 0;
}
int cuCtxSetCurrent(void *context) { return context == &code ? 0 : 1; }
int cuMemAlloc_v2(uint64_t *memory, size_t bytes) {
  void *block = NULL;
  int status = posix_memalign(&block, 256, bytes);
  *memory = (uintptr_t)block;
  return status;
}
int cuMemFree_v2(uint64_t memory) {
  free((void *)(uintptr_t)memory);
  return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  memcpy(to, (void *)(uintptr_t)from, bytes);
  return 0;
}
int cuModuleLoadData(void **module, const void *image) {
  code = image;
  *module = &code;
  return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *entry) {
  char text[256];
  snprintf(text, sizeof text, ".visible .entry %s(", entry);
  name = entry;
  *function = &name;
  return module == &code && strstr(code, text) ? 0 : 500;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  printf("cuFuncSetAttribute %d = %d\n", attribute, value);
  return 0;
}
int cuCtxSynchronize(void) { return 0; }

typedef struct {
  uint64_t pointer;
  int64_t offset, sizes[2], strides[2];
} View;

/* Takes one of the parameters. */
static uint64_t take(void ***parameters) {
  uint64_t word;
  memcpy(&word, *(*parameters)++, 8);
  return word;
}

static View take_view(void ***parameters, int rank) {
  View view = {0, 0, {0, 0}, {0, 0}};
  take(parameters);
  view.pointer = take(parameters);
  view.offset = (int64_t)take(parameters);
  for (int axis = 0; axis < rank; ++axis)
    view.sizes[axis] = (int64_t)take(parameters);
  for (int axis = 0; axis < rank; ++axis)
    view.strides[axis] = (int64_t)take(parameters);
  return view;
}

static uint16_t *get_bf16(const View *view, int64_t row, int64_t column) {
  return (uint16_t *)(uintptr_t)view->pointer + view->offset +
         row * view->strides[0] + column * view->strides[1];
}

static float widen(uint16_t half) {
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static uint16_t round_to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static void run_forward(const View views[4]) {
  const View *x = &views[0], *y = &views[2], *rstd = &views[3];
  View gamma = views[1];
  gamma.strides[1] = gamma.strides[0];
  for (int64_t row = 0; row < x->sizes[0]; ++row) {
    double sum = 0;
    for (int64_t i = 0; i < x->sizes[1]; ++i)
      sum += pow(widen(*get_bf16(x, row, i)), 2);
    float scale = (float)(1 / sqrt(sum / (double)x->sizes[1] + 1e-6));
    ((float *)(uintptr_t)rstd->pointer)[row * rstd->strides[0]] = scale;
    for (int64_t i = 0; i < x->sizes[1]; ++i)
      *get_bf16(y, row, i) = round_to_bf16(widen(*get_bf16(x, row, i)) * scale *
                                           widen(*get_bf16(&gamma, 0, i)));
  }
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream,
                   void **parameters, void **extra) {
  static const int ranks[4] = {2, 1, 2, 1};
  View views[4];
  printf("cuLaunchKernel %s %u %u %u %u %u %u %u\n", name, grid_x, grid_y,
         grid_z, block_x, block_y, block_z, shared);
  for (const char *order = getenv("FAKE_CUDA_ORDER"); *order; ++order) {
    int index = *order - '0';
    View *view = &views[index];
    *view = take_view(&parameters, ranks[index]);
    printf("argument %d: offset %ld sizes %ld %ld strides %ld %ld\n", index,
           (long)view->offset, (long)view->sizes[0], (long)view->sizes[1],
           (long)view->strides[0], (long)view->strides[1]);
  }
  run_forward(views);
  return 0;
}
