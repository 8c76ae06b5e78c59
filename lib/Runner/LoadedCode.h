//===- LoadedCode.h - Code in memory, ready to be called --------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_LOADEDCODE_H
#define RUDNN_LIB_RUNNER_LOADEDCODE_H

#include "rudnn/Runner/Jit.h"

#include "mlir/IR/BuiltinOps.h"

namespace rudnn::runner {

/// Machine code with what it needs to begin and to end: where it has kernels,
/// these are handed to the runtime and taken back.
class LoadedCode {
public:
  virtual ~LoadedCode() = default;

  /// Makes code of a module of the LLVM dialect.
  static llvm::Expected<std::unique_ptr<LoadedCode>>
  create(mlir::ModuleOp module, const CompileRequest &request);
  /// Loads what `getObject` of such code gave.
  static llvm::Expected<std::unique_ptr<LoadedCode>>
  load(llvm::StringRef object, const CompileRequest &request);

  /// The address of a function, by its name in the module.
  virtual llvm::Expected<void *> find(llvm::StringRef name) = 0;
  /// The code as an object file; only of code that was made with
  /// `request.cacheDirectory`.
  virtual llvm::Expected<std::string> getObject() = 0;
};

/// What each module of LLVM IR gets in place of its constructors and
/// destructors: an object file does not say how these are run.
inline constexpr llvm::StringLiteral kBeginSymbol = "rudnnBegin";
inline constexpr llvm::StringLiteral kEndSymbol = "rudnnEnd";

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_LOADEDCODE_H
