//===- RowCut.cpp - Rows cut for threads ----------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowCut.h"

#include "rudnn/Dialect/Norm/IR/GPUChip.h"
#include "rudnn/Dialect/Norm/IR/Schedule.h"
#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace rudnn::norm;

/// The fewest threads, `threads` or more, that may share a row.
static int64_t roundUp(int64_t threads) {
  return threads <= GPUChip::kWarp ? int64_t(llvm::PowerOf2Ceil(threads))
                                   : llvm::alignTo(threads, GPUChip::kWarp);
}

RowCut RowCut::choose(int64_t units, int64_t pieces, bool moreIsBetter) {
  int64_t least = llvm::divideCeil(units, GPUChip::kThreadsPerBlock);
  // No block holds such a row, however it is cut.
  if (least > kMaxPieces)
    return {GPUChip::kThreadsPerBlock, least};
  pieces = std::clamp(pieces, least, std::max(least, units));
  auto isExact = [&](int64_t count) {
    return units % count == 0 && isThreadCount(units / count);
  };
  if (llvm::isPowerOf2_64(units) && isExact(pieces))
    return {units / pieces, pieces};
  for (int64_t step = 0; step <= pieces; ++step) {
    int64_t count = moreIsBetter ? 2 * pieces - step : pieces + step;
    if (isExact(count))
      return {units / count, count};
  }
  // What a piece too many or too few costs, as a share of the time.
  constexpr double kKept = 0.95;
  RowCut best = {0, 0};
  double bestScore = 0;
  for (int64_t count = least; count <= std::max<int64_t>(8, 2 * pieces);
       ++count) {
    int64_t threads = roundUp(llvm::divideCeil(units, count));
    int64_t used = llvm::divideCeil(units, threads);
    double score = double(units) / double(threads * used) *
                   std::pow(kKept, double(std::abs(used - pieces)));
    if (score > bestScore) {
      best = {threads, used};
      bestScore = score;
    }
  }
  return best;
}
