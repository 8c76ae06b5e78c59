//===- Passes.td - Passes on row programs ------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_ROWPROGRAM_PASSES
#define RUDNN_ROWPROGRAM_PASSES

include "mlir/Pass/PassBase.td"

def NormStripMine : Pass<"norm-strip-mine"> {
  let summary = "Cut the rows of a row program into chunks of columns";
  let description = [{
    Works on the linalg ops inside each `scf.forall` with a `norm.schedule`.
    A row is cut into phases; a phase ends where a reduction along the row
    is needed. Each phase becomes a loop over chunks of `vector * unroll`
    columns, one over the single vectors that are left, and a last masked
    step for the columns that fill no vector. Reductions carry a chunk of
    partial results, combined after the loops; where a row may have more than
    64 chunks, in blocks of 64 that are added up, of 64 such blocks in turn,
    which keeps rounding errors of long rows small; elementwise values that
    several phases need are computed again from the inputs; what no phase
    reduces or writes does not exist.

    Nothing in the pass knows a norm: the columns of an op are its innermost
    loop, found from the reductions.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def NormVectorize : Pass<"norm-vectorize"> {
  let summary = "Turn the linalg ops of a row program into vector ops";
  let description = [{
    Vectorizes each linalg op inside an `scf.forall` with a `norm.schedule`:
    whole rows, or chunks of them after `norm-strip-mine`. Shapes must be
    static there; an op that can't be vectorized is an error. Accumulators
    carried by loops become vectors in registers, and reads of one element
    happen once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def NormDistribute : Pass<"norm-distribute"> {
  let summary = "Spread a row program on buffers over machine vectors";
  let description = [{
    Rewrites the body of each `scf.forall` with a `norm.schedule`: a value of
    a chunk of columns becomes as many machine vectors of the schedule's
    `vector` lanes. Reads and writes become `vector.load` and `vector.store`
    with the alignment of one element, masked where they may end past the
    row; elementwise ops are repeated per piece; a reduction along the row
    adds pieces first, then the lanes of one vector.

    The pass fails if a vector longer than a piece is left.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // RUDNN_ROWPROGRAM_PASSES
