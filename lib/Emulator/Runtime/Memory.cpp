//===- Memory.cpp - checked accesses to workgroup memory ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

#include <cstring>

using namespace rudnn::emulator;

Accessor Cluster::makeAccessor(const Thread &thread, int32_t op) const {
  Accessor accessor;
  accessor.epoch = thread.block->epoch;
  accessor.arrivals = thread.arrivals;
  accessor.op = op;
  accessor.thread = thread.number;
  accessor.block = thread.block->rank;
  accessor.acquired = thread.acquired;
  return accessor;
}

/// The block that has the bytes in its workgroup memory: the thread's own, or
/// with `isRemote` any of the cluster that is sure to be running.
Block &Cluster::findBlock(Thread &thread, int32_t op, int64_t address,
                          int64_t bytes, bool isRemote) {
  auto isIn = [&](const Block &block) {
    int64_t begin = reinterpret_cast<int64_t>(block.memory);
    return address >= begin && address + bytes <= begin + memoryBytes;
  };
  if (isIn(*thread.block))
    return *thread.block;
  if (!isRemote)
    fail(&thread, "access out of bounds of the block's workgroup memory\n"
                  "  at: " +
                      describeOp(op));
  for (Block &block : blocks) {
    if (!isIn(block))
      continue;
    if (block.numFinished == threadsOfBlock)
      fail(&thread, "access to the workgroup memory of a block that may have "
                    "ended\n  at: " +
                        describeOp(op));
    if (thread.acquired == firstPhase)
      fail(&thread, "access to the workgroup memory of a block that may not "
                    "have begun: no cluster barrier before it\n  at: " +
                        describeOp(op));
    return block;
  }
  fail(&thread, "access out of bounds of the cluster's workgroup memory\n"
                "  at: " +
                    describeOp(op));
}

void Cluster::access(Thread &thread, int32_t op, int64_t address, int64_t bytes,
                     bool isWrite, bool isRemote) {
  Block &block = findBlock(thread, op, address, bytes, isRemote);
  int64_t offset = address - reinterpret_cast<int64_t>(block.memory);
  Accessor accessor = makeAccessor(thread, op);
  Access before;
  Hazard hazard = isWrite ? block.shadow.write(accessor, offset, bytes, before)
                          : block.shadow.read(accessor, offset, bytes, before);
  if (hazard != Hazard::None)
    failAccess(thread, op, hazard, before, isWrite ? "write" : "read");
}

int64_t Cluster::mapToBlock(Thread &thread, int32_t op, int64_t address,
                            int32_t rank) {
  if (rank < 0 || rank >= blocksOfCluster)
    fail(&thread, "expected the rank of a block in a cluster of " +
                      std::to_string(blocksOfCluster) + ", got " +
                      std::to_string(rank) + "\n  at: " + describeOp(op));
  findBlock(thread, op, address, 0, /*isRemote=*/false);
  return address + (rank - thread.block->rank) * memoryStride;
}

/// Nothing but poison is there until the copy has been waited for.
void Cluster::copyAsync(Thread &thread, const AsyncCopy &copy) {
  int64_t address = reinterpret_cast<int64_t>(copy.target);
  Block &block =
      findBlock(thread, copy.op, address, copy.bytes, /*isRemote=*/false);
  Access before;
  Hazard hazard =
      block.shadow.beginCopy(makeAccessor(thread, copy.op),
                             copy.target - block.memory, copy.bytes, before);
  if (hazard != Hazard::None)
    failAccess(thread, copy.op, hazard, before, "asynchronous write");
  std::memset(copy.target, 0xFF, copy.bytes);
  thread.copies.push_back(copy);
}

void Cluster::waitForCopies(Thread &thread, int64_t pending) {
  int64_t numGroups = thread.groups.size();
  if (numGroups <= pending)
    return;
  auto lastDone = thread.groups.begin() + (numGroups - pending);
  size_t numDone = *(lastDone - 1);
  for (size_t i = 0; i < numDone; ++i)
    land(thread, thread.copies[i]);
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + numDone);
  thread.groups.erase(thread.groups.begin(), lastDone);
  for (size_t &end : thread.groups)
    end -= numDone;
}

/// The source is read now, as late as can be.
void Cluster::land(Thread &thread, const AsyncCopy &copy) {
  std::memcpy(copy.target, copy.source, copy.sourceBytes);
  std::memset(copy.target + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
  Block &block = *thread.block;
  block.shadow.landCopy(makeAccessor(thread, copy.op),
                        copy.target - block.memory, copy.bytes);
}
