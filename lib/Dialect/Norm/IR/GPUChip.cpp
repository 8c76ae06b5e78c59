//===- GPUChip.cpp - What blocks of a GPU may use -------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/GPUChip.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace rudnn::norm;
using mlir::InFlightDiagnostic;

ArrayRef<GPUChip> rudnn::norm::getGPUChips() {
  static constexpr int64_t kKiB = 1024;
  static const GPUChip chips[] = {
      {80, 108, 163 * kKiB, 164 * kKiB, 2048},
      {86, 84, 99 * kKiB, 100 * kKiB, 1536},
      {89, 142, 99 * kKiB, 100 * kKiB, 1536},
      {90, 132, 227 * kKiB, 228 * kKiB, 2048},
      {100, 148, 227 * kKiB, 228 * kKiB, 2048},
      {120, 188, 99 * kKiB, 100 * kKiB, 1536},
  };
  return chips;
}

const GPUChip *rudnn::norm::findGPUChip(StringRef name) {
  int64_t capability;
  if (!name.consume_front("sm_"))
    return nullptr;
  if (name.ends_with("a") || name.ends_with("f"))
    name = name.drop_back();
  if (name.getAsInteger(10, capability))
    return nullptr;
  const GPUChip *found = nullptr;
  for (const GPUChip &chip : getGPUChips())
    if (chip.capability <= capability)
      found = &chip;
  return found;
}

InFlightDiagnostic
rudnn::norm::emitUnknownGPUChip(StringRef name,
                                function_ref<InFlightDiagnostic()> emitError) {
  InFlightDiagnostic diag = emitError();
  diag << "unknown chip '" << name << "'; the chips are ";
  interleaveComma(getGPUChips(), diag, [&](const GPUChip &chip) {
    diag << "sm_" << chip.capability;
  });
  return diag;
}

const GPUChip &rudnn::norm::getLargestGPUChip() {
  return *max_element(getGPUChips(), [](const GPUChip &a, const GPUChip &b) {
    return a.sharedBytesPerBlock < b.sharedBytesPerBlock;
  });
}
