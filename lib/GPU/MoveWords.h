//===- MoveWords.h - Copies that LLVM takes for new values ------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_MOVEWORDS_H
#define RUDNN_LIB_GPU_MOVEWORDS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rudnn {

/// `value`, of whole words of 32 bits, moved to itself by `nvvm.inline_ptx`: to
/// LLVM a value of its own, made where it stands. The assembler drops the move.
mlir::Value moveWords(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// Whether `type` consists of whole words.
bool hasWholeWords(mlir::Type type);

} // namespace rudnn

#endif // RUDNN_LIB_GPU_MOVEWORDS_H
