//===- Report.cpp - what a run tells people and machines ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Report.h"
#include "rudnn/Support/WriteFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace rudnn;
using namespace rudnn::runner;
using llvm::StringRef;

void Report::addModule(StringRef path, StringRef entry) {
  os << "function @" << entry << " of " << path << '\n';
  root["module"] = path.str();
  root["entry"] = entry.str();
}

void Report::addSeed(uint64_t seed) {
  os << "seed " << seed << '\n';
  root["seed"] = seed;
}

void Report::addTarget(StringRef device, StringRef processor,
                       StringRef pipelineOptions) {
  os << "device " << device << " (" << processor << "), pipeline options \""
     << pipelineOptions << "\"\n";
  root["device"] = device.str();
  root["processor"] = processor.str();
  root["pipeline_options"] = pipelineOptions.str();
}

void Report::addGPU(const cuda::DeviceInfo &info) {
  root["device_info"] =
      llvm::json::Object{{"name", info.name},
                         {"compute_capability", info.capability / 10.0},
                         {"cache_bytes", info.cacheBytes},
                         {"driver", info.driverVersion}};
}

static StringRef describe(Access access) {
  constexpr llvm::StringLiteral names[] = {"unused", "read", "written",
                                           "read and written"};
  return names[static_cast<int>(access)];
}

void Report::addArgument(const ArgumentBuffer &buffer, StringRef source) {
  const Argument &argument = buffer.getArgument();
  const View &view = buffer.getView();
  os << argument.getName() << ": " << getName(view.type) << ' '
     << formatShape(view.sizes);
  if (argument.type.hasLayout)
    os << " strides " << formatShape(view.strides) << " offset "
       << buffer.getOffset();
  os << ", " << describe(argument.access) << ", " << source << '\n';
  arguments.push_back(llvm::json::Object{
      {"name", argument.getName()},
      {"type", getName(view.type)},
      {"shape", llvm::json::Array(view.sizes)},
      {"strides", llvm::json::Array(view.strides)},
      {"offset", buffer.getOffset()},
      {"access", describe(argument.access)},
      {"source", source.str()},
  });
}

void Report::addCompileTimes(const CompileTimes &times) {
  if (times.isCached)
    os << llvm::format("loaded from the cache in %.1f ms\n", times.total());
  else
    os << llvm::format(
        "compiled in %.1f ms (parse %.1f, passes %.1f, code %.1f)\n",
        times.total(), times.parse, times.passes, times.codegen);
  root["compile_ms"] = llvm::json::Object{{"total", times.total()},
                                          {"parse", times.parse},
                                          {"passes", times.passes},
                                          {"codegen", times.codegen},
                                          {"cached", times.isCached}};
}

void Report::addResult(StringRef name, const View &view) {
  os << name << ": " << getName(view.type) << ' ' << formatShape(view.sizes)
     << '\n';
  results.push_back(
      llvm::json::Object{{"name", name.str()},
                         {"type", getName(view.type)},
                         {"shape", llvm::json::Array(view.sizes)}});
}

void Report::addComparison(const Comparison &comparison) {
  os << comparison.format() << '\n';
  results.push_back(comparison.toJSON());
  good &= comparison.isGood();
}

void Report::addGuard(llvm::ArrayRef<std::string> violations) {
  for (const std::string &violation : violations)
    os << "guard: FAIL, " << violation << '\n';
  if (violations.empty())
    os << "guard: ok, nothing was touched around the arguments\n";
  good &= violations.empty();
  root["guard_violations"] = llvm::json::Array(violations);
}

void Report::addKernel(const cuda::KernelInfo &kernel) {
  auto format = [](const std::array<int64_t, 3> &sizes) {
    return formatShape(sizes);
  };
  os << "kernel " << kernel.name << ": blocks " << format(kernel.grid) << " of "
     << format(kernel.block) << " threads, " << kernel.registers
     << " registers, " << kernel.localBytes << " bytes of local memory, "
     << kernel.staticBytes + kernel.dynamicBytes << " of shared, "
     << llvm::format("loaded in %.1f ms\n", kernel.loadMilliseconds);
  kernels.push_back(
      llvm::json::Object{{"name", kernel.name},
                         {"grid", llvm::json::Array(kernel.grid)},
                         {"block", llvm::json::Array(kernel.block)},
                         {"registers", kernel.registers},
                         {"local_bytes", kernel.localBytes},
                         {"static_shared_bytes", kernel.staticBytes},
                         {"dynamic_shared_bytes", kernel.dynamicBytes},
                         {"load_ms", kernel.loadMilliseconds}});
}

void Report::addRepeat(int64_t runs, llvm::ArrayRef<std::string> differences) {
  for (const std::string &difference : differences)
    os << "repeat: FAIL, in run " << runs << ' ' << difference << '\n';
  if (differences.empty())
    os << "repeat: ok, " << runs << " runs gave the same bits\n";
  good &= differences.empty();
  root["repeat"] = llvm::json::Object{
      {"runs", runs}, {"differences", llvm::json::Array(differences)}};
}

void Report::addBench(const BenchResult &result) {
  os << result.format() << '\n';
  root["bench"] = result.toJSON();
}

void Report::addTuning(const TuningResult &result) {
  os << result.format() << '\n';
  root["tuning"] = result.toJSON();
  good &= result.winner.has_value();
}

void Report::addRecorded(StringRef path) {
  os << "recorded in " << path << '\n';
  root["tuning_cache"] = path.str();
}

void Report::addPeakMemory(int64_t bytes) {
  os << llvm::format("peak memory %.1f MB\n", static_cast<double>(bytes) / 1e6);
  root["peak_memory_bytes"] = bytes;
}

void Report::addOutput(StringRef path) {
  os << "wrote " << path << '\n';
  outputs.push_back(path.str());
}

llvm::Error Report::writeJSON(StringRef path) {
  root["arguments"] = std::move(arguments);
  root["kernels"] = std::move(kernels);
  root["results"] = std::move(results);
  root["outputs"] = std::move(outputs);
  root["ok"] = good;
  return writeFile(path, [&](llvm::raw_ostream &file) {
    file << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(root)));
    return llvm::Error::success();
  });
}
