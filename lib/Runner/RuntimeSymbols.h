//===- RuntimeSymbols.h - what compiled code can call -----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_RUNTIMESYMBOLS_H
#define RUDNN_LIB_RUNNER_RUNTIMESYMBOLS_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace rudnn::runner {

/// The functions that the runner itself gives to the code it compiles: the
/// thread pool, the reference, and what a failed run-time check calls.
llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::MangleAndInterner intern);

/// What emulated kernels and the host code around them call besides.
llvm::orc::SymbolMap getEmulatorSymbols(llvm::orc::MangleAndInterner intern);

/// What host code with GPU kernels calls besides.
llvm::orc::SymbolMap getCUDASymbols(llvm::orc::MangleAndInterner intern);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_RUNTIMESYMBOLS_H
