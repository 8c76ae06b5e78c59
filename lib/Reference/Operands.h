//===- Operands.h - checks and loads shared by the operators ----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_REFERENCE_OPERANDS_H
#define RUDNN_LIB_REFERENCE_OPERANDS_H

#include "rudnn/Reference/Recorder.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace rudnn::reference {

/// Refuses an x without columns, or of rank 0.
llvm::Error checkX(llvm::StringRef op, const View &x);

/// Refuses `view` unless it has the shape `expected`, described by `what`.
llvm::Error checkShape(llvm::StringRef op, llvm::StringRef name,
                       const View &view, llvm::StringRef what,
                       llvm::ArrayRef<int64_t> expected);

/// The factors of the affine step, gamma + offset, or ones.
std::vector<double> loadWeights(const std::optional<View> &gamma, double offset,
                                int64_t columns);

/// All elements in row-major order.
std::vector<double> loadAll(const View &view);

/// An empty shadow for an output, its values not set.
Shadow makeShadow(llvm::StringRef name, const View &view);

/// Rounds the shadow's values into its memory.
void storeRounded(const Shadow &shadow);

/// Whether each of the views is an input of the recorded program.
bool areInputs(llvm::ArrayRef<const View *> views);

} // namespace rudnn::reference

#endif // RUDNN_LIB_REFERENCE_OPERANDS_H
