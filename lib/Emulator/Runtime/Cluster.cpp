//===- Cluster.cpp - the threads of a cluster and their order -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace rudnn::emulator;

/// What memory holds that nobody has written: NaN.
static constexpr int kPoison = 0xFF;

/// Alignment of a block's memory; the parts of it are less aligned than this,
/// on purpose (see below).
static constexpr int64_t kMemoryAlignment = 128;

static int64_t alignTo(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static char *alignPointer(char *pointer, int64_t alignment) {
  return reinterpret_cast<char *>(
      alignTo(reinterpret_cast<int64_t>(pointer), alignment));
}

/// Memory that a launch adds is aligned to 16 bytes and to no more.
static int64_t getDynamicOffset(const RuDNNEmulatorLaunch &launch) {
  return alignTo(launch.staticSpan, 32) + 16;
}

char *Cluster::getDynamicMemory(const Block &block) const {
  return block.memory + getDynamicOffset(*current);
}

void Cluster::launch(const RuDNNEmulatorLaunch &newLaunch) {
  current = &newLaunch;
  check();
  if (getProduct(newLaunch.grid) != 0) {
    layOut();
    std::vector<uint32_t> order(getProduct(newLaunch.grid) / blocksOfCluster);
    std::iota(order.begin(), order.end(), 0);
    for (size_t left = order.size(); left != 0; --left) {
      std::swap(order[left - 1], order[random.next(left)]);
      run(order[left - 1]);
    }
  }
  current = nullptr;
}

/// Makes room for the blocks of one cluster.
void Cluster::layOut() {
  threadsOfBlock = getProduct(current->block);
  warpsOfBlock = (threadsOfBlock + kWarpSize - 1) / kWarpSize;
  blocksOfCluster = getProduct(current->cluster);
  memoryBytes = getDynamicOffset(*current) + current->dynamicBytes;
  memoryStride = alignTo(memoryBytes, kMemoryAlignment) + kMemoryAlignment;
  frameSize = 0;
  // Counts would run over in the end: begin anew, without history.
  if (std::max(firstEpoch, phase) > UINT32_MAX / 2) {
    blocks.clear();
    firstEpoch = phase = 1;
  }
  threads.resize(threadsOfBlock * blocksOfCluster);
  warps.resize(warpsOfBlock * blocksOfCluster);
  blocks.resize(blocksOfCluster);
  size_t bytes = memoryStride * blocksOfCluster + kMemoryAlignment;
  if (memory.size() < bytes)
    memory.resize(bytes);
}

void Cluster::start(Block &block, int64_t cluster) {
  int64_t clusters[3];
  for (int axis = 0; axis < 3; ++axis)
    clusters[axis] = current->grid[axis] / current->cluster[axis];
  int64_t rank = &block - blocks.data();
  Position corner = getPosition(cluster, clusters);
  Position inside = getPosition(rank, current->cluster);
  for (int axis = 0; axis < 3; ++axis)
    block.position[axis] = corner[axis] * current->cluster[axis] + inside[axis];
  block.rank = rank;
  block.threads = &threads[rank * threadsOfBlock];
  block.warps = &warps[rank * warpsOfBlock];
  block.memory =
      alignPointer(memory.data(), kMemoryAlignment) + rank * memoryStride;
  std::memset(block.memory, kPoison, memoryBytes);
  block.shadow.reset(memoryBytes, current->granule, firstEpoch);
  block.epoch = firstEpoch;
  block.numWaiting = block.numFinished = 0;
  for (int64_t i = 0; i < threadsOfBlock; ++i) {
    Thread &thread = block.threads[i];
    thread.cluster = this;
    thread.block = &block;
    thread.position = getPosition(i, current->block);
    thread.number = rank * threadsOfBlock + i;
    thread.state = State::Ready;
    thread.coroutine = nullptr;
    thread.arrivals = thread.waits = thread.acquired = phase;
    thread.copies.clear();
    thread.groups.clear();
  }
  for (int64_t i = 0; i < warpsOfBlock; ++i) {
    int64_t first = i * kWarpSize;
    block.warps[i] = {block.threads + first,
                      std::min(kWarpSize, threadsOfBlock - first),
                      /*isQueued=*/false};
    queue(block.warps[i]);
  }
}

/// Runs one warp after the other, each as far as it gets.
void Cluster::run(int64_t cluster) {
  numArrived = 0;
  firstPhase = phase;
  for (Block &block : blocks)
    start(block, cluster);
  while (!ready.empty()) {
    std::swap(ready[random.next(ready.size())], ready.back());
    Warp &warp = *ready.back();
    ready.pop_back();
    warp.isQueued = false;
    run(warp);
  }
  for (const Block &block : blocks) {
    if (block.numFinished != threadsOfBlock)
      failStuck();
    firstEpoch = std::max(firstEpoch, block.epoch + 1);
  }
  // Some may have arrived once more, without waiting.
  phase += 2;
}

void Cluster::run(Warp &warp) {
  do {
    uint64_t bits = random.next();
    bool isBackward = bits & 1;
    int64_t first = (bits >> 1) % warp.size;
    for (int64_t i = 0; i < warp.size; ++i) {
      int64_t lane = (isBackward ? first + warp.size - i : first + i);
      Thread &thread = warp.threads[lane % warp.size];
      while (thread.state == State::Ready)
        resume(thread);
    }
  } while (exchange(warp));
}

void Cluster::resume(Thread &thread) {
  running = &thread;
  if (thread.coroutine)
    current->resume(thread.coroutine);
  else
    thread.coroutine = current->start(current->arguments, &thread);
  running = nullptr;
}

void Cluster::queue(Warp &warp) {
  if (warp.isQueued)
    return;
  warp.isQueued = true;
  ready.push_back(&warp);
}

void Cluster::exit(Thread &thread) {
  thread.state = State::Finished;
  ++thread.block->numFinished;
}

void Cluster::wait(Thread &thread, int32_t op) {
  Block &block = *thread.block;
  thread.state = State::AtBarrier;
  thread.op = op;
  if (block.numWaiting == 0)
    block.firstWaiting = &thread;
  else if (block.firstWaiting->op != op)
    failDivergent(thread, *block.firstWaiting, "barrier");
  if (++block.numWaiting == threadsOfBlock)
    releaseBlock(block);
}

void Cluster::releaseBlock(Block &block) {
  ++block.epoch;
  block.numWaiting = 0;
  // What one thread of the block knows of the cluster, all know now.
  uint32_t acquired = 0;
  for (int64_t i = 0; i < threadsOfBlock; ++i)
    acquired = std::max(acquired, block.threads[i].acquired);
  for (int64_t i = 0; i < threadsOfBlock; ++i) {
    block.threads[i].state = State::Ready;
    block.threads[i].acquired = acquired;
  }
  for (int64_t i = 0; i < warpsOfBlock; ++i)
    queue(block.warps[i]);
}

void Cluster::arriveAtCluster(Thread &thread, int32_t op) {
  if (thread.arrivals != thread.waits)
    fail(&thread, "arrives at the cluster's barrier twice without waiting "
                  "there\n  at: " +
                      describeOp(op));
  if (numArrived == 0)
    firstArrivedAt = op;
  else if (firstArrivedAt != op)
    fail(&thread, "divergent cluster barrier\n  at: " + describeOp(op) +
                      "\n  others at: " + describeOp(firstArrivedAt));
  ++thread.arrivals;
  if (++numArrived == static_cast<int64_t>(threads.size()))
    releaseCluster();
}

void Cluster::releaseCluster() {
  ++phase;
  numArrived = 0;
  for (Thread &thread : threads) {
    if (thread.state != State::AtClusterBarrier)
      continue;
    thread.state = State::Ready;
    thread.acquired = thread.waits = thread.arrivals;
  }
  for (Warp &warp : warps)
    queue(warp);
}

void Cluster::waitForCluster(Thread &thread, int32_t op) {
  if (thread.arrivals == thread.waits)
    fail(&thread, "waits at the cluster's barrier without having arrived "
                  "there\n  at: " +
                      describeOp(op));
  thread.op = op;
  if (phase < thread.arrivals) {
    thread.state = State::AtClusterBarrier;
    return;
  }
  thread.acquired = thread.waits = thread.arrivals;
}

void *Cluster::allocateFrame(Thread &thread, int64_t size, int64_t alignment) {
  if (frameSize == 0) {
    alignment = std::max<int64_t>(alignment, 64);
    frameSize = alignTo(size, alignment);
    size_t bytes = frameSize * threads.size() + alignment;
    if (frames.size() < bytes)
      frames.resize(bytes);
    frameAlignment = alignment;
  }
  return alignPointer(frames.data(), frameAlignment) +
         thread.number * frameSize;
}
