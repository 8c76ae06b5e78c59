//===- RegisterPipeline.cpp - Pipelines whose options are checked ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Pipelines/RegisterPipeline.h"

using namespace mlir;

LogicalResult rudnn::parsePipelineOptions(
    detail::PassOptions &options, StringRef pipeline, StringRef text,
    function_ref<LogicalResult(const Twine &)> onError) {
  std::string message;
  llvm::raw_string_ostream os(message);
  if (succeeded(options.parseFromString(text, os)))
    return success();
  if (message.empty())
    return failure();
  return onError(pipeline + ": " + StringRef(message).trim());
}
