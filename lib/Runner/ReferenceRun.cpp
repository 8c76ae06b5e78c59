//===- ReferenceRun.cpp - what results should be --------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceRun.h"

#include "CPUDevice.h"
#include "Repeat.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

/// The reference takes the place of ops that say what they compute; kernels it
/// can't run, and code that is lowered already it would compare with itself.
static llvm::Error checkHasReference(ModuleOp module, StringRef option) {
  bool hasOps = false;
  Operation *kernels = nullptr;
  module->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    hasOps |=
        isa_and_nonnull<norm::NormDialect, linalg::LinalgDialect>(dialect);
    if (!kernels && isa_and_nonnull<gpu::GPUDialect>(dialect))
      kernels = op;
  });
  if (kernels)
    return badInput(option +
                    ": expected ops that the reference can compute, got "
                    "kernels (" +
                    kernels->getName().getStringRef() +
                    "): check the module before it is lowered, or use "
                    "--expect");
  if (!hasOps)
    return badInput(option +
                    ": no norm or linalg ops to take a reference from");
  return llvm::Error::success();
}

llvm::Error ReferenceRun::run(ModuleOp module, llvm::MemoryBufferRef source,
                              const Program &program,
                              ArrayRef<ArgumentBuffer> arguments,
                              StringRef option) {
  if (llvm::Error error = checkHasReference(module, option))
    return error;
  coarsest = getCoarsestRoundoff(module);
  func::FuncOp entry = program.entry;
  auto request = makeReferenceRequest(source, entry.getName());
  if (!request)
    return request.takeError();
  auto function = CompiledFunction::create(*module.getContext(), *request);
  if (!function)
    return badInput("the reference: " + llvm::toString(function.takeError()));
  recorder.emplace();
  for (const ArgumentBuffer &argument : arguments)
    if (!argument.isWritten())
      recorder->addInput(argument.getView());
  // It reads the same inputs, but writes copies of its own.
  auto written = cloneWritten(arguments);
  if (!written)
    return written.takeError();
  copies = std::move(*written);
  std::vector<const ArgumentBuffer *> pointers =
      replaceWritten(arguments, copies);
  results = function->call(
      program, std::vector<PlacedArgument>(pointers.begin(), pointers.end()));
  if (recorder->getError())
    return badInput(*recorder->getError());
  outputs = collectOutputs(program, results, pointers);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Comparison>>
ReferenceRun::compare(ArrayRef<Output> others) const {
  std::vector<Comparison> comparisons;
  for (auto [other, output] : llvm::zip_equal(others, outputs)) {
    if (llvm::Error error =
            checkSameShape(other, output.view, ExitCode::CheckFailed))
      return std::move(error);
    comparisons.push_back(
        runner::compare(other.name, other.view,
                        makeExpectation(output.view, *recorder, coarsest)));
  }
  return std::move(comparisons);
}
