//===- Passes.h - Passes on row programs -----------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row program is the body of an scf.forall that carries a `norm.schedule`:
// what is computed for one row (or one part of the rows), first as linalg on
// [rows, columns], then as vectors, then per machine vector.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_ROWPROGRAM_PASSES_H
#define RUDNN_ROWPROGRAM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace rudnn {

#define GEN_PASS_DECL
#include "rudnn/RowProgram/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "rudnn/RowProgram/Passes.h.inc"

} // namespace rudnn

#endif // RUDNN_ROWPROGRAM_PASSES_H
