//===- MemorySpaces.h - One memory for all ----------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CPU_MEMORYSPACES_H
#define RUDNN_CPU_MEMORYSPACES_H

#include "mlir/IR/BuiltinOps.h"

namespace rudnn {

/// `type` with the default memory space wherever it has one of a GPU or a
/// numbered one.
mlir::Type dropMemorySpaces(mlir::Type type);

/// Drops memory spaces from all types in `module`, and the casts between them:
/// to the host, all memory is one.
void dropMemorySpaces(mlir::ModuleOp module);

} // namespace rudnn

#endif // RUDNN_CPU_MEMORYSPACES_H
