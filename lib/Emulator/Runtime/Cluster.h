//===- Cluster.h - the threads of a cluster and their order -----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why coroutines and not stacks of their own for threads: a frame holds just
// what lives across a wait, so a block of 1024 threads stays in the cache where
// its stacks would not, a switch is a call, and nothing depends on the machine
// or upsets sanitizers. The price is that a kernel waits only in its own body.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_RUNTIME_CLUSTER_H
#define RUDNN_LIB_EMULATOR_RUNTIME_CLUSTER_H

#include "Shadow.h"
#include "rudnn/Emulator/Runtime.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace rudnn::emulator {

constexpr int64_t kWarpSize = 32;

using Position = std::array<int64_t, 3>;

inline int64_t getProduct(const int64_t *sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

/// The place of item `number`, x running fastest.
inline Position getPosition(int64_t number, const int64_t *sizes) {
  return {number % sizes[0], number / sizes[0] % sizes[1],
          number / sizes[0] / sizes[1]};
}

class Cluster;
struct Block;

enum class State : uint8_t {
  Ready,
  AtBarrier,
  AtShuffle,
  AtClusterBarrier,
  Finished
};

/// What a thread hands to its warp, and what it gets.
struct ShuffleSlot {
  int32_t mode, offset, width;
  int64_t value;
  int64_t result;
  bool isValid;
};

struct AsyncCopy {
  char *target;
  const char *source;
  int64_t bytes, sourceBytes;
  int32_t op;
};

struct Warp {
  RuDNNEmulatorThread *threads;
  int64_t size;
  bool isQueued;
};

struct Block {
  Position position;
  /// In the cluster.
  uint16_t rank;
  RuDNNEmulatorThread *threads;
  Warp *warps;
  char *memory;
  Shadow shadow;
  uint32_t epoch;
  /// Threads at the barrier, and the first of them; threads at their end.
  int64_t numWaiting, numFinished;
  RuDNNEmulatorThread *firstWaiting;
};

/// A generator of 64 random bits (SplitMix64 of Steele, Lea and Flood, 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t bits = state += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  }
  /// A number below `limit`, which is small.
  uint64_t next(uint64_t limit) { return next() % limit; }

private:
  uint64_t state;
};

} // namespace rudnn::emulator

struct RuDNNEmulatorThread {
  rudnn::emulator::Cluster *cluster;
  rudnn::emulator::Block *block;
  rudnn::emulator::Position position;
  /// In the cluster.
  uint16_t number;
  rudnn::emulator::State state;
  /// Where it waits, if it does.
  int32_t op;
  void *coroutine;
  rudnn::emulator::ShuffleSlot shuffle;
  /// Times it arrived at the cluster's barrier, and waited there; times it
  /// knows the whole cluster to have arrived.
  uint32_t arrivals, waits, acquired;
  /// Copies that have not been waited for, and how many of them were begun
  /// before each group was closed.
  std::vector<rudnn::emulator::AsyncCopy> copies;
  std::vector<size_t> groups;

  int64_t getNumberInBlock() const { return this - block->threads; }
  int64_t getLane() const {
    return getNumberInBlock() % rudnn::emulator::kWarpSize;
  }
};

namespace rudnn::emulator {

using Thread = RuDNNEmulatorThread;

/// Runs the clusters of launches, one after the other, in memory that they
/// share.
class Cluster {
public:
  void launch(const RuDNNEmulatorLaunch &newLaunch);

  // What threads do; see Runtime.h.
  void exit(Thread &thread);
  void wait(Thread &thread, int32_t op);
  void arriveAtCluster(Thread &thread, int32_t op);
  void waitForCluster(Thread &thread, int32_t op);
  void *allocateFrame(Thread &thread, int64_t size, int64_t alignment);
  void access(Thread &thread, int32_t op, int64_t address, int64_t bytes,
              bool isWrite, bool isRemote);
  void copyAsync(Thread &thread, const AsyncCopy &copy);
  void waitForCopies(Thread &thread, int64_t pending);
  int64_t mapToBlock(Thread &thread, int32_t op, int64_t address, int32_t rank);

  const RuDNNEmulatorLaunch &getLaunch() const { return *current; }
  int64_t getNumThreadsOfBlock() const { return threadsOfBlock; }
  char *getDynamicMemory(const Block &block) const;
  /// The thread that runs.
  const Thread *getRunning() const { return running; }
  /// Ends the process with the message, after the name of the kernel and, if
  /// given, of the block and thread.
  [[noreturn]] void fail(const Thread *thread, const std::string &message);
  std::string describe(const Thread &thread) const;
  std::string describeOp(int32_t op) const;

  void setSeed(uint64_t seed) { random = Random(seed); }

private:
  void check();
  void layOut();
  void run(int64_t cluster);
  void start(Block &block, int64_t cluster);
  void run(Warp &warp);
  void resume(Thread &thread);
  bool exchange(Warp &warp);
  void handOver(Warp &warp, const ShuffleSlot &asked);
  void queue(Warp &warp);
  void releaseBlock(Block &block);
  void releaseCluster();
  void land(Thread &thread, const AsyncCopy &copy);
  Block &findBlock(Thread &thread, int32_t op, int64_t address, int64_t bytes,
                   bool isRemote);
  Accessor makeAccessor(const Thread &thread, int32_t op) const;
  [[noreturn]] void failAccess(Thread &thread, int32_t op, Hazard hazard,
                               const Access &before, const char *verb);
  [[noreturn]] void failDivergent(const Thread &thread, const Thread &other,
                                  const char *what);
  [[noreturn]] void failStuck();
  std::string describePosition(const Thread &thread) const;

  const RuDNNEmulatorLaunch *current = nullptr;
  Thread *running = nullptr;
  Random random{0};

  int64_t threadsOfBlock = 0, warpsOfBlock = 0, blocksOfCluster = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<Block> blocks;
  std::vector<Warp *> ready;

  std::vector<char> frames;
  int64_t frameSize = 0, frameAlignment = 1;
  std::vector<char> memory;
  /// Bytes of one block's memory, and from one block's to the next one's.
  int64_t memoryBytes = 0, memoryStride = 0;

  /// Barrier counts of the cluster that runs begin here.
  uint32_t firstEpoch = 1;
  /// Times that all threads have arrived at the cluster's barrier, now and when
  /// the cluster began.
  uint32_t phase = 1, firstPhase = 1;
  int64_t numArrived = 0;
  int32_t firstArrivedAt = 0;
};

} // namespace rudnn::emulator

#endif // RUDNN_LIB_EMULATOR_RUNTIME_CLUSTER_H
