//===- RegisterPipeline.h - Pipelines whose options are checked -*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's PassPipelineRegistration has no way to refuse the value of an
// option.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_PIPELINES_REGISTERPIPELINE_H
#define RUDNN_PIPELINES_REGISTERPIPELINE_H

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace rudnn {

/// Parses the options of a pipeline. Where LLVM's command line has printed what
/// is wrong with a value, `onError` has nothing to add and is not called.
mlir::LogicalResult parsePipelineOptions(
    mlir::detail::PassOptions &options, llvm::StringRef pipeline,
    llvm::StringRef text,
    llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

/// Registers the pipeline `name`, a literal, whose options are an OptionsT.
/// `build` adds its passes, or says which value of an option it can't take.
template <typename OptionsT>
void registerPipeline(
    llvm::StringRef name, llvm::StringRef description,
    std::function<llvm::Error(mlir::OpPassManager &, const OptionsT &)> build) {
  mlir::registerPassPipeline(
      name, description,
      [=](mlir::OpPassManager &pm, llvm::StringRef text,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError)
          -> mlir::LogicalResult {
        OptionsT options;
        if (failed(parsePipelineOptions(options, name, text, onError)))
          return mlir::failure();
        if (llvm::Error error = build(pm, options))
          return onError(name + ": " + llvm::toString(std::move(error)));
        return mlir::success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(OptionsT());
      });
}

} // namespace rudnn

#endif // RUDNN_PIPELINES_REGISTERPIPELINE_H
