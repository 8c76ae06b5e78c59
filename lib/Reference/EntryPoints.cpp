//===- EntryPoints.cpp - C functions of the reference ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Reference/EntryPoints.h"

#include "rudnn/Reference/Arithmetic.h"
#include "rudnn/Reference/Recorder.h"

#include "llvm/Support/raw_ostream.h"

using namespace rudnn;
using namespace rudnn::reference;

static View decode(int64_t address) {
  auto *fields = reinterpret_cast<const int64_t *>(address);
  View view;
  view.type = static_cast<ElementType>(fields[0]);
  int64_t rank = fields[1];
  view.data = reinterpret_cast<char *>(fields[2]) +
              fields[3] * getSizeInBytes(view.type);
  const int64_t *sizes = fields + kDescriptorHeader;
  view.sizes.assign(sizes, sizes + rank);
  view.strides.assign(sizes + rank, sizes + 2 * rank);
  return view;
}

static std::optional<View> decodeOptional(int64_t address) {
  if (address == 0)
    return std::nullopt;
  return decode(address);
}

static void report(llvm::Error error) {
  if (!error)
    return;
  std::string message = llvm::toString(std::move(error));
  if (Recorder *recorder = Recorder::get())
    recorder->setError(std::move(message));
  else
    llvm::errs() << "error: " << message << '\n';
}

void rudnnReferenceRMSNorm(int64_t x, int64_t gamma, int64_t y, int64_t rstd,
                           double epsilon, double gammaOffset) {
  report(compute(RMSNorm{decode(x), decodeOptional(gamma), decode(y),
                         decodeOptional(rstd), epsilon, gammaOffset}));
}

void rudnnReferenceRMSNormBackward(int64_t x, int64_t dy, int64_t rstd,
                                   int64_t gamma, int64_t inputGrad,
                                   int64_t weightGrad, double gammaOffset,
                                   int64_t accumulate) {
  report(compute(RMSNormBackward{
      decode(x), decode(dy), decode(rstd), decodeOptional(gamma),
      decodeOptional(inputGrad), decodeOptional(weightGrad), gammaOffset,
      accumulate != 0}));
}
