//===- EntryPoints.h - C functions of the reference -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code lowered by `norm-to-reference` calls. A buffer is passed as the
// address of its descriptor, an array of 64-bit integers
//
//     element type (rudnn::ElementType), rank, base address, offset in
//     elements, sizes[rank], strides[rank] in elements
//
// or as address 0 where the operand is absent. A refused operand is reported
// to the current Recorder, or to stderr where there is none.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_ENTRYPOINTS_H
#define RUDNN_REFERENCE_ENTRYPOINTS_H

#include <cstdint>

namespace rudnn::reference {
/// Number of integers of a descriptor before the sizes.
constexpr int64_t kDescriptorHeader = 4;

constexpr const char *kForwardSymbol = "rudnnReferenceRMSNorm";
constexpr const char *kBackwardSymbol = "rudnnReferenceRMSNormBackward";
} // namespace rudnn::reference

extern "C" {
void rudnnReferenceRMSNorm(int64_t x, int64_t gamma, int64_t y, int64_t rstd,
                           double epsilon, double gammaOffset);
void rudnnReferenceRMSNormBackward(int64_t x, int64_t dy, int64_t rstd,
                                   int64_t gamma, int64_t inputGrad,
                                   int64_t weightGrad, double gammaOffset,
                                   int64_t accumulate);
}

#endif // RUDNN_REFERENCE_ENTRYPOINTS_H
