//===- MoveFloatsAsIntegers.cpp - 16-bit floats in memory -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMMOVEFLOATSASINTEGERS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

bool isNarrowFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

Type toInteger(Type type) {
  Type i16 = IntegerType::get(type.getContext(), 16);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(i16)) : i16;
}

/// Replaces operand `index` of `op`, a 16-bit float, by its bits.
void useBits(OpBuilder &b, Operation *op, unsigned index) {
  Value value = op->getOperand(index);
  b.setInsertionPoint(op);
  op->setOperand(index,
                 LLVM::BitcastOp::create(b, op->getLoc(),
                                         toInteger(value.getType()), value));
}

/// Makes `op` load bits, and a float of them for its users.
void loadBits(OpBuilder &b, Operation *op) {
  Value loaded = op->getResult(0);
  Type type = loaded.getType();
  b.setInsertionPointAfter(op);
  loaded.setType(toInteger(type));
  auto value = LLVM::BitcastOp::create(b, op->getLoc(), type, loaded);
  loaded.replaceAllUsesExcept(value, value);
}

struct NormMoveFloatsAsIntegers
    : rudnn::impl::NormMoveFloatsAsIntegersBase<NormMoveFloatsAsIntegers> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (isa<LLVM::LoadOp>(op) && isNarrowFloat(op->getResult(0).getType()))
        return loadBits(b, op);
      if (isa<LLVM::StoreOp, LLVM::MaskedStoreOp>(op) &&
          isNarrowFloat(op->getOperand(0).getType()))
        return useBits(b, op, 0);
      auto load = dyn_cast<LLVM::MaskedLoadOp>(op);
      if (!load || !isNarrowFloat(load.getRes().getType()))
        return;
      for (unsigned i = 2; i < load->getNumOperands(); ++i)
        useBits(b, op, i);
      loadBits(b, op);
    });
  }
};

} // namespace
