//===- Passes.h - Passes of the GPU lowering --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_GPU_PASSES_H
#define RUDNN_GPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace gpu {
class GPUModuleOp;
} // namespace gpu
} // namespace mlir

namespace rudnn {

#define GEN_PASS_DECL
#include "rudnn/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/GPU/Passes.h.inc"

} // namespace rudnn

#endif // RUDNN_GPU_PASSES_H
