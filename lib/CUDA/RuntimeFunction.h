//===- RuntimeFunction.h - What the runtime gives host code -----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_CUDA_RUNTIMEFUNCTION_H
#define RUDNN_LIB_CUDA_RUNTIMEFUNCTION_H

#include "mlir/IR/BuiltinOps.h"

namespace rudnn {

/// Declares a function of `rudnn/CUDA/Runtime.h` without results in `module`
/// unless it has it. Fails with an error if it has another of that name.
llvm::LogicalResult declareRuntimeFunction(mlir::ModuleOp module,
                                           llvm::StringRef name,
                                           mlir::TypeRange arguments);

} // namespace rudnn

#endif // RUDNN_LIB_CUDA_RUNTIMEFUNCTION_H
