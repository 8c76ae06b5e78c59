//===- ReloadRows.cpp - Read rows again after a reduction -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMRELOADROWS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
using norm::RowStage;

namespace {

/// Makes what a block knows of rows before a reduction anew after it.
class RowReloader {
public:
  RowReloader(RewriterBase &b, RowAccesses &accesses, Operation *reduction)
      : b(b), accesses(accesses), reduction(reduction) {}

  void run();

private:
  /// The uses of `value` after the reduction.
  SmallVector<OpOperand *> getLateUses(Value value);
  /// Clones what makes `value` of rows to where `b` stands; other values stay
  /// as they are.
  Value remake(Value value);
  bool comesFromRows(Operation *op);
  /// Whether `op` reads what is the same after the reduction. Memory of the
  /// block is filled before an iteration and at its end.
  bool isRepeatable(Operation *op);

  RewriterBase &b;
  RowAccesses &accesses;
  Operation *reduction;
  IRMapping remade;
};

} // namespace

SmallVector<OpOperand *> RowReloader::getLateUses(Value value) {
  Block *block = reduction->getBlock();
  SmallVector<OpOperand *> late;
  for (OpOperand &use : value.getUses()) {
    Operation *here = block->findAncestorOpInBlock(*use.getOwner());
    if (here && reduction->isBeforeInBlock(here))
      late.push_back(&use);
  }
  return late;
}

bool RowReloader::isRepeatable(Operation *op) {
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read || !accesses.isOfRows(read))
    return false;
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
          cast<MemRefType>(read.getBase().getType())))
    return true;
  return accesses.isSteady(read) &&
         llvm::all_of(accesses.getWritesTo(read), [&](Operation *write) {
           return reduction->isBeforeInBlock(write);
         });
}

/// Whether `op` is made from a read of rows, all of it in this block, by ops
/// that may be made again.
bool RowReloader::comesFromRows(Operation *op) {
  auto slice = getLocalSlice(op, /*throughReads=*/true);
  return succeeded(slice) && llvm::any_of(*slice, [&](Operation *def) {
           return isRepeatable(def);
         });
}

Value RowReloader::remake(Value value) {
  if (Value known = remade.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != reduction->getBlock() ||
      !accesses.hasColumns(value.getType()) || !comesFromRows(def))
    return value;
  for (Value operand : def->getOperands())
    if (Value other = remake(operand); other != operand)
      remade.map(operand, other);
  Operation *clone = b.clone(*def, remade);
  if (isa<vector::TransferReadOp>(def))
    clone->setDiscardableAttr(kSecondReadAttrName, b.getUnitAttr());
  remade.map(def->getResults(), clone->getResults());
  return remade.lookup(value);
}

void RowReloader::run() {
  SmallVector<std::pair<Value, SmallVector<OpOperand *>>> crossing;
  for (Operation &op : *reduction->getBlock()) {
    if (&op == reduction)
      break;
    for (Value result : op.getResults())
      if (accesses.hasColumns(result.getType()) && comesFromRows(&op))
        if (auto late = getLateUses(result); !late.empty())
          crossing.emplace_back(result, late);
  }
  b.setInsertionPointAfter(reduction);
  for (auto &[value, uses] : crossing) {
    Value other = remake(value);
    for (OpOperand *use : uses)
      use->set(other);
  }
}

namespace {

struct NormReloadRows : rudnn::impl::NormReloadRowsBase<NormReloadRows> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation())) {
      RowStage stage = getRowSchedule(program).getValue().getStage();
      if (stage != RowStage::Reload && stage != RowStage::Shared)
        continue;
      RowAccesses accesses(program);
      for (Operation *reduction : accesses.getColumnReductions())
        RowReloader(b, accesses, reduction).run();
    }
  }
};

} // namespace
