//===- KernelStage.h - from a module to one with kernels --------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_KERNELSTAGE_H
#define RUDNN_LIB_RUNNER_KERNELSTAGE_H

#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Runner/Program.h"
#include "rudnn/Runner/Runner.h"

#include <memory>

namespace rudnn::runner {

/// Makes kernels of the norm ops of a module, if it has any.
struct KernelStage {
  std::shared_ptr<GPUPipelineOptions> options;
  /// What the module has before.
  bool hasNormOps, hasKernels;

  /// Reads the options of the pipeline; `chip` is the default of that one, and
  /// `device` the GPU whose entries of a tuning cache are meant; empty: all of
  /// the chip.
  static llvm::Expected<KernelStage> create(const Program &program,
                                            const RunOptions &runOptions,
                                            llvm::StringRef chip,
                                            llvm::StringRef device);
  void build(mlir::OpPassManager &pm) const;
  /// The options that it uses.
  std::string describe() const;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_KERNELSTAGE_H
