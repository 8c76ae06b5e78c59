//===- Bench.cpp - time a function against a copy -------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Bench.h"

#include "rudnn/Runner/HostBuffer.h"
#include "rudnn/Runtime/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace rudnn::runner;

/// Neither fewer repetitions than these, however slow, nor more, however fast.
static constexpr int64_t kLeastOnHost = 10, kMost = 100000;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A copy of memory to memory on several threads.
class Copy {
public:
  static llvm::Expected<Copy> create(int64_t size, int64_t threads) {
    auto source = HostBuffer::create("the copy's source", size, Placement());
    if (!source)
      return source.takeError();
    auto target = HostBuffer::create("the copy's target", size, Placement());
    if (!target)
      return target.takeError();
    // Fresh pages are all one page of zeros until they are written.
    std::memset(source->getData(), 1, size);
    std::memset(target->getData(), 2, size);
    Copy copy;
    copy.source = std::move(*source);
    copy.target = std::move(*target);
    copy.threads = threads;
    return std::move(copy);
  }

  void run() {
    rudnnParallelFor(
        source.getSize(), threads,
        [](void *context, int64_t begin, int64_t end) {
          auto *self = static_cast<Copy *>(context);
          std::memcpy(self->target.getData() + begin,
                      self->source.getData() + begin, end - begin);
        },
        this);
  }

private:
  HostBuffer source, target;
  int64_t threads = 0;
};

Timing summarize(std::vector<double> &times) {
  llvm::sort(times);
  auto quantile = [&](double part) {
    return times[static_cast<size_t>(part * (times.size() - 1) + 0.5)];
  };
  return {quantile(0.5), quantile(0.1), quantile(0.9)};
}

} // namespace

double BenchResult::getBandwidth() const {
  return static_cast<double>(bytes) / (function.median * 1e3);
}

double BenchResult::getCopyBandwidth() const {
  return static_cast<double>(bytes) / (copy.median * 1e3);
}

double BenchResult::getRatio() const { return copy.median / function.median; }

double rudnn::runner::timeOnHost(llvm::function_ref<void()> function) {
  auto start = Clock::now();
  function();
  return secondsSince(start) * 1e6;
}

Timings rudnn::runner::measureInTurn(llvm::ArrayRef<Timer> timers,
                                     const BenchLength &length) {
  for (auto start = Clock::now(); secondsSince(start) < length.warmUpSeconds;)
    for (const Timer &timer : timers)
      timer();
  Timings result;
  std::vector<std::vector<double>> times(timers.size());
  auto start = Clock::now();
  while (result.repetitions < length.least ||
         (secondsSince(start) < length.seconds && result.repetitions < kMost)) {
    for (auto [timer, list] : llvm::zip_equal(timers, times))
      list.push_back(timer());
    ++result.repetitions;
  }
  for (std::vector<double> &list : times)
    result.each.push_back(summarize(list));
  return result;
}

BenchResult rudnn::runner::bench(const Timer &function, const Timer &copy,
                                 const BenchLength &length) {
  Timings timings = measureInTurn({function, copy}, length);
  BenchResult result;
  result.repetitions = timings.repetitions;
  result.function = timings.each[0];
  result.copy = timings.each[1];
  return result;
}

llvm::Expected<BenchResult> rudnn::runner::benchOnHost(const Timer &function,
                                                       int64_t bytes,
                                                       int64_t threads,
                                                       double seconds) {
  auto copy = Copy::create((bytes + 1) / 2, threads);
  if (!copy)
    return copy.takeError();
  BenchResult result =
      bench(function, [&] { return timeOnHost([&] { copy->run(); }); },
            {seconds, kLeastOnHost});
  result.bytes = bytes;
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  result.conditions =
      std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  result.details = llvm::json::Object{{"threads", threads}};
  return result;
}

std::string BenchResult::format() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](llvm::StringRef name, const Timing &timing, double rate) {
    os << name << ": median " << llvm::format("%.1f", timing.median)
       << " us (p10 " << llvm::format("%.1f", timing.p10) << ", p90 "
       << llvm::format("%.1f", timing.p90) << "), "
       << llvm::format("%.2f", rate) << " GB/s\n";
  };
  os << "bench: " << bytes << " bytes must move; " << conditions << ", "
     << repetitions << " repetitions\n";
  print("  function", function, getBandwidth());
  print("  memcpy  ", copy, getCopyBandwidth());
  if (request)
    os << "  host    : " << llvm::format("%.2f", *request)
       << " us to ask for a call\n";
  os << "  ratio to memcpy: " << llvm::format("%.3f", getRatio());
  return text;
}

static llvm::json::Object toJSON(const Timing &timing, double rate) {
  return llvm::json::Object{{"median_us", timing.median},
                            {"p10_us", timing.p10},
                            {"p90_us", timing.p90},
                            {"gb_per_s", rate}};
}

llvm::json::Object BenchResult::toJSON() const {
  llvm::json::Object object = details;
  object["bytes"] = bytes;
  object["repetitions"] = repetitions;
  object["function"] = ::toJSON(function, getBandwidth());
  object["memcpy"] = ::toJSON(copy, getCopyBandwidth());
  object["ratio"] = getRatio();
  if (request)
    object["host_us"] = *request;
  return object;
}

int64_t rudnn::runner::getPeakMemory() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
  // Linux counts in kilobytes.
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}
