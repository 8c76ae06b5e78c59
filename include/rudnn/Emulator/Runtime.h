//===- Runtime.h - what emulated GPU kernels call at run time ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C ABI between kernels that the emulator passes have compiled for the CPU
// and the emulator that runs their threads. Each thread of a block is a
// coroutine: it runs until it waits for others, and the emulator decides who
// goes on. `op` numbers a line of the launch's description, for messages.
//
// What a kernel does wrong is told to the error handler, which must not return.
// One launch runs at a time; nothing here may be called from several threads of
// the process at once.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_EMULATOR_RUNTIME_H
#define RUDNN_EMULATOR_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A thread of the GPU.
typedef struct RuDNNEmulatorThread RuDNNEmulatorThread;

/// A kernel and the threads to run it on. All sizes are x, y, z.
typedef struct RuDNNEmulatorLaunch {
  /// The kernel's name, then a line for each op: its text, a tab, and its place
  /// in the source (which may be empty).
  const char *description;
  /// Runs a thread until it first waits, and returns what resumes it.
  void *(*start)(void *arguments, RuDNNEmulatorThread *thread);
  void (*resume)(void *coroutine);
  /// Handed to every thread.
  void *arguments;
  int64_t grid[3];
  int64_t block[3];
  /// Blocks of a cluster.
  int64_t cluster[3];
  /// What the kernel was compiled for; 0 where it takes any size.
  int64_t knownGrid[3];
  int64_t knownBlock[3];
  int64_t knownCluster[3];
  /// Bytes of workgroup memory that the kernel declares, and the bytes they
  /// take with the gaps that the emulator leaves.
  int64_t staticBytes;
  int64_t staticSpan;
  /// Bytes of workgroup memory that the launch adds.
  int64_t dynamicBytes;
  /// The kernel accesses workgroup memory in multiples of so many bytes.
  int64_t granule;
} RuDNNEmulatorLaunch;

/// Runs all threads of all blocks to their end; a grid without blocks none.
void rudnnEmulatorLaunch(const RuDNNEmulatorLaunch *launch);

/// Sets the seed of the order in which blocks and warps run.
void rudnnEmulatorSetSeed(uint64_t seed);

/// Sets what to do about an error; by default it is printed and the process
/// ends with exit code 1. The handler must not return.
void rudnnEmulatorSetErrorHandler(void (*handler)(const char *message));

/// Describes the thread that runs, as "kernel @k, block (0, 0, 0), thread
/// (1, 0, 0)", for a signal handler; null if none does. Valid until the next
/// call.
const char *rudnnEmulatorDescribeCurrentThread(void);

/// What rudnnEmulatorGetIndex can be asked for; the first eight for x, y or z.
enum RuDNNEmulatorIndex {
  RuDNNEmulatorThreadId,
  RuDNNEmulatorBlockId,
  RuDNNEmulatorBlockDim,
  RuDNNEmulatorGridDim,
  /// Of the cluster in the grid, and of the block in its cluster.
  RuDNNEmulatorClusterId,
  RuDNNEmulatorClusterBlockId,
  /// Clusters of the grid, and blocks of a cluster.
  RuDNNEmulatorClusterDim,
  RuDNNEmulatorClusterDimBlocks,
  RuDNNEmulatorLane,
  RuDNNEmulatorWarp,
  RuDNNEmulatorNumWarps,
  RuDNNEmulatorDynamicBytes
};
int64_t rudnnEmulatorGetIndex(RuDNNEmulatorThread *thread, int32_t index,
                              int32_t dimension);

/// Memory for a thread's coroutine; there until the thread's block has ended.
/// All threads of a launch must ask for the same.
void *rudnnEmulatorAllocateFrame(RuDNNEmulatorThread *thread, int64_t size,
                                 int64_t alignment);

/// Says that a thread has come to its end.
void rudnnEmulatorExit(RuDNNEmulatorThread *thread);

/// The workgroup memory of the thread's block: what the kernel declares, from
/// `offset` on, and what the launch adds.
void *rudnnEmulatorGetWorkgroupMemory(RuDNNEmulatorThread *thread,
                                      int64_t offset);
void *rudnnEmulatorGetDynamicMemory(RuDNNEmulatorThread *thread);

/// Waits for all threads of the block: the coroutine suspends after the call.
void rudnnEmulatorBarrier(RuDNNEmulatorThread *thread, int32_t op);

/// Hands `value` to other threads of the warp: the coroutine suspends after the
/// call, and then takes what it was handed. Modes are those of `gpu.shuffle`:
/// xor, down, up, idx.
void rudnnEmulatorShuffle(RuDNNEmulatorThread *thread, int32_t op, int32_t mode,
                          int64_t value, int32_t offset, int32_t width);
int64_t rudnnEmulatorGetShuffled(RuDNNEmulatorThread *thread);
int32_t rudnnEmulatorIsShuffleValid(RuDNNEmulatorThread *thread);

/// The cluster's barrier in two steps; the coroutine suspends after the second.
void rudnnEmulatorClusterArrive(RuDNNEmulatorThread *thread, int32_t op);
void rudnnEmulatorClusterWait(RuDNNEmulatorThread *thread, int32_t op);

/// The address in the memory of another block of the cluster that corresponds
/// to one in the thread's own workgroup memory.
int64_t rudnnEmulatorMapToBlock(RuDNNEmulatorThread *thread, int32_t op,
                                int64_t address, int32_t rank);

/// Checks an access to the workgroup memory of the thread's own block, or with
/// the second pair of any block of its cluster; to be called before the access.
void rudnnEmulatorRead(RuDNNEmulatorThread *thread, int32_t op, int64_t address,
                       int64_t bytes);
void rudnnEmulatorWrite(RuDNNEmulatorThread *thread, int32_t op,
                        int64_t address, int64_t bytes);
void rudnnEmulatorReadCluster(RuDNNEmulatorThread *thread, int32_t op,
                              int64_t address, int64_t bytes);
void rudnnEmulatorWriteCluster(RuDNNEmulatorThread *thread, int32_t op,
                               int64_t address, int64_t bytes);

/// Begins a copy of `sourceBytes` bytes to workgroup memory, and of zeros to
/// the rest of `bytes`; closes the group of the copies begun since the last
/// one; waits until at most `pending` groups are not done.
void rudnnEmulatorCopyAsync(RuDNNEmulatorThread *thread, int32_t op,
                            int64_t target, int64_t bytes, int64_t source,
                            int64_t sourceBytes);
void rudnnEmulatorCommitCopies(RuDNNEmulatorThread *thread);
void rudnnEmulatorWaitForCopies(RuDNNEmulatorThread *thread, int64_t pending);

/// Reports an access at an index that its buffer does not have, after its
/// indices and the sizes of the buffer were noted, pair by pair.
void rudnnEmulatorNote(RuDNNEmulatorThread *thread, int64_t number);
void rudnnEmulatorReportOutOfBounds(RuDNNEmulatorThread *thread, int32_t op,
                                    int64_t elements);

/// Reports an access at an address that is not as aligned as it claims.
void rudnnEmulatorReportMisaligned(RuDNNEmulatorThread *thread, int32_t op,
                                   int64_t address, int64_t alignment);

#ifdef __cplusplus
}
#endif

#endif // RUDNN_EMULATOR_RUNTIME_H
