//===- Limits.cpp - launches that a device would refuse -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "Messages.h"

#include <algorithm>

using namespace rudnn::emulator;

namespace {

// What the CUDA programming guide says of compute capability 8.0 to 10.0, where
// the largest amount of workgroup memory is that of 9.0 and 10.0.
constexpr int64_t kMaxGrid[] = {2147483647, 65535, 65535};
constexpr int64_t kMaxBlock[] = {1024, 1024, 64};
constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxBlocksOfCluster = 16;
constexpr int64_t kMaxStaticBytes = 48 * 1024;
constexpr int64_t kMaxBytes = 227 * 1024;

bool isWithin(const int64_t *sizes, int64_t least, const int64_t *most) {
  for (int axis = 0; axis < 3; ++axis)
    if (sizes[axis] < least || sizes[axis] > most[axis])
      return false;
  return true;
}

std::string checkKnown(const char *what, const int64_t *known,
                       const int64_t *sizes) {
  if (known[0] == 0 || std::equal(known, known + 3, sizes))
    return "";
  return std::string("launched with a ") + what + " of " + format(sizes) +
         ", compiled for " + format(known);
}

std::string checkSizes(const RuDNNEmulatorLaunch &launch) {
  if (!isWithin(launch.grid, 0, kMaxGrid))
    return "expected a grid of at most " + format(kMaxGrid) + ", got " +
           format(launch.grid);
  if (!isWithin(launch.block, 1, kMaxBlock) ||
      getProduct(launch.block) > kMaxThreads)
    return "expected a block of 1 to " + std::to_string(kMaxThreads) +
           " threads, at most " + format(kMaxBlock) + ", got " +
           format(launch.block);
  constexpr int64_t most[] = {kMaxBlocksOfCluster, kMaxBlocksOfCluster,
                              kMaxBlocksOfCluster};
  if (!isWithin(launch.cluster, 1, most) ||
      getProduct(launch.cluster) > kMaxBlocksOfCluster)
    return "expected a cluster of 1 to " + std::to_string(kMaxBlocksOfCluster) +
           " blocks, got " + format(launch.cluster);
  for (int axis = 0; axis < 3; ++axis)
    if (launch.grid[axis] % launch.cluster[axis] != 0)
      return "expected a grid of whole clusters of " + format(launch.cluster) +
             " blocks, got " + format(launch.grid);
  return "";
}

std::string checkMemory(const RuDNNEmulatorLaunch &launch) {
  if (launch.dynamicBytes < 0)
    return "expected dynamic workgroup memory >= 0 bytes, got " +
           std::to_string(launch.dynamicBytes);
  if (launch.staticBytes > kMaxStaticBytes)
    return "declares " + std::to_string(launch.staticBytes) +
           " bytes of workgroup memory, more than " +
           std::to_string(kMaxStaticBytes);
  int64_t bytes = launch.staticBytes + launch.dynamicBytes;
  if (bytes > kMaxBytes)
    return "needs " + std::to_string(bytes) +
           " bytes of workgroup memory, more than " + std::to_string(kMaxBytes);
  return "";
}

} // namespace

void Cluster::check() {
  for (std::string message :
       {checkSizes(*current), checkMemory(*current),
        checkKnown("grid", current->knownGrid, current->grid),
        checkKnown("block", current->knownBlock, current->block),
        checkKnown("cluster", current->knownCluster, current->cluster)})
    if (!message.empty())
      fail(nullptr, message);
}
