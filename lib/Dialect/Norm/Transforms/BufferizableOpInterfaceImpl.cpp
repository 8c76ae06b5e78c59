//===- BufferizableOpInterfaceImpl.cpp - Bufferization of norm ops --------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace rudnn::norm;

namespace {

template <typename OpTy>
struct RowwiseOpBufferization
    : DstBufferizableOpInterfaceExternalModel<RowwiseOpBufferization<OpTy>,
                                              OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto dst = cast<DestinationStyleOpInterface>(op);
    return !dst.isDpsInit(&operand) || accumulates(cast<OpTy>(op), operand);
  }

  /// Rows go through a row program that reads an element of an input before
  /// the same element of a destination is written.
  bool bufferizesToElementwiseAccess(Operation *, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    return false;
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    auto dst = cast<DestinationStyleOpInterface>(op);
    if (!dst.hasPureTensorSemantics())
      return op->emitOpError("has both tensor and memref operands");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    SmallVector<Value> inits(
        ArrayRef<Value>(operands).take_back(dst.getNumDpsInits()));
    mlir::clone(rewriter, op, TypeRange(), operands);
    replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }

private:
  static bool accumulates(RMSNormOp, OpOperand &) { return false; }
  static bool accumulates(RMSNormBackwardOp op, OpOperand &operand) {
    return op.getAccumulate() && operand.get() == op.getWeightGrad();
  }
};

} // namespace

void rudnn::norm::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NormDialect *) {
    RMSNormOp::attachInterface<RowwiseOpBufferization<RMSNormOp>>(*context);
    RMSNormBackwardOp::attachInterface<
        RowwiseOpBufferization<RMSNormBackwardOp>>(*context);
  });
}
