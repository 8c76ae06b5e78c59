//===- EntryPoints.cpp - the C ABI of the emulator ------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Messages.h"

#include <cstdio>

using namespace rudnn::emulator;

/// Its memory serves all launches.
static Cluster &getCluster() {
  static Cluster cluster;
  return cluster;
}

/// Pairs of index and size, for the error that is about to come.
static std::vector<int64_t> notes;

void rudnnEmulatorLaunch(const RuDNNEmulatorLaunch *launch) {
  getCluster().launch(*launch);
}

void rudnnEmulatorSetSeed(uint64_t seed) { getCluster().setSeed(seed); }

void rudnnEmulatorSetErrorHandler(void (*handler)(const char *message)) {
  setErrorHandler(handler);
}

const char *rudnnEmulatorDescribeCurrentThread() {
  static std::string text;
  const Thread *thread = getCluster().getRunning();
  if (!thread)
    return nullptr;
  text = getCluster().describe(*thread);
  return text.c_str();
}

int64_t rudnnEmulatorGetIndex(RuDNNEmulatorThread *thread, int32_t index,
                              int32_t dimension) {
  const RuDNNEmulatorLaunch &launch = thread->cluster->getLaunch();
  int64_t block = thread->block->position[dimension];
  int64_t size = launch.cluster[dimension];
  switch (index) {
  case RuDNNEmulatorThreadId:
    return thread->position[dimension];
  case RuDNNEmulatorBlockId:
    return block;
  case RuDNNEmulatorBlockDim:
    return launch.block[dimension];
  case RuDNNEmulatorGridDim:
    return launch.grid[dimension];
  case RuDNNEmulatorClusterId:
    return block / size;
  case RuDNNEmulatorClusterBlockId:
    return block % size;
  case RuDNNEmulatorClusterDim:
    return launch.grid[dimension] / size;
  case RuDNNEmulatorClusterDimBlocks:
    return size;
  case RuDNNEmulatorLane:
    return thread->getLane();
  case RuDNNEmulatorWarp:
    return thread->getNumberInBlock() / kWarpSize;
  case RuDNNEmulatorNumWarps:
    return (thread->cluster->getNumThreadsOfBlock() + kWarpSize - 1) /
           kWarpSize;
  default:
    return launch.dynamicBytes;
  }
}

void *rudnnEmulatorAllocateFrame(RuDNNEmulatorThread *thread, int64_t size,
                                 int64_t alignment) {
  return thread->cluster->allocateFrame(*thread, size, alignment);
}

void rudnnEmulatorExit(RuDNNEmulatorThread *thread) {
  thread->cluster->exit(*thread);
}

void *rudnnEmulatorGetWorkgroupMemory(RuDNNEmulatorThread *thread,
                                      int64_t offset) {
  return thread->block->memory + offset;
}

void *rudnnEmulatorGetDynamicMemory(RuDNNEmulatorThread *thread) {
  return thread->cluster->getDynamicMemory(*thread->block);
}

void rudnnEmulatorBarrier(RuDNNEmulatorThread *thread, int32_t op) {
  thread->cluster->wait(*thread, op);
}

void rudnnEmulatorShuffle(RuDNNEmulatorThread *thread, int32_t op, int32_t mode,
                          int64_t value, int32_t offset, int32_t width) {
  thread->shuffle = {mode, offset, width, value, 0, false};
  thread->op = op;
  thread->state = State::AtShuffle;
}

int64_t rudnnEmulatorGetShuffled(RuDNNEmulatorThread *thread) {
  return thread->shuffle.result;
}

int32_t rudnnEmulatorIsShuffleValid(RuDNNEmulatorThread *thread) {
  return thread->shuffle.isValid;
}

void rudnnEmulatorClusterArrive(RuDNNEmulatorThread *thread, int32_t op) {
  thread->cluster->arriveAtCluster(*thread, op);
}

void rudnnEmulatorClusterWait(RuDNNEmulatorThread *thread, int32_t op) {
  thread->cluster->waitForCluster(*thread, op);
}

int64_t rudnnEmulatorMapToBlock(RuDNNEmulatorThread *thread, int32_t op,
                                int64_t address, int32_t rank) {
  return thread->cluster->mapToBlock(*thread, op, address, rank);
}

void rudnnEmulatorRead(RuDNNEmulatorThread *thread, int32_t op, int64_t address,
                       int64_t bytes) {
  thread->cluster->access(*thread, op, address, bytes, /*isWrite=*/false,
                          /*isRemote=*/false);
}

void rudnnEmulatorWrite(RuDNNEmulatorThread *thread, int32_t op,
                        int64_t address, int64_t bytes) {
  thread->cluster->access(*thread, op, address, bytes, /*isWrite=*/true,
                          /*isRemote=*/false);
}

void rudnnEmulatorReadCluster(RuDNNEmulatorThread *thread, int32_t op,
                              int64_t address, int64_t bytes) {
  thread->cluster->access(*thread, op, address, bytes, /*isWrite=*/false,
                          /*isRemote=*/true);
}

void rudnnEmulatorWriteCluster(RuDNNEmulatorThread *thread, int32_t op,
                               int64_t address, int64_t bytes) {
  thread->cluster->access(*thread, op, address, bytes, /*isWrite=*/true,
                          /*isRemote=*/true);
}

void rudnnEmulatorCopyAsync(RuDNNEmulatorThread *thread, int32_t op,
                            int64_t target, int64_t bytes, int64_t source,
                            int64_t sourceBytes) {
  thread->cluster->copyAsync(*thread, {reinterpret_cast<char *>(target),
                                       reinterpret_cast<const char *>(source),
                                       bytes, sourceBytes, op});
}

void rudnnEmulatorCommitCopies(RuDNNEmulatorThread *thread) {
  thread->groups.push_back(thread->copies.size());
}

void rudnnEmulatorWaitForCopies(RuDNNEmulatorThread *thread, int64_t pending) {
  thread->cluster->waitForCopies(*thread, pending);
}

void rudnnEmulatorNote(RuDNNEmulatorThread *, int64_t number) {
  notes.push_back(number);
}

void rudnnEmulatorReportOutOfBounds(RuDNNEmulatorThread *thread, int32_t op,
                                    int64_t elements) {
  std::string index, sizes;
  for (size_t i = 0; i + 1 < notes.size(); i += 2) {
    index += (i == 0 ? "" : ", ") + std::to_string(notes[i]);
    sizes += (i == 0 ? "" : ", ") + std::to_string(notes[i + 1]);
  }
  std::string what =
      elements == 1 ? "access"
                    : "access to " + std::to_string(elements) + " elements";
  thread->cluster->fail(
      thread, what + " at [" + index + "], out of bounds of [" + sizes +
                  "]\n  at: " + thread->cluster->describeOp(op));
}

void rudnnEmulatorReportMisaligned(RuDNNEmulatorThread *thread, int32_t op,
                                   int64_t address, int64_t alignment) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(address));
  thread->cluster->fail(
      thread, std::string("access at address ") + text +
                  ", which is not aligned to " + std::to_string(alignment) +
                  " bytes\n  at: " + thread->cluster->describeOp(op));
}
