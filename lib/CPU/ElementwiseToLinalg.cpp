//===- ElementwiseToLinalg.cpp - Arithmetic on tensors to linalg --------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMELEMENTWISETOLINALG
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

/// Whether `op` takes one of two tensors as a whole: bufferization chooses the
/// buffer, and copies nothing.
static bool choosesTensor(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && !isa<ShapedType>(select.getCondition().getType());
}

static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

namespace {
struct NormElementwiseToLinalg
    : rudnn::impl::NormElementwiseToLinalgBase<NormElementwiseToLinalg> {
  void runOnOperation() override {
    DenseSet<Operation *> before;
    getOperation()->walk([&](linalg::GenericOp op) { before.insert(op); });
    if (failed(convert()))
      return signalPassFailure();
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!before.contains(op))
        useFreshDestinations(op);
    });
  }

private:
  LogicalResult convert() {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !isElementwise(op) || choosesTensor(op); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

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
