//===- MarkReadOnly.cpp - Arguments that nothing may overwrite ------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMMARKREADONLY
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using bufferization::BufferizationDialect;

namespace {

/// Looks for a write to a value or to what may share its buffer.
class WriteFinder {
public:
  explicit WriteFinder(const bufferization::AnalysisState &state)
      : state(state) {}

  bool isWritten(Value value) {
    if (!visited.insert(value).second)
      return false;
    return llvm::any_of(value.getUses(),
                        [this](OpOperand &use) { return isWrittenBy(use); });
  }

private:
  bool isWrittenBy(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<func::ReturnOp>(op))
      return false;
    if (auto call = dyn_cast<func::CallOp>(op))
      return isWrittenByCallee(call, use);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return isWrittenBehind(branch, RegionBranchPoint::parent(), use);
    if (auto end = dyn_cast<RegionBranchTerminatorOpInterface>(op))
      if (auto branch = dyn_cast<RegionBranchOpInterface>(op->getParentOp()))
        return isWrittenBehind(branch, RegionBranchPoint(end), use);
    // Arithmetic on whole tensors makes new ones, until it is folded.
    if (!state.getOptions().dynCastBufferizableOp(op) && isMemoryEffectFree(op))
      return false;
    if (state.bufferizesToMemoryWrite(use))
      return true;
    return llvm::any_of(
        state.getAliasingValues(use).getAliases(),
        [this](const auto &alias) { return isWritten(alias.value); });
  }

  bool isWrittenByCallee(func::CallOp call, OpOperand &use) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isDeclaration())
      return true;
    // The callee may return it.
    return isWritten(callee.getArgument(use.getOperandNumber())) ||
           llvm::any_of(call.getResults(), [this](Value result) {
             return isa<TensorType>(result.getType()) && isWritten(result);
           });
  }

  /// Whether what a region or its user gets at `point` is written there. What
  /// `branch` takes and does not hand on is a destination.
  bool isWrittenBehind(RegionBranchOpInterface branch, RegionBranchPoint point,
                       OpOperand &use) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping, point);
    auto found = mapping.find(&use);
    return found == mapping.end() ||
           llvm::any_of(found->second,
                        [this](Value input) { return isWritten(input); });
  }

  const bufferization::AnalysisState &state;
  DenseSet<Value> visited;
};
} // namespace

bool rudnn::norm::isDestination(BlockArgument argument) {
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  return WriteFinder(state).isWritten(argument);
}

namespace {
struct NormMarkReadOnly
    : rudnn::norm::impl::NormMarkReadOnlyBase<NormMarkReadOnly> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    for (BlockArgument argument : func.getArguments()) {
      unsigned index = argument.getArgNumber();
      StringRef name = BufferizationDialect::kWritableAttrName;
      if (isa<TensorType>(argument.getType()) && !func.isDeclaration() &&
          !func.getArgAttr(index, name) &&
          !rudnn::norm::isDestination(argument))
        func.setArgAttr(index, name, BoolAttr::get(&getContext(), false));
    }
  }
};
} // namespace
