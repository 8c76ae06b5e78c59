//===- Shadow.h - who accessed workgroup memory last ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Race detection. Two accesses of different threads to the same bytes, one of
// them a write, must have a barrier between them:
//
// - the block's barrier orders what threads of a block did before it (in an
//   earlier epoch) before what they do after it;
// - the cluster's barrier orders what a thread did before it arrived for the
//   n-th time before what another does once it has waited n times.
//
// Shuffles order nothing, as on the device.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_RUNTIME_SHADOW_H
#define RUDNN_LIB_EMULATOR_RUNTIME_SHADOW_H

#include <cstdint>
#include <vector>

namespace rudnn::emulator {

/// When and by whom something was accessed. Counts go on from block to block
/// and from launch to launch, so that old entries need not be cleared.
struct Access {
  static constexpr uint16_t kSeveral = 0xFFFF;

  /// Barriers of its own block that the thread had passed.
  uint32_t epoch = 0;
  /// Times it had arrived at the cluster's barrier.
  uint32_t arrivals = 0;
  int32_t op = 0;
  /// Number of the thread, and of its block, in the cluster; or kSeveral.
  uint16_t thread = 0;
  uint16_t block = 0;
};

/// The access of a thread, with what that thread knows of others.
struct Accessor : Access {
  /// Times that it has seen the whole cluster arrive.
  uint32_t acquired = 0;

  /// Whether the other access comes before this one in every run.
  bool follows(const Access &other) const {
    if (other.thread == thread && thread != kSeveral)
      return true;
    if (other.block == block && other.epoch < epoch)
      return true;
    return other.arrivals < acquired;
  }
};

/// What is wrong with an access.
enum class Hazard {
  None,
  /// Read, but nobody has written it.
  Unwritten,
  /// Read or written while an asynchronous copy may be writing it.
  CopyPending,
  ReadAfterWrite,
  WriteAfterRead,
  WriteAfterWrite
};

/// The history of one block's workgroup memory, in cells of a few bytes.
class Shadow {
public:
  /// Forgets everything: accesses before `epoch` do not count.
  void reset(int64_t bytes, int64_t granule, uint32_t epoch);

  /// Check accesses to the bytes from `offset` on, and keep them if they are
  /// good. `before` is set to the access that they clash with.
  Hazard read(const Accessor &accessor, int64_t offset, int64_t bytes,
              Access &before);
  Hazard write(const Accessor &accessor, int64_t offset, int64_t bytes,
               Access &before);
  /// A write that may happen any time from now on, until it `land`s.
  Hazard beginCopy(const Accessor &accessor, int64_t offset, int64_t bytes,
                   Access &before);
  void landCopy(const Accessor &accessor, int64_t offset, int64_t bytes);

private:
  struct Cell {
    Access write;
    Access read;
    bool isCopyPending = false;
  };

  bool counts(const Access &access) const { return access.epoch >= first; }
  Cell *begin(int64_t offset) { return &cells[offset / granule]; }
  Cell *end(int64_t offset, int64_t bytes) {
    return begin(0) + (offset + bytes + granule - 1) / granule;
  }
  Hazard checkWrite(const Accessor &accessor, const Cell &cell,
                    Access &before) const;
  void keepRead(const Accessor &accessor, Cell &cell) const;

  std::vector<Cell> cells;
  int64_t granule = 1;
  uint32_t first = 1;
};

} // namespace rudnn::emulator

#endif // RUDNN_LIB_EMULATOR_RUNTIME_SHADOW_H
