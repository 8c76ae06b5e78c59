//===- Runtime.h - what compiled norm code calls at run time ----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C ABI between compiled code and the process it runs in. The archive that
// implements it (RuDNNRuntime) needs the C++ standard library and threads only:
// link it to ahead-of-time compiled norm code, or give the symbol to a JIT.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNTIME_RUNTIME_H
#define RUDNN_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Computes the items [begin, end) of a parallel loop.
typedef void (*RuDNNParallelBody)(void *context, int64_t begin, int64_t end);

/// Runs `body` once over every item of [0, count), in at most `threads`
/// contiguous, disjoint chunks that may run at the same time, and returns when
/// all of them are done; what the chunks wrote is visible to the caller then.
///
/// - `count <= 0`: `body` is not called.
/// - `threads <= 0`: as many as the machine has hardware threads; `threads =
/// 1`:
///   one call `body(context, 0, count)` in the calling thread.
/// - The bounds of the chunks depend on `count` and `threads` alone, except
///   where the work is done by the calling thread only: in a call from inside a
///   body (no nested parallelism) and in a call made while another thread of
///   the program has the pool. Then there is one chunk.
/// - Threads are started when first asked for and kept. If the system refuses
///   to start one, the others do its share.
void rudnnParallelFor(int64_t count, int64_t threads, RuDNNParallelBody body,
                      void *context);

/// Whether the calling thread is in a body of such a loop. If it left one by a
/// jump it is so for good: the loop was not ended, other threads may still run
/// it, and all later ones are done by the calling thread only.
int rudnnIsInParallelFor(void);

/// A memref of any rank: its rank, and its descriptor of allocated pointer,
/// aligned pointer, offset, sizes and strides, each of 8 bytes.
typedef struct RuDNNUnrankedMemRef {
  int64_t rank;
  void *descriptor;
} RuDNNUnrankedMemRef;

/// Copies the elements, of `elementSize` bytes each, of one memref to another
/// of the same sizes that does not overlap it. What MLIR lowers `memref.copy`
/// of strided buffers to; a definition elsewhere in the program goes before
/// this one.
void memrefCopy(int64_t elementSize, RuDNNUnrankedMemRef *source,
                RuDNNUnrankedMemRef *target);

#ifdef __cplusplus
}
#endif

#endif // RUDNN_RUNTIME_RUNTIME_H
