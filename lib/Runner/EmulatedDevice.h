//===- EmulatedDevice.h - a GPU played by this machine ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_EMULATEDDEVICE_H
#define RUDNN_LIB_RUNNER_EMULATEDDEVICE_H

#include "Device.h"

namespace rudnn::runner {

/// Kernels, of the norm ops of a module or those that it has, run thread by
/// thread: with the run's seed, and ending the process by ExitCode::CheckFailed
/// if a kernel is wrong.
class EmulatedDevice : public Device {
public:
  using Device::Device;
  llvm::Expected<CompileRequest> makeRequest(llvm::MemoryBufferRef source,
                                             const Program &program) override;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_EMULATEDDEVICE_H
