//===- Columns.cpp - Which loops and values are columns -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn;

unsigned rudnn::columnLoop(linalg::GenericOp op) {
  return op.getNumLoops() - 1;
}

bool rudnn::isIndexedByColumn(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return map.getNumResults() > 0 && op.getNumLoops() > 0 &&
         map.getResults().back() ==
             getAffineDimExpr(columnLoop(op), op.getContext());
}

bool rudnn::reducesColumns(linalg::GenericOp op) {
  return op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
}

Operation *rudnn::getCombiner(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  if (op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

ColumnAnalysis::ColumnAnalysis(scf::ForallOp program) {
  program.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() > 0)
      markOp(op);
  });
  while (changed) {
    changed = false;
    program.walk([&](Operation *op) { propagate(op); });
  }
}

void ColumnAnalysis::markOp(linalg::GenericOp op) {
  changed |= ops.insert(op).second;
  for (OpOperand &operand : op->getOpOperands())
    if (isIndexedByColumn(op, operand))
      markValue(operand.get());
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isIndexedByColumn(op, init))
      markValue(op.getTiedOpResult(&init));
}

void ColumnAnalysis::shareColumns(ArrayRef<Value> same) {
  if (llvm::any_of(same, [&](Value v) { return hasColumns(v); }))
    llvm::for_each(same, [&](Value v) { markValue(v); });
}

void ColumnAnalysis::propagate(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (isIndexedByColumn(generic, operand) && hasColumns(operand.get()))
        markOp(generic);
    for (OpOperand &init : generic.getDpsInitsMutable())
      if (hasColumns(generic.getTiedOpResult(&init)))
        markOp(generic);
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    shareColumns({slice.getSource(), slice.getResult()});
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    shareColumns({slice.getSource(), slice.getDest(), slice.getResult()});
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return;
  for (auto [init, arg, yielded, result] :
       llvm::zip_equal(loop.getInits(), loop.getRegionIterArgs(),
                       loop.getYieldedValues(), loop.getResults()))
    shareColumns({init, arg, yielded, result});
}

Value ColumnOps::getDestination(linalg::GenericOp op) const {
  Value init = op.getDpsInits().front();
  Operation *def = init.getDefiningOp();
  return contains(def) ? getDestination(cast<linalg::GenericOp>(def)) : init;
}

OpFoldResult ColumnOps::getExtent(OpBuilder &b, linalg::GenericOp op,
                                  unsigned loop) const {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> axis =
        map.getResultPosition(b.getAffineDimExpr(loop));
    if (!axis)
      continue;
    Value tensor = operand.get();
    if (Operation *def = tensor.getDefiningOp(); contains(def))
      tensor = getDestination(cast<linalg::GenericOp>(def));
    return tensor::getMixedSize(b, op.getLoc(), tensor, *axis);
  }
  llvm_unreachable("each loop indexes an operand");
}
