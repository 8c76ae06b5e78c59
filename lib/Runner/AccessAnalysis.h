//===- AccessAnalysis.h - how a function uses an argument -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_ACCESSANALYSIS_H
#define RUDNN_LIB_RUNNER_ACCESSANALYSIS_H

#include "rudnn/Runner/Program.h"

namespace rudnn::runner {

/// What happens to the memory of a tensor or memref argument, as far as its
/// uses tell; ReadWrite where they do not. Follows casts, views and calls.
Access analyzeAccess(mlir::BlockArgument argument);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_ACCESSANALYSIS_H
