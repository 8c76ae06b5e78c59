//===- AccessAnalysis.cpp - how a function uses an argument ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace rudnn::runner;

/// What `use` passes a value as, where the text of the callee is at hand.
static Value getCalleeArgument(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  FunctionOpInterface callee;
  if (auto call = dyn_cast<func::CallOp>(op))
    callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, call.getCalleeAttr());
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    callee = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        op, launch.getKernel());
    index -= launch.getKernelOperands().getBeginOperandIndex();
  }
  return callee && !callee.isExternal() ? callee.getArgument(index) : Value();
}

namespace {

/// Collects reads and writes over the uses of a value and of its aliases.
class UseWalker {
public:
  void visit(Value value) {
    if (!visited.insert(value.getAsOpaquePointer()).second)
      return;
    for (OpOperand &use : value.getUses())
      visitUse(use);
  }

  void addWrite() { written = true; }

  Access getAccess() const {
    if (read)
      return written ? Access::ReadWrite : Access::Read;
    return written ? Access::Write : Access::None;
  }

private:
  void visitUse(OpOperand &use) {
    if (Value argument = getCalleeArgument(use))
      return visit(argument);
    if (isa<func::ReturnOp>(use.getOwner())) {
      read = true;
      return;
    }
    if (isa<TensorType>(use.get().getType()))
      visitTensorUse(use);
    else
      visitMemRefUse(use);
  }

  void visitTensorUse(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
      read |= !destination.isDpsInit(&use) || readsInit(use);
      return;
    }
    if (isa<tensor::DimOp>(op))
      return;
    if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::ExtractSliceOp>(op))
      return visit(op->getResult(0));
    read = true;
  }

  /// Whether an op needs what its init held before.
  bool readsInit(OpOperand &use) {
    if (auto backward =
            dyn_cast<rudnn::norm::RMSNormBackwardOp>(use.getOwner()))
      return backward.getAccumulate();
    if (isa<rudnn::norm::RMSNormOp>(use.getOwner()))
      return false;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(use.getOwner()))
      return linalgOp.payloadUsesValueFromOperand(&use);
    return true;
  }

  void visitMemRefUse(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<ViewLikeOpInterface>(op))
      return visit(op->getResult(0));
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    bool mayAlias =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
    if (!interface || mayAlias || op->getNumRegions() != 0) {
      // A linalg op has a region, but says what it does all the same.
      if (!interface || mayAlias || !isa<linalg::LinalgOp>(op)) {
        read = written = true;
        return;
      }
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffectsOnValue(use.get(), effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      read |= isa<MemoryEffects::Read>(effect.getEffect());
      written |= !isa<MemoryEffects::Read>(effect.getEffect());
    }
  }

  llvm::SmallPtrSet<void *, 8> visited;
  bool read = false, written = false;
};

} // namespace

Access rudnn::runner::analyzeAccess(BlockArgument argument) {
  UseWalker walker;
  walker.visit(argument);
  if (isa<TensorType>(argument.getType()) && norm::isDestination(argument))
    walker.addWrite();
  return walker.getAccess();
}
