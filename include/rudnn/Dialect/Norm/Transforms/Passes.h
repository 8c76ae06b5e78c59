//===- Passes.h - Passes on norm ops ----------------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_TRANSFORMS_PASSES_H
#define RUDNN_DIALECT_NORM_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace rudnn::norm {

/// What runs the rows of a norm op.
enum class ScheduleTarget { CPU, GPU };

#define GEN_PASS_DECL
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_TRANSFORMS_PASSES_H
