//===- Bufferization.cpp - How tensors become buffers ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass has options of its own kind, and converts them where nobody
// else can: what they say about types is said in both kinds here.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Bufferization.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using bufferization::LayoutMapOption;

void rudnn::norm::addOneShotBufferize(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion = LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion = LayoutMapOption::IdentityLayoutMap;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
}

bufferization::BufferizationOptions rudnn::norm::getBufferizationOptions() {
  bufferization::BufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(LayoutMapOption::IdentityLayoutMap);
  options.unknownTypeConverterFn = [](TensorType type, Attribute space,
                                      const auto &) {
    return bufferization::getMemRefTypeWithStaticIdentityLayout(type, space);
  };
  return options;
}
