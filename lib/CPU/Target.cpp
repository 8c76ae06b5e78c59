//===- Target.cpp - What a CPU can do -------------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <optional>

using namespace llvm;
using namespace rudnn;

static std::string getHostFeatures() {
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

static Expected<std::unique_ptr<MCSubtargetInfo>>
getSubtarget(StringRef cpu, StringRef features) {
  InitializeNativeTarget();
  Triple triple(sys::getDefaultTargetTriple());
  std::string message;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("no code generator for the host: " + message);
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(cpu))
    return createStringError("unknown CPU '" + cpu + "' for " + triple.str());
  return std::unique_ptr<MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, features));
}

/// Whether `feature` is of those that vector code is made of. Others that a CPU
/// has by its name are often hidden in a virtual machine, and do no harm.
static bool isVectorExtension(StringRef feature) {
  return any_of(ArrayRef<StringRef>{"avx", "f16c", "fma", "sse", "sve"},
                [&](StringRef prefix) { return feature.starts_with(prefix); });
}

std::string rudnn::findExtensionHostLacks(const CPUTarget &target) {
  auto subtarget = getSubtarget(target.cpu, target.features);
  if (!subtarget) {
    consumeError(subtarget.takeError());
    return "";
  }
  std::string lacking;
  for (const auto &feature : sys::getHostCPUFeatures()) {
    bool isUsed = isVectorExtension(feature.first()) &&
                  (*subtarget)->checkFeatures(("+" + feature.first()).str());
    if (isUsed && !feature.second &&
        (lacking.empty() || feature.first() < lacking))
      lacking = feature.first().str();
  }
  return lacking;
}

/// The size of the host's last cache in bytes, if the system tells it. Linux's
/// files are asked rather than sysconf, which on some processors gives the
/// caches of all sockets together.
static std::optional<int64_t> getLastCacheBytes() {
  std::optional<int64_t> last;
  for (int index = 0;; ++index) {
    std::string path =
        formatv("/sys/devices/system/cpu/cpu0/cache/index{0}/size", index);
    auto file = MemoryBuffer::getFileAsStream(path);
    if (!file)
      return last;
    StringRef text = (*file)->getBuffer().trim();
    int64_t kilobytes;
    if (text.consume_back("K") && !text.getAsInteger(10, kilobytes))
      last = std::max(last.value_or(0), kilobytes * 1024);
  }
}

Expected<CPUTarget> rudnn::getCPUTarget(StringRef mcpu) {
  bool isHost = mcpu.empty() || mcpu == "native";
  CPUTarget target;
  target.cpu = isHost ? sys::getHostCPUName().str() : mcpu.str();
  if (isHost)
    target.features = getHostFeatures();
  if (std::optional<int64_t> bytes =
          isHost ? getLastCacheBytes() : std::nullopt)
    target.cacheBytes = *bytes;
  auto subtarget = getSubtarget(target.cpu, target.features);
  if (!subtarget)
    return subtarget.takeError();
  auto has = [&](const char *feature) {
    return (*subtarget)->checkFeatures(feature);
  };
  if (has("+avx512f") && has("+avx512vl") && !has("+prefer-256-bit"))
    target.vectorBits = 512;
  else if (has("+avx"))
    target.vectorBits = 256;
  target.nativeBF16 = has("+avx512bf16") && has("+avx512vl");
  target.nativeF16 = has("+f16c") || has("+avx512f");
  return target;
}
