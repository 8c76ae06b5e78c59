//===- MemRefCopy.cpp - copies between strided buffers --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runtime/Runtime.h"

#include <string.h>

namespace {

/// A memref with its sizes and strides in bytes.
struct Buffer {
  Buffer(const RuDNNUnrankedMemRef &memref, int64_t elementSize)
      : elementSize(elementSize) {
    auto *fields = static_cast<const int64_t *>(memref.descriptor);
    data = reinterpret_cast<char *>(fields[1]) + fields[2] * elementSize;
    sizes = fields + 3;
    strides = sizes + memref.rank;
  }
  int64_t getStep(int64_t axis) const { return strides[axis] * elementSize; }

  char *data;
  const int64_t *sizes;
  const int64_t *strides;
  int64_t elementSize;
};

/// Copies what lies below `axis` at the given addresses.
void copyAxis(const Buffer &source, const Buffer &target, int64_t axis,
              int64_t rank, const char *from, char *to) {
  int64_t size = source.elementSize;
  if (axis == rank) {
    memcpy(to, from, size);
    return;
  }
  int64_t count = source.sizes[axis];
  int64_t fromStep = source.getStep(axis), toStep = target.getStep(axis);
  if (axis == rank - 1 && fromStep == size && toStep == size) {
    memcpy(to, from, count * size);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    copyAxis(source, target, axis + 1, rank, from + i * fromStep,
             to + i * toStep);
}

} // namespace

__attribute__((weak)) void memrefCopy(int64_t elementSize,
                                      RuDNNUnrankedMemRef *source,
                                      RuDNNUnrankedMemRef *target) {
  Buffer from(*source, elementSize), to(*target, elementSize);
  copyAxis(from, to, 0, source->rank, from.data, to.data);
}
