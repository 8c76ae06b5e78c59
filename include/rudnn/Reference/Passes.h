//===- Passes.h - The reference lowering ------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_PASSES_H
#define RUDNN_REFERENCE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace rudnn::reference {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "rudnn/Reference/Passes.h.inc"

/// The whole way of a module with norm ops on tensors or memrefs to the LLVM
/// dialect, norm ops by calls of the reference, everything else by upstream
/// passes, without optimisation. Anchored on builtin.module. Functions get the
/// same calling convention as from the CPU pipeline.
void buildReferencePipeline(mlir::OpPassManager &pm);

} // namespace rudnn::reference

#endif // RUDNN_REFERENCE_PASSES_H
