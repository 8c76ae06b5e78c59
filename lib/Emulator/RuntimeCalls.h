//===- RuntimeCalls.h - calls of the emulator's runtime ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_RUNTIMECALLS_H
#define RUDNN_LIB_EMULATOR_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace rudnn {

/// Marks the functions that threads run.
inline constexpr llvm::StringLiteral kThreadFunctionAttr =
    "rudnn.thread_function";

/// Functions of the runtime after whose calls a thread suspends.
inline constexpr llvm::StringLiteral kBarrier = "rudnnEmulatorBarrier";
inline constexpr llvm::StringLiteral kShuffle = "rudnnEmulatorShuffle";
inline constexpr llvm::StringLiteral kClusterWait = "rudnnEmulatorClusterWait";

/// Calls functions of rudnn/Emulator/Runtime.h, and declares those it calls.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : symbols(module) {}

  mlir::SymbolTable &getSymbols() { return symbols; }

  /// The result of the call, which has the given type; null for no type.
  mlir::Value call(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name,
                   mlir::ValueRange arguments, mlir::Type result = nullptr);

private:
  mlir::SymbolTable symbols;
};

} // namespace rudnn

#endif // RUDNN_LIB_EMULATOR_RUNTIMECALLS_H
