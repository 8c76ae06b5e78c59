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
#include "rudnn/Tuning/TuningKey.h"

#include <memory>

namespace rudnn::runner {

/// Makes kernels of the norm ops of a module, if it has any.
struct KernelStage {
  std::shared_ptr<GPUPipelineOptions> options;
  /// What the module has before.
  bool hasNormOps, hasKernels;

  /// Reads the options of the pipeline. `machine` says what is compiled for
  /// where they do not, and with `rows` which entries of a tuning cache are
  /// meant.
  static llvm::Expected<KernelStage> create(const Program &program,
                                            const RunOptions &runOptions,
                                            const tuning::Machine &machine,
                                            int64_t rows);
  void build(mlir::OpPassManager &pm) const;
  /// The options that it uses.
  std::string describe() const;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_KERNELSTAGE_H
