//===- CPUDevice.h - how to compile for this machine ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CPUDEVICE_H
#define RUDNN_LIB_RUNNER_CPUDEVICE_H

#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Runner.h"

namespace rudnn::runner {

/// Compiling by the CPU pipeline, for the CPU and with the pipeline options
/// that the run asks for. Sets `description` to the pipeline's options.
llvm::Expected<CompileRequest> makeCPURequest(llvm::MemoryBufferRef source,
                                              llvm::StringRef entry,
                                              const RunOptions &options,
                                              std::string &description);

/// Compiling norm ops to calls of the f64 reference.
llvm::Expected<CompileRequest>
makeReferenceRequest(llvm::MemoryBufferRef source, llvm::StringRef entry);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CPUDEVICE_H
