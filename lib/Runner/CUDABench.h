//===- CUDABench.h - time work of a GPU against a copy ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CUDABENCH_H
#define RUDNN_LIB_RUNNER_CUDABENCH_H

#include "rudnn/Runner/Bench.h"

#include "rudnn/CUDA/Device.h"

#include <functional>
#include <memory>

namespace rudnn::runner {

/// Calls on several sets of buffers in turn: recorded once and played, or made
/// each time.
class Batch {
public:
  /// `run` is to launch something on the given one of the sets.
  Batch(bool isRecorded, int64_t sets, std::function<void(int64_t)> run);

  int64_t getCalls() const { return calls; }

  /// Microseconds of one call.
  double time() const;
  /// Microseconds that the host takes to ask for a call, which is done later.
  double timeRequest() const;

private:
  /// Makes a batch of so many calls, and does them for the first time.
  void prepare(int64_t numCalls);
  void runAll() const;

  bool isRecorded;
  int64_t sets, calls = 0;
  std::function<void(int64_t)> run;
  std::unique_ptr<cuda::Recording> recording;
};

/// How many sets of buffers to use in turn so that nothing of what calls read
/// is in the GPU's cache any more; a call touches `bytes`.
int64_t countBufferSets(int64_t bytes, int64_t cacheBytes);

/// Times calls on that many sets, and copies of memory that move `bytes` bytes.
BenchResult benchOnGPU(const Batch &function, int64_t sets, int64_t bytes,
                       double seconds);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CUDABENCH_H
