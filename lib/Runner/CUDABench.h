//===- CUDABench.h - time work of a GPU against a copy ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CUDABENCH_H
#define RUDNN_LIB_RUNNER_CUDABENCH_H

#include "rudnn/Runner/Bench.h"

#include <functional>

namespace rudnn::runner {

/// How many sets of buffers to use in turn so that nothing of what calls read
/// is in the GPU's cache any more; a call touches `bytes`.
int64_t countBufferSets(int64_t bytes, int64_t cacheBytes);

/// Times `run`, which is to launch something on the given one of the sets, and
/// copies of memory that move `bytes` bytes.
BenchResult benchOnGPU(const std::function<void(int64_t)> &run, int64_t sets,
                       int64_t bytes, double seconds);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CUDABENCH_H
