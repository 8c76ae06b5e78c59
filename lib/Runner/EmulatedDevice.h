//===- EmulatedDevice.h - a GPU played by this machine ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_EMULATEDDEVICE_H
#define RUDNN_LIB_RUNNER_EMULATEDDEVICE_H

#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Runner.h"

namespace rudnn::runner {

/// Compiling the norm ops of a module to kernels, or else the kernels that it
/// has, for the emulator. From then on it runs with the run's seed, and ends
/// the process by ExitCode::CheckFailed if a kernel is wrong. Sets
/// `description` to the options of the pipeline.
llvm::Expected<CompileRequest> makeEmulatorRequest(llvm::MemoryBufferRef source,
                                                   const Program &program,
                                                   const RunOptions &options,
                                                   std::string &description);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_EMULATEDDEVICE_H
