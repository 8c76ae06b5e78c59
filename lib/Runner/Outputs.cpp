//===- Outputs.cpp - what a run gives back --------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include <cmath>

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

static bool isMemRefOutput(const Argument &argument) {
  return !argument.type.isTensor && (argument.access == Access::Write ||
                                     argument.access == Access::ReadWrite);
}

std::vector<Output>
rudnn::runner::collectOutputs(const Program &program,
                              ArrayRef<ResultValue> results,
                              ArrayRef<const ArgumentBuffer *> arguments) {
  std::vector<Output> outputs;
  for (auto [result, value] : llvm::zip_equal(program.results, results)) {
    std::string name = "result " + std::to_string(outputs.size());
    if (!result.role.empty())
      name += " (" + result.role + ")";
    outputs.push_back({name, value.getView()});
  }
  for (const ArgumentBuffer *buffer : arguments)
    if (isMemRefOutput(buffer->getArgument()))
      outputs.push_back({"result " + std::to_string(outputs.size()) + ", " +
                             buffer->getArgument().getName(),
                         buffer->getView()});
  return outputs;
}

llvm::Error rudnn::runner::checkExpected(const Program &program,
                                         const RunOptions &options) {
  size_t count = program.results.size() +
                 llvm::count_if(program.arguments, isMemRefOutput);
  for (auto &entry : options.expected)
    if (entry.first >= count)
      return badInput("--expect: there is no result " + Twine(entry.first) +
                      ", the function has " + Twine(count));
  return llvm::Error::success();
}

llvm::Error rudnn::runner::checkSameShape(const Output &output,
                                          const View &other, ExitCode code) {
  if (output.view.sizes == other.sizes)
    return llvm::Error::success();
  return llvm::make_error<Failure>(
      code, output.name + ": expected shape " + formatShape(other.sizes) +
                ", got " + formatShape(output.view.sizes));
}

/// Bytes of the elements that are different memory.
static int64_t countBytes(const View &view) {
  int64_t bytes = getSizeInBytes(view.type);
  for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides))
    bytes *= stride == 0 ? std::min<int64_t>(size, 1) : size;
  return bytes;
}

int64_t rudnn::runner::countBytes(ArrayRef<ArgumentBuffer> arguments,
                                  ArrayRef<ResultValue> results) {
  int64_t bytes = 0;
  for (const ArgumentBuffer &argument : arguments)
    bytes += ::countBytes(argument.getView()) *
             (argument.isRead() + argument.isWritten());
  for (const ResultValue &result : results)
    if (result.getAllocated())
      bytes += ::countBytes(result.getView());
  return bytes;
}

double rudnn::runner::getCoarsestRoundoff(ModuleOp module) {
  unsigned precision = 64;
  auto visit = [&](Type type) {
    if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
      precision = std::min(precision, element.getFPMantissaWidth());
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), visit);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), visit);
  });
  return std::ldexp(1.0, -static_cast<int>(precision));
}

std::string rudnn::runner::describeSource(const ArgumentBuffer &buffer,
                                          const DataOptions &options) {
  const Argument &argument = buffer.getArgument();
  auto file = options.files.find(argument.index);
  if (file != options.files.end())
    return "from " + file->second;
  if (argument.access == Access::Write)
    return "poisoned";
  if (argument.rstdOf && !options.fills.count(argument.index))
    return "made from argument " + std::to_string(argument.rstdOf->x);
  return "made from the seed";
}
