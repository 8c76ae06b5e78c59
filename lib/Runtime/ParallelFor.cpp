//===- ParallelFor.cpp - a persistent pool for row loops ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why a pool of our own: ahead-of-time users link this without LLVM, so
// llvm::DefaultThreadPool is out, and its queue of futures costs more than a
// small norm takes; std::async starts a thread per call; libomp may be missing
// on the machine. A call here is a few hundred nanoseconds while the workers
// are still spinning from the last one.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace {

/// More than any machine this is meant for; bounds what a caller can start.
constexpr int64_t kMaxThreads = 1024;

/// How long an idle thread looks for news before it sleeps. Long enough to
/// bridge the gap between two calls of a training step, short enough not to be
/// seen in a profile.
constexpr std::chrono::microseconds kSpin(50);

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/// Waits for `ready` for about kSpin without sleeping; returns whether it came.
template <typename Predicate> bool spinFor(Predicate ready) {
  auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready())
        return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

/// One parallel loop. Late workers may still look at it after the call that
/// made it has returned, hence the shared ownership; they find nothing to
/// claim.
class Job {
public:
  Job(int64_t count, int64_t chunks, RuDNNParallelBody body, void *context)
      : count(count), chunks(chunks), body(body), context(context),
        claimed(new std::atomic<bool>[chunks]()), unfinished(chunks) {}

  /// Runs every chunk nobody has begun, the one numbered `first` before the
  /// others: the same thread gets the same rows in call after call, so they may
  /// still be in its cache; and a thread that is late holds nobody up.
  void work(int64_t first) {
    for (int64_t i = 0; i < chunks; ++i) {
      int64_t chunk = (first + i) % chunks;
      if (claimed[chunk].exchange(true, std::memory_order_relaxed))
        continue;
      body(context, bound(chunk), bound(chunk + 1));
      if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
        announce();
    }
  }

  void wait() {
    auto done = [this] {
      return unfinished.load(std::memory_order_acquire) == 0;
    };
    if (spinFor(done))
      return;
    std::unique_lock<std::mutex> lock(mutex);
    finished.wait(lock, done);
  }

  int64_t getNumChunks() const { return chunks; }

private:
  /// First item of a chunk; the first `count % chunks` are one item longer.
  int64_t bound(int64_t chunk) const {
    return count / chunks * chunk + std::min(chunk, count % chunks);
  }

  void announce() {
    std::lock_guard<std::mutex> lock(mutex);
    finished.notify_all();
  }

  const int64_t count, chunks;
  const RuDNNParallelBody body;
  void *const context;
  std::unique_ptr<std::atomic<bool>[]> claimed;
  std::atomic<int64_t> unfinished;
  std::mutex mutex;
  std::condition_variable finished;
};

/// Set in the pool's threads, and in a calling thread while it runs a loop.
thread_local bool insideLoop = false;

class Pool {
public:
  /// Never destroyed: its threads may outlive the statics of the program.
  static Pool &get() {
    static Pool *pool = new Pool;
    return *pool;
  }

  /// Runs the loop on `chunks` threads; false if another caller has the pool.
  bool run(int64_t count, int64_t chunks, RuDNNParallelBody body,
           void *context) {
    std::unique_lock<std::mutex> owner(ownerMutex, std::try_to_lock);
    if (!owner)
      return false;
    startThreads(chunks - 1);
    auto job = std::make_shared<Job>(count, chunks, body, context);
    publish(job);
    insideLoop = true;
    job->work(0);
    insideLoop = false;
    job->wait();
    return true;
  }

private:
  void startThreads(int64_t wanted) {
    while (static_cast<int64_t>(numThreads) < wanted) {
      try {
        std::thread(&Pool::serve, this, numThreads + 1).detach();
      } catch (const std::system_error &) {
        return; // The threads that are there claim the chunks left over.
      }
      ++numThreads;
    }
  }

  void publish(std::shared_ptr<Job> job) {
    bool wake;
    {
      std::lock_guard<std::mutex> lock(mutex);
      current = std::move(job);
      epoch.fetch_add(1, std::memory_order_release);
      wake = sleepers != 0;
    }
    if (wake)
      news.notify_all();
  }

  /// Body of the worker that begins with chunk `number` of each job.
  void serve(int64_t number) {
    insideLoop = true;
    uint64_t seen = 0;
    while (true) {
      std::shared_ptr<Job> job = next(seen);
      if (number < job->getNumChunks())
        job->work(number);
    }
  }

  /// Waits for a job newer than `seen`, and updates `seen`.
  std::shared_ptr<Job> next(uint64_t &seen) {
    auto isNew = [&] { return epoch.load(std::memory_order_acquire) != seen; };
    bool came = spinFor(isNew);
    std::unique_lock<std::mutex> lock(mutex);
    if (!came) {
      ++sleepers;
      news.wait(lock, isNew);
      --sleepers;
    }
    seen = epoch.load(std::memory_order_relaxed);
    return current;
  }

  std::mutex ownerMutex;  // Held by the caller whose loop runs.
  int64_t numThreads = 0; // Guarded by ownerMutex.
  std::mutex mutex;
  std::condition_variable news;
  std::atomic<uint64_t> epoch{0};
  std::shared_ptr<Job> current; // Guarded by mutex, as sleepers.
  int64_t sleepers = 0;
};

int64_t resolveThreads(int64_t threads) {
  if (threads <= 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return std::min(threads, kMaxThreads);
}

} // namespace

int rudnnIsInParallelFor() { return insideLoop; }

void rudnnParallelFor(int64_t count, int64_t threads, RuDNNParallelBody body,
                      void *context) {
  if (count <= 0)
    return;
  int64_t chunks = std::min(count, resolveThreads(threads));
  if (chunks > 1 && !insideLoop &&
      Pool::get().run(count, chunks, body, context))
    return;
  body(context, 0, count);
}
