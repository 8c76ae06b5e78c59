//===- DropReturnedArguments.cpp - Results that are arguments -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's drop-equivalent-buffer-results looks at private functions and
// once; here public ones change too, and callers after their callees.
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDROPRETURNEDARGUMENTS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {

/// The argument whose buffer `value` is, in the same shape and layout, if any.
BlockArgument getReturnedArgument(Value value) {
  Type type = value.getType();
  while (auto castOp = value.getDefiningOp<memref::CastOp>())
    value = castOp.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return nullptr;
  bool isBuffer = isa<MemRefType>(type) && argument.getType() == type;
  return isBuffer && isa<func::FuncOp>(argument.getOwner()->getParentOp())
             ? argument
             : nullptr;
}

/// Takes results out of the calls of a function: each is one of the operands.
void updateCall(func::CallOp call, const BitVector &dropped,
                ArrayRef<unsigned> argumentOf) {
  OpBuilder b(call);
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(call.getResultTypes()))
    if (!dropped[i])
      types.push_back(type);
  auto smaller = func::CallOp::create(b, call.getLoc(), call.getCallee(), types,
                                      call.getOperands());
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(call.getResults())) {
    Value replacement =
        dropped[i] ? call.getOperand(argumentOf[i]) : smaller.getResult(next++);
    result.replaceAllUsesWith(replacement);
  }
  call.erase();
}

/// Which results of a function are arguments of it, and which ones.
struct Returned {
  func::FuncOp function;
  BitVector results;
  SmallVector<unsigned> argumentOf;
};

std::optional<Returned> findReturnedArguments(func::FuncOp function) {
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return std::nullopt;
  OperandRange values =
      function.getBody().front().getTerminator()->getOperands();
  Returned returned{function, BitVector(values.size()),
                    SmallVector<unsigned>(values.size())};
  for (auto [i, value] : llvm::enumerate(values))
    if (BlockArgument argument = getReturnedArgument(value)) {
      returned.results.set(i);
      returned.argumentOf[i] = argument.getArgNumber();
    }
  if (returned.results.none())
    return std::nullopt;
  return returned;
}

bool drop(Returned &returned) {
  func::FuncOp function = returned.function;
  auto module = function->getParentOfType<ModuleOp>();
  if (auto uses = function.getSymbolUses(module)) {
    if (!llvm::all_of(*uses, [](SymbolTable::SymbolUse use) {
          return isa<func::CallOp>(use.getUser());
        }))
      return false;
    for (SymbolTable::SymbolUse use : *uses)
      updateCall(cast<func::CallOp>(use.getUser()), returned.results,
                 returned.argumentOf);
  }
  function.getBody().front().getTerminator()->eraseOperands(returned.results);
  return succeeded(function.eraseResults(returned.results));
}

struct NormDropReturnedArguments
    : rudnn::impl::NormDropReturnedArgumentsBase<NormDropReturnedArguments> {
  void runOnOperation() override {
    OpPassManager simplify("builtin.module");
    simplify.addPass(createCanonicalizerPass());
    simplify.addPass(createCSEPass());
    bool changed = true;
    while (changed) {
      // What loops and calls hand through is seen to be the argument once it
      // is no longer carried.
      if (failed(runPipeline(simplify, getOperation())))
        return signalPassFailure();
      // What becomes an argument in a caller by that is dropped in the next
      // turn: whoever looks on between passes sees it returned once.
      SmallVector<Returned> all;
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (std::optional<Returned> some = findReturnedArguments(function))
          all.push_back(*some);
      changed = false;
      for (Returned &returned : all)
        changed |= drop(returned);
    }
  }
};

} // namespace
