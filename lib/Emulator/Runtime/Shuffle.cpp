//===- Shuffle.cpp - values handed between the lanes of a warp ------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

#include <algorithm>

using namespace rudnn::emulator;

/// The lane that `lane` gets its value from, perhaps outside of the warp.
static int64_t getSource(const ShuffleSlot &slot, int64_t lane) {
  // In the order of gpu.shuffle's modes.
  switch (slot.mode) {
  case 0:
    return lane ^ slot.offset;
  case 1:
    return lane + slot.offset;
  case 2:
    return lane - slot.offset;
  default:
    return slot.offset;
  }
}

/// Completes the shuffle that threads of the warp wait at. Returns whether any
/// can go on; fails if those that have to take part wait elsewhere.
bool Cluster::exchange(Warp &warp) {
  Thread *end = warp.threads + warp.size;
  auto isAt = [](State state) {
    return [state](const Thread &thread) { return thread.state == state; };
  };
  // A barrier may have been passed in the middle of the warp.
  if (std::any_of(warp.threads, end, isAt(State::Ready)))
    return true;
  Thread *first = std::find_if(warp.threads, end, isAt(State::AtShuffle));
  if (first == end)
    return false;
  ShuffleSlot asked = first->shuffle;
  if (asked.width < 1 || asked.width > kWarpSize)
    fail(first, "shuffle of width " + std::to_string(asked.width) +
                    ", expected 1 to 32\n  at: " + describeOp(first->op));
  for (Thread *thread = warp.threads; thread != end; ++thread) {
    bool isThere = thread->state == State::AtShuffle &&
                   thread->op == first->op &&
                   thread->shuffle.width == asked.width;
    bool takesPart = thread->getLane() < asked.width;
    if (takesPart && !isThere)
      failDivergent(*first, *thread, "shuffle");
    if (!takesPart && isThere)
      fail(thread, "lane " + std::to_string(thread->getLane()) +
                       " of its warp is at a shuffle of the first " +
                       std::to_string(asked.width) +
                       "\n  at: " + describeOp(thread->op));
  }
  handOver(warp, asked);
  return true;
}

void Cluster::handOver(Warp &warp, const ShuffleSlot &asked) {
  int64_t lanes = std::min<int64_t>(asked.width, warp.size);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Thread &thread = warp.threads[lane];
    int64_t source = getSource(thread.shuffle, lane);
    thread.shuffle.isValid = source >= 0 && source < asked.width;
    if (thread.shuffle.isValid && source >= warp.size)
      fail(&thread, "shuffles with lane " + std::to_string(source) +
                        ", but its warp has " + std::to_string(warp.size) +
                        "\n  at: " + describeOp(thread.op));
    // Nothing is said of what an invalid result holds.
    thread.shuffle.result =
        thread.shuffle.isValid ? warp.threads[source].shuffle.value : -1;
  }
  for (int64_t lane = 0; lane < lanes; ++lane)
    warp.threads[lane].state = State::Ready;
}
