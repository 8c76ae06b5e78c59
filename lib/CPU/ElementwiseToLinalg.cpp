//===- ElementwiseToLinalg.cpp - Arithmetic on tensors to linalg --------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMELEMENTWISETOLINALG
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormElementwiseToLinalg
    : rudnn::impl::NormElementwiseToLinalgBase<NormElementwiseToLinalg> {
  void runOnOperation() override {
    DenseSet<Operation *> before;
    getOperation()->walk([&](linalg::GenericOp op) { before.insert(op); });
    OpPassManager convert(getOperation()->getName());
    convert.addPass(createConvertElementwiseToLinalgPass());
    if (failed(runPipeline(convert, getOperation())))
      return signalPassFailure();
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!before.contains(op))
        useFreshDestinations(op);
    });
  }

private:
  /// Upstream takes an operand for the destination where the types allow it.
  /// That may be a function's argument, which nobody asked to overwrite.
  static void useFreshDestinations(linalg::GenericOp op) {
    OpBuilder b(op);
    for (OpOperand &init : op.getDpsInitsMutable()) {
      Type element = getElementTypeOrSelf(init.get().getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(b, op.getLoc(), init.get());
      init.set(tensor::EmptyOp::create(b, op.getLoc(), sizes, element));
    }
  }
};
} // namespace
