//===- RowProgram.h - Finding row programs -------------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_ROWPROGRAM_ROWPROGRAM_H
#define RUDNN_ROWPROGRAM_ROWPROGRAM_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rudnn {

/// The schedule of `loop` if it is a loop over a row program, else null.
norm::ScheduleAttr getRowSchedule(mlir::scf::ForallOp loop);

/// Discardable unit attribute on a read of rows that were read before: it
/// keeps the two apart.
constexpr llvm::StringLiteral kSecondReadAttrName = "second_read";

/// Hands on what one access says of the caches and of being a second read.
void copyCachePolicy(mlir::Operation *from, mlir::Operation *to);

/// The row programs below `root`, outermost first.
llvm::SmallVector<mlir::scf::ForallOp> getRowPrograms(mlir::Operation *root);

} // namespace rudnn

#endif // RUDNN_ROWPROGRAM_ROWPROGRAM_H
