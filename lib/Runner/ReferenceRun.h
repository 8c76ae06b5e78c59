//===- ReferenceRun.h - what results should be ------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_REFERENCERUN_H
#define RUDNN_LIB_RUNNER_REFERENCERUN_H

#include "Outputs.h"
#include "rudnn/Reference/Recorder.h"
#include "rudnn/Runner/Check.h"

namespace rudnn::runner {

/// The f64 reference of a program, computed once, to compare any number of runs
/// on the same inputs with.
class ReferenceRun {
public:
  /// Computes it from the module `source`, parsed as `module`. Fails if there
  /// is no reference, which is what `option` asks for, or if operands do not
  /// fit together.
  llvm::Error run(mlir::ModuleOp module, llvm::MemoryBufferRef source,
                  const Program &program,
                  llvm::ArrayRef<ArgumentBuffer> arguments,
                  llvm::StringRef option);

  /// Compares all outputs of a run. Fails if one has another shape.
  llvm::Expected<std::vector<Comparison>>
  compare(llvm::ArrayRef<Output> outputs) const;

private:
  double coarsest = 0;
  // Its copies of what is written, and its results. Declared in the order in
  // which they depend on each other.
  std::vector<ArgumentBuffer> copies;
  std::optional<reference::Recorder> recorder;
  std::vector<ResultValue> results;
  std::vector<Output> outputs;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_REFERENCERUN_H
