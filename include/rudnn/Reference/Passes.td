//===- Passes.td - The reference lowering ------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_PASSES
#define RUDNN_REFERENCE_PASSES

include "mlir/Pass/PassBase.td"

def NormToReference : Pass<"norm-to-reference", "::mlir::ModuleOp"> {
  let summary = "Replace norm ops on buffers by calls of the f64 reference";
  let description = [{
    Each norm op on memrefs becomes a call of a function that computes it in
    f64, straight from its definition, on memory of any layout. The memrefs are
    passed as descriptors on the stack (see rudnn/Reference/EntryPoints.h), so
    one function serves all ranks and element types. `rudnn-runner --check`
    compares with what this gives; nothing of the real lowering is shared.

    Norm ops on tensors are refused: bufferize first. `norm.is_aligned` becomes
    true, as good as false: what it chooses between computes the same.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect"
  ];
  let statistics = [
    Statistic<"numReplaced", "replaced", "norm ops replaced by calls">
  ];
}

#endif // RUDNN_REFERENCE_PASSES
