//===- ResultTracker.cpp - follow results through a pipeline --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultTracker.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rudnn::runner;

static constexpr StringLiteral kResultTag = "rudnn.result";

ResultHistory rudnn::runner::tagResults(func::FuncOp function) {
  ResultHistory history;
  Builder builder(function.getContext());
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    function.setResultAttr(i, kResultTag, builder.getI64IntegerAttr(i));
    history.ranks.push_back(cast<ShapedType>(type).getRank());
    history.remaining.push_back(i);
  }
  return history;
}

/// The argument that a returned buffer is, as drop-equivalent-buffer-results
/// sees it.
static std::optional<unsigned> findArgument(Value returned) {
  while (auto cast = returned.getDefiningOp<memref::CastOp>())
    returned = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(returned);
  if (!argument || !argument.getOwner()->isEntryBlock() ||
      !isa<func::FuncOp>(argument.getOwner()->getParentOp()) ||
      !isa<MemRefType>(argument.getType()))
    return std::nullopt;
  return argument.getArgNumber();
}

void ResultTracker::runBeforePass(Pass *, Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return;
  auto entry = module.lookupSymbol<func::FuncOp>(function);
  if (!entry)
    return; // Converted: what was seen last counts.
  history.remaining.clear();
  history.isTagged = true;
  for (unsigned i = 0; i < entry.getNumResults(); ++i) {
    auto tag = entry.getResultAttrOfType<IntegerAttr>(i, kResultTag);
    history.isTagged &= tag != nullptr;
    history.remaining.push_back(tag ? tag.getInt() : -1);
  }
  if (!history.isTagged)
    return;
  entry.walk([&](func::ReturnOp op) {
    for (auto [i, value] : llvm::enumerate(op.getOperands()))
      if (std::optional<unsigned> argument = findArgument(value))
        history.arguments[history.remaining[i]] = *argument;
  });
}

llvm::Expected<std::vector<ReturnedResult>> ResultHistory::resolve() const {
  if (!isTagged)
    return badInput("the pipeline lost track of the function's results: some "
                    "of them have no rudnn.result attribute any more");
  std::vector<ReturnedResult> results;
  auto next = remaining.begin();
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    if (next != remaining.end() && *next == static_cast<int64_t>(i)) {
      ++next;
      results.push_back({rank, std::nullopt});
      continue;
    }
    auto argument = arguments.find(i);
    if (argument == arguments.end())
      return badInput("the pipeline dropped result " + Twine(i) +
                      " of the function, which was not one of its arguments");
    results.push_back({rank, argument->second});
  }
  if (next != remaining.end())
    return badInput("the pipeline reordered or added results of the function");
  return results;
}
