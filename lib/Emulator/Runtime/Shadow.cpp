//===- Shadow.cpp - who accessed workgroup memory last --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

#include <algorithm>

using namespace rudnn::emulator;

void Shadow::reset(int64_t bytes, int64_t granuleBytes, uint32_t epoch) {
  granule = granuleBytes;
  first = epoch;
  cells.resize(bytes / granule + 1);
}

Hazard Shadow::read(const Accessor &accessor, int64_t offset, int64_t bytes,
                    Access &before) {
  for (Cell *cell = begin(offset), *last = end(offset, bytes); cell != last;
       ++cell) {
    before = cell->write;
    if (!counts(cell->write))
      return Hazard::Unwritten;
    if (cell->isCopyPending)
      return Hazard::CopyPending;
    if (!accessor.follows(cell->write))
      return Hazard::ReadAfterWrite;
    keepRead(accessor, *cell);
  }
  return Hazard::None;
}

/// Of reads that no barrier orders, one entry stands for all: as late as the
/// latest of them.
void Shadow::keepRead(const Accessor &accessor, Cell &cell) const {
  Access &read = cell.read;
  if (!counts(read) || accessor.follows(read)) {
    read = accessor;
    return;
  }
  read.thread = Access::kSeveral;
  if (read.block != accessor.block)
    read.block = Access::kSeveral;
  read.epoch = std::max(read.epoch, accessor.epoch);
  read.arrivals = std::max(read.arrivals, accessor.arrivals);
}

Hazard Shadow::checkWrite(const Accessor &accessor, const Cell &cell,
                          Access &before) const {
  if (counts(cell.write)) {
    before = cell.write;
    if (cell.isCopyPending)
      return Hazard::CopyPending;
    if (!accessor.follows(cell.write))
      return Hazard::WriteAfterWrite;
  }
  before = cell.read;
  if (counts(cell.read) && !accessor.follows(cell.read))
    return Hazard::WriteAfterRead;
  return Hazard::None;
}

Hazard Shadow::write(const Accessor &accessor, int64_t offset, int64_t bytes,
                     Access &before) {
  for (Cell *cell = begin(offset), *last = end(offset, bytes); cell != last;
       ++cell) {
    Hazard hazard = checkWrite(accessor, *cell, before);
    if (hazard != Hazard::None)
      return hazard;
    *cell = {accessor, {}, /*isCopyPending=*/false};
  }
  return Hazard::None;
}

Hazard Shadow::beginCopy(const Accessor &accessor, int64_t offset,
                         int64_t bytes, Access &before) {
  Hazard hazard = write(accessor, offset, bytes, before);
  if (hazard == Hazard::None)
    std::for_each(begin(offset), end(offset, bytes),
                  [](Cell &cell) { cell.isCopyPending = true; });
  return hazard;
}

void Shadow::landCopy(const Accessor &accessor, int64_t offset, int64_t bytes) {
  // Nobody has touched the bytes since the copy began, or there was an error.
  std::for_each(begin(offset), end(offset, bytes), [&](Cell &cell) {
    cell = {accessor, {}, /*isCopyPending=*/false};
  });
}
