//===- Outputs.h - what a run gives back ------------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_OUTPUTS_H
#define RUDNN_LIB_RUNNER_OUTPUTS_H

#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Runner.h"

namespace rudnn::runner {

/// A result as the user counts them: the function's results, then the memrefs
/// that it writes.
struct Output {
  std::string name;
  View view;
};

std::vector<Output>
collectOutputs(const Program &program, llvm::ArrayRef<ResultValue> results,
               llvm::ArrayRef<const ArgumentBuffer *> arguments);

/// Refuses --expect options that name no result.
llvm::Error checkExpected(const Program &program, const RunOptions &options);

/// Fails with `code` if the shapes differ.
llvm::Error checkSameShape(const Output &output, const View &other,
                           ExitCode code);

/// Bytes that have to move: each argument once for being read and once for
/// being written, each returned result once.
int64_t countBytes(llvm::ArrayRef<ArgumentBuffer> arguments,
                   llvm::ArrayRef<ResultValue> results);

/// Half an ulp of 1 of the coarsest float type of any value in the module.
double getCoarsestRoundoff(mlir::ModuleOp module);

/// Where the data of an argument come from, for people.
std::string describeSource(const ArgumentBuffer &argument,
                           const DataOptions &options);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_OUTPUTS_H
