//===- MoveFloatsAsIntegers.cpp - 16-bit floats on the move ---------------===//
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

/// What may move such values from one block to another.
bool isJump(Operation *op) {
  return isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp>(op);
}

/// Whether all that `op` does with 16-bit floats is to move them.
bool isMove(Operation *op) {
  return isJump(op) ||
         isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp,
             LLVM::MaskedStoreOp, LLVM::SelectOp, LLVM::InsertElementOp,
             LLVM::ExtractElementOp, LLVM::ShuffleVectorOp>(op);
}

/// Replaces the 16-bit float in `operand` by its bits.
void useBits(OpBuilder &b, OpOperand &operand) {
  Value value = operand.get();
  b.setInsertionPoint(operand.getOwner());
  operand.set(b.createOrFold<LLVM::BitcastOp>(
      operand.getOwner()->getLoc(), toInteger(value.getType()), value));
}

/// Makes bits of `value`, and where `b` stands a float of them for its users.
void becomeBits(OpBuilder &b, Value value) {
  Type type = value.getType();
  value.setType(toInteger(type));
  auto cast = LLVM::BitcastOp::create(b, value.getLoc(), type, value);
  value.replaceAllUsesExcept(cast, cast);
}

void moveBits(OpBuilder &b, Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (isNarrowFloat(operand.get().getType()))
      useBits(b, operand);
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (isNarrowFloat(result.getType()))
      becomeBits(b, result);
}

void takeBits(OpBuilder &b, Block &block) {
  if (block.isEntryBlock() ||
      !llvm::all_of(block.getPredecessors(),
                    [](Block *p) { return isJump(p->getTerminator()); }))
    return;
  b.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments())
    if (isNarrowFloat(argument.getType()))
      becomeBits(b, argument);
}

/// Takes bits from where they are, not from a float of them: left to itself the
/// compiler moves the float again.
void skipFloats(LLVM::LLVMFuncOp function) {
  SmallVector<LLVM::BitcastOp> casts;
  function.walk([&](LLVM::BitcastOp cast) {
    if (auto inner = cast.getArg().getDefiningOp<LLVM::BitcastOp>();
        inner && isNarrowFloat(inner.getType()))
      cast.getArgMutable().assign(inner.getArg());
    if (cast.getArg().getType() == cast.getType())
      cast.replaceAllUsesWith(cast.getArg());
    casts.push_back(cast);
  });
  for (LLVM::BitcastOp cast : llvm::reverse(casts))
    if (cast.use_empty())
      cast.erase();
}

struct NormMoveFloatsAsIntegers
    : rudnn::impl::NormMoveFloatsAsIntegersBase<NormMoveFloatsAsIntegers> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    getOperation()->walk([&](LLVM::LLVMFuncOp function) {
      for (Block &block : function.getBody())
        takeBits(b, block);
      function.walk([&](Operation *op) {
        if (isMove(op))
          moveBits(b, op);
      });
      skipFloats(function);
    });
  }
};

} // namespace
