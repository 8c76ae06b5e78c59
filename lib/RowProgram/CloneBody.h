//===- CloneBody.h - A row program in pieces --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_CLONEBODY_H
#define RUDNN_LIB_ROWPROGRAM_CLONEBODY_H

#include "OpDistributor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rudnn {

/// Clones the body of `program` to where `b` stands, in pieces, with
/// `inductionVars` for those of the loop. `make` gets a builder for what the
/// pieces share.
mlir::LogicalResult cloneBody(
    mlir::scf::ForallOp program, mlir::OpBuilder &b,
    mlir::ValueRange inductionVars,
    llvm::function_ref<std::unique_ptr<OpDistributor>(mlir::OpBuilder)> make);

/// Puts a gpu.launch before `program`, a loop on buffers with a schedule for a
/// GPU, that does the same.
mlir::LogicalResult distributeOverThreads(mlir::scf::ForallOp program);

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_CLONEBODY_H
