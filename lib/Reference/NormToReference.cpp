//===- NormToReference.cpp - norm ops to calls of the reference -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Reference/ElementType.h"
#include "rudnn/Reference/EntryPoints.h"
#include "rudnn/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace rudnn::reference {
#define GEN_PASS_DEF_NORMTOREFERENCE
#include "rudnn/Reference/Passes.h.inc"
} // namespace rudnn::reference

using namespace mlir;
using namespace rudnn;
using namespace rudnn::reference;

namespace {

ElementType getElementType(Type type) {
  if (type.isF32())
    return ElementType::F32;
  return type.isF16() ? ElementType::F16 : ElementType::BF16;
}

/// Emits the call that replaces one norm op.
class CallEmitter {
public:
  CallEmitter(Operation *op)
      : op(op), builder(op), loc(op->getLoc()),
        function(op->getParentOfType<FunctionOpInterface>()) {}

  /// Emits the descriptor of a buffer and appends its address to the
  /// arguments; 0 for an absent operand.
  void addBuffer(Value buffer) {
    if (!buffer)
      return addInteger(0);
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, metadata.getBaseBuffer());
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<Value> fields = {
        constant(static_cast<int64_t>(getElementType(type.getElementType()))),
        constant(type.getRank()), base, metadata.getOffset()};
    llvm::append_range(fields, metadata.getSizes());
    llvm::append_range(fields, metadata.getStrides());
    arguments.push_back(memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, emitArray(fields)));
  }

  void addFloat(double value) {
    arguments.push_back(arith::ConstantOp::create(
        builder, loc, builder.getF64FloatAttr(value)));
  }

  void addInteger(int64_t value) { arguments.push_back(constant(value)); }

  void replaceBy(StringRef callee) {
    declare(callee);
    func::CallOp::create(builder, loc, callee, TypeRange(), arguments);
    op->erase();
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// The array lives in the function's frame, not where the op is: the stack
  /// must not grow in a loop.
  Value emitArray(ArrayRef<Value> fields) {
    auto type = MemRefType::get({static_cast<int64_t>(fields.size())},
                                builder.getIndexType());
    Value array;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.getFunctionBody().front());
      array = memref::AllocaOp::create(builder, loc, type);
    }
    for (auto [i, field] : llvm::enumerate(fields))
      memref::StoreOp::create(builder, loc, field, array, constant(i));
    return array;
  }

  void declare(StringRef callee) {
    auto module = op->getParentOfType<ModuleOp>();
    if (module.lookupSymbol(callee))
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = builder.getFunctionType(ValueRange(arguments).getTypes(), {});
    func::FuncOp::create(builder, loc, callee, type).setPrivate();
  }

  Operation *op;
  OpBuilder builder;
  Location loc;
  FunctionOpInterface function;
  SmallVector<Value> arguments;
};

void replace(norm::RMSNormOp op) {
  CallEmitter call(op);
  for (Value buffer : {op.getX(), op.getGamma(), op.getY(), op.getRstd()})
    call.addBuffer(buffer);
  // As the op computes with it.
  call.addFloat(static_cast<float>(op.getEpsilon().convertToDouble()));
  call.addFloat(op.getGammaOffset().convertToFloat());
  call.replaceBy(kForwardSymbol);
}

void replace(norm::RMSNormBackwardOp op) {
  CallEmitter call(op);
  for (Value buffer : {op.getX(), op.getDy(), op.getRstd(), op.getGamma(),
                       op.getInputGrad(), op.getWeightGrad()})
    call.addBuffer(buffer);
  call.addFloat(op.getGammaOffset().convertToFloat());
  call.addInteger(op.getAccumulate());
  call.replaceBy(kBackwardSymbol);
}

/// Either choice computes the same, so the reference takes one.
void replace(norm::IsAlignedOp op) {
  OpBuilder builder(op);
  op.replaceAllUsesWith(
      arith::ConstantIntOp::create(builder, op.getLoc(), true, 1).getResult());
  op.erase();
}

struct NormToReference
    : public reference::impl::NormToReferenceBase<NormToReference> {
  void runOnOperation() override {
    getOperation().walk([](norm::IsAlignedOp op) { replace(op); });
    SmallVector<Operation *> ops;
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (!isa<norm::RMSNormOp, norm::RMSNormBackwardOp>(op))
        return WalkResult::advance();
      // A backward that wants no gradient has no result on tensors either.
      if (isa<TensorType>(op->getOperand(0).getType())) {
        op->emitOpError("on tensors has no reference call: bufferize first");
        return WalkResult::interrupt();
      }
      ops.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : ops) {
      if (auto forward = dyn_cast<norm::RMSNormOp>(op))
        replace(forward);
      else
        replace(cast<norm::RMSNormBackwardOp>(op));
      ++numReplaced;
    }
  }
};

} // namespace
