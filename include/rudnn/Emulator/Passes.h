//===- Passes.h - Passes of the GPU emulator --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_EMULATOR_PASSES_H
#define RUDNN_EMULATOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace rudnn {

#define GEN_PASS_DECL
#include "rudnn/Emulator/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/Emulator/Passes.h.inc"

/// Lowers host code with `gpu.launch_func` and the kernels that it launches to
/// the LLVM dialect, for a process that has the emulator's runtime.
void buildEmulateStage(mlir::OpPassManager &pm);

/// Registers that stage as `norm-emulate`.
void registerEmulatorPipelines();

} // namespace rudnn

#endif // RUDNN_EMULATOR_PASSES_H
