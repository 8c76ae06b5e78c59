//===- CPUDevice.h - how to compile for this machine ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CPUDEVICE_H
#define RUDNN_LIB_RUNNER_CPUDEVICE_H

#include "Device.h"
#include "rudnn/CPU/Target.h"

namespace rudnn::runner {

/// This machine, by the CPU pipeline.
class CPUDevice : public Device {
public:
  using Device::Device;
  llvm::Expected<CompileRequest> makeRequest(llvm::MemoryBufferRef source,
                                             const Program &program) override;
  llvm::Expected<TuningSpace> getTuningSpace(const Program &program) override;
  void recover() override;
};

/// This machine, by way of the f64 reference.
class ReferenceDevice : public Device {
public:
  using Device::Device;
  llvm::Expected<CompileRequest> makeRequest(llvm::MemoryBufferRef source,
                                             const Program &program) override;
};

/// The CPU called `mcpu`, as getCPUTarget finds it; bad input if its code does
/// not run on this machine.
llvm::Expected<CPUTarget> getRunnableTarget(llvm::StringRef mcpu);

/// Compiling norm ops to calls of the f64 reference.
llvm::Expected<CompileRequest>
makeReferenceRequest(llvm::MemoryBufferRef source, llvm::StringRef entry);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CPUDEVICE_H
