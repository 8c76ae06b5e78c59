//===- CUDABench.cpp - time work of a GPU against a copy ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDABench.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace rudnn;
using namespace rudnn::runner;

/// Between two uses of a buffer so much memory is touched, in sizes of the
/// cache, or so many other buffers are used.
static constexpr int64_t kCacheSizes = 16, kMostSets = 20;
/// How long a batch is to take, so that the events around it do not count.
static constexpr double kBatchMicroseconds = 2000;
static constexpr int64_t kLeastBatches = 50;
/// What the GPU may have to do for calls that the host is timed with.
static constexpr double kRequestMicroseconds = 20000;

Batch::Batch(bool isRecorded, int64_t sets, std::function<void(int64_t)> run)
    : isRecorded(isRecorded), sets(sets), run(std::move(run)) {
  // Kernels are loaded now, and not while launches are being recorded.
  this->run(0);
  prepare(sets);
  double rounds = kBatchMicroseconds / std::max(time() * double(sets), 1e-3);
  prepare(sets * std::max<int64_t>(1, std::llround(rounds)));
}

double Batch::time() const {
  double all = cuda::time([&] { recording ? recording->play() : runAll(); });
  return all / double(calls);
}

double Batch::timeRequest() const {
  // No more than the driver takes before it waits for the GPU.
  constexpr double kFew = 10, kMany = 200;
  constexpr int64_t kRounds = 10;
  auto count = static_cast<int64_t>(
      std::clamp(kRequestMicroseconds / time(), kFew, kMany));
  auto runSome = [&] {
    for (int64_t i = 0; i < count; ++i)
      run(i % sets);
  };
  double best = std::numeric_limits<double>::infinity();
  cuda::setWaiting(false);
  for (int64_t round = 0; round < kRounds; ++round) {
    best = std::min(best, timeOnHost(runSome) / double(count));
    cuda::synchronize();
  }
  cuda::setWaiting(true);
  return best;
}

void Batch::prepare(int64_t numCalls) {
  calls = numCalls;
  if (isRecorded)
    recording = std::make_unique<cuda::Recording>([&] { runAll(); });
  time();
}

void Batch::runAll() const {
  for (int64_t i = 0; i < calls; ++i)
    run(i % sets);
}

namespace {
/// Memory to copy between.
class CopyBuffers {
public:
  CopyBuffers(int64_t sets, int64_t bytes) : bytes(bytes) {
    for (int64_t i = 0; i < 2 * sets; ++i) {
      blocks.push_back(cuda::allocate(bytes));
      cuda::fill(blocks.back(), 1, bytes);
    }
  }
  ~CopyBuffers() { llvm::for_each(blocks, cuda::release); }
  CopyBuffers(const CopyBuffers &) = delete;
  CopyBuffers &operator=(const CopyBuffers &) = delete;

  void copy(int64_t set) const {
    cuda::copy(blocks[2 * set], blocks[2 * set + 1], bytes);
  }

private:
  std::vector<void *> blocks;
  int64_t bytes;
};
} // namespace

/// The least of a few times.
static double timeBest(const Batch &batch) {
  double best = batch.time();
  for (int i = 0; i < 4; ++i)
    best = std::min(best, batch.time());
  return best;
}

int64_t rudnn::runner::countBufferSets(int64_t bytes, int64_t cacheBytes) {
  return std::clamp<int64_t>(
      llvm::divideCeil(kCacheSizes * cacheBytes, std::max<int64_t>(bytes, 1)),
      1, kMostSets);
}

BenchResult rudnn::runner::benchOnGPU(const Batch &function, int64_t sets,
                                      int64_t bytes, double seconds) {
  CopyBuffers buffers(sets, (bytes + 1) / 2);
  auto copy = [&](int64_t set) { buffers.copy(set); };
  // Recorded, large copies may go another way, which is slower; single ones
  // take the host longer to ask for, which shows with small ones.
  Batch recorded(/*isRecorded=*/true, sets, copy);
  Batch single(/*isRecorded=*/false, sets, copy);
  bool isRecorded = timeBest(recorded) < timeBest(single);
  const Batch &copies = isRecorded ? recorded : single;
  BenchResult result =
      bench([&] { return function.time(); }, [&] { return copies.time(); },
            {seconds, kLeastBatches});
  result.bytes = bytes;
  result.request = function.timeRequest();
  result.conditions = std::to_string(sets) + " sets of buffers, batches of " +
                      std::to_string(function.getCalls()) + " calls, " +
                      (isRecorded ? "recorded" : "single") + " copies";
  result.details = llvm::json::Object{{"buffer_sets", sets},
                                      {"calls_per_batch", function.getCalls()},
                                      {"recorded_copies", isRecorded}};
  return result;
}
