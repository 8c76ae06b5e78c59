//===- MemRefToTensor.cpp - Norm ops on memrefs to tensors ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMMEMREFTOTENSOR
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

Value toTensor(OpBuilder &b, Location loc, Value memref) {
  Type type = memref::getTensorTypeFromMemRefType(memref.getType());
  return bufferization::ToTensorOp::create(b, loc, type, memref,
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

void moveToTensors(RewriterBase &rewriter, RowwiseOpInterface op) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(toTensor(rewriter, loc, operand));
  OperandRange inits =
      cast<DestinationStyleOpInterface>(op.getOperation()).getDpsInits();
  SmallVector<Type> types;
  for (unsigned i = 0; i < inits.size(); ++i)
    types.push_back(
        operands[op->getNumOperands() - inits.size() + i].getType());
  Operation *onTensors = mlir::clone(rewriter, op, types, operands);
  for (auto [result, memref] : llvm::zip_equal(onTensors->getResults(), inits))
    bufferization::MaterializeInDestinationOp::create(
        rewriter, loc, /*result=*/Type(), result, memref, /*restrict=*/true,
        /*writable=*/true);
  rewriter.eraseOp(op);
}

struct NormMemRefToTensor
    : rudnn::norm::impl::NormMemRefToTensorBase<NormMemRefToTensor> {
  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    getOperation()->walk([&](RowwiseOpInterface op) {
      if (isa<MemRefType>(op.getRows().getType()))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (RowwiseOpInterface op : ops)
      moveToTensors(rewriter, op);
  }
};

} // namespace
