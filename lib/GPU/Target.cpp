//===- Target.cpp - What an NVIDIA GPU is called and can do ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Target.h"

#include "mlir/Target/LLVM/NVVM/Utils.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>

using namespace llvm;
using namespace rudnn;

/// bf16 arithmetic and asynchronous copies begin with this one.
static constexpr unsigned oldestCapability = 80;
/// What is written unless something else is asked for: every driver since the
/// first one of CUDA 12 takes it.
static constexpr unsigned preferredPTX = 80;

static std::string formatPTX(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

static Expected<const Target *> findBackend(const Triple &triple) {
  mlir::NVVM::SerializeGPUModuleBase::init();
  std::string message;
  const Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return createStringError("LLVM has no code generator for NVIDIA GPUs: " +
                             message);
  return backend;
}

/// The number in "sm_90", "sm_90a", "sm_100f".
static Expected<unsigned> parseCapability(StringRef chip,
                                          const MCSubtargetInfo &known) {
  StringRef digits = chip;
  unsigned capability = 0;
  if (!known.isCPUStringValid(chip) || !digits.consume_front("sm_") ||
      digits.consumeInteger(10, capability))
    return createStringError("unknown chip '" + chip +
                             "', expected for instance sm_80, sm_90, sm_100");
  if (capability < oldestCapability)
    return createStringError("expected chip sm_" + Twine(oldestCapability) +
                             " or newer, got " + chip);
  return capability;
}

/// The oldest PTX that has `chip`: LLVM writes an empty module in it.
static Expected<unsigned> getOldestPTX(const Target &backend,
                                       const Triple &triple, StringRef chip) {
  std::unique_ptr<TargetMachine> machine(
      backend.createTargetMachine(triple, chip, "", {}, {}));
  LLVMContext context;
  Module empty("empty", context);
  empty.setTargetTriple(triple);
  empty.setDataLayout(machine->createDataLayout());
  SmallString<256> text;
  raw_svector_ostream os(text);
  legacy::PassManager passes;
  unsigned major, minor;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   CodeGenFileType::AssemblyFile))
    return createStringError("LLVM writes no PTX for " + chip);
  passes.run(empty);
  StringRef rest = text.str().split(".version ").second;
  if (rest.consumeInteger(10, major) || !rest.consume_front(".") ||
      rest.consumeInteger(10, minor))
    return createStringError("LLVM writes PTX without a version for " + chip);
  return major * 10 + minor;
}

/// The version in "+ptx80"; 0 if `features` is empty.
static Expected<unsigned> parsePTX(StringRef features,
                                   const MCSubtargetInfo &known) {
  if (features.empty())
    return 0;
  StringRef digits = features;
  unsigned version = 0;
  auto isKnown = [&](const SubtargetFeatureKV &feature) {
    return features.drop_front() == feature.Key;
  };
  if (!digits.consume_front("+ptx") || digits.getAsInteger(10, version) ||
      none_of(known.getAllProcessorFeatures(), isKnown))
    return createStringError("unknown features '" + features +
                             "', expected a version of PTX, as in +ptx80");
  return version;
}

Expected<NVVMTarget> rudnn::getNVVMTarget(StringRef chip, StringRef features) {
  Triple triple("nvptx64-nvidia-cuda");
  Expected<const Target *> backend = findBackend(triple);
  if (!backend)
    return backend.takeError();
  std::unique_ptr<MCSubtargetInfo> known(
      (*backend)->createMCSubtargetInfo(triple, "", ""));
  Expected<unsigned> capability = parseCapability(chip, *known);
  if (!capability)
    return capability.takeError();
  Expected<unsigned> asked = parsePTX(features, *known);
  if (!asked)
    return asked.takeError();
  Expected<unsigned> oldest = getOldestPTX(**backend, triple, chip);
  if (!oldest)
    return oldest.takeError();
  if (*asked != 0 && *asked < *oldest)
    return createStringError("chip " + chip + " expects PTX " +
                             formatPTX(*oldest) + " or newer, got features '" +
                             features + "'");
  unsigned version = *asked ? *asked : std::max(*oldest, preferredPTX);
  return NVVMTarget{chip.str(), "+ptx" + std::to_string(version), *capability,
                    version};
}
