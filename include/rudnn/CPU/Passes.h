//===- Passes.h - Passes of the CPU lowering -------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CPU_PASSES_H
#define RUDNN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace rudnn {

#define GEN_PASS_DECL
#include "rudnn/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/CPU/Passes.h.inc"

/// Turns copies between layouts and what is left of linalg into loops, and
/// arithmetic on bf16 and f16 into f32 with conversions around each op: not
/// every CPU has it, and LLVM then calls run-time routines that nobody links.
void buildScalarLoopsStage(mlir::OpPassManager &pm);

} // namespace rudnn

#endif // RUDNN_CPU_PASSES_H
