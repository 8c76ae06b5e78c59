//===- VersionAlignment.cpp - Aligned and unaligned row programs ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/Dialect/Norm/IR/Launch.h"
#include "rudnn/RowProgram/Alignment.h"
#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMVERSIONALIGNMENT
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// The buffers from outside whose rows are accessed in wide pieces if they are
/// known to be aligned; none if only results are: what is read decides.
SetVector<Value> collectBuffers(scf::ForallOp program) {
  RowLayout layout = getThreadLayout(program, /*aligned=*/true);
  SetVector<Value> buffers;
  auto collect = [&](VectorType type, Value base) {
    int64_t bytes = layout.lanes * type.getElementTypeBitWidth() / 8;
    if (layout.classify(type) != RowLayout::Kind::Row ||
        !isa<MemRefType>(base.getType()))
      return;
    Value root = getRoot(base, program);
    if (program.isDefinedOutsideOfLoop(root) &&
        getRowAlignment(root, bytes, /*aligned=*/false) <
            getRowAlignment(root, bytes, /*aligned=*/true))
      buffers.insert(root);
  };
  program.walk([&](vector::TransferReadOp read) {
    collect(read.getVectorType(), read.getBase());
  });
  program.walk([&](norm::CopyRowsOp copy) {
    collect(copy.getVector(), copy.getSource());
  });
  if (buffers.empty())
    return buffers;
  program.walk([&](vector::TransferWriteOp write) {
    collect(write.getVectorType(), write.getBase());
  });
  return buffers;
}

bool isMarkedAligned(scf::ForallOp program) {
  return program->hasAttr(norm::NormDialect::kAlignedAttrName);
}

/// Row programs next to each other that are to be one launch, or a single one.
using Programs = SmallVector<scf::ForallOp, 1>;

SmallVector<Programs> collectPrograms(Operation *root) {
  SmallVector<Programs> all;
  for (scf::ForallOp program : getThreadPrograms(root)) {
    if (isMarkedAligned(program))
      continue;
    if (all.empty() || !norm::bringTogether(all.back().back(), program))
      all.emplace_back();
    all.back().push_back(program);
  }
  return all;
}

/// Whether all of `buffers` are aligned, before the builder's place; null if
/// there are none.
Value createAreAligned(OpBuilder &b, Location loc, ArrayRef<Value> buffers) {
  Value aligned;
  for (Value buffer : buffers) {
    Value one = createIsAligned(b, loc, buffer, kWideAccess,
                                /*checkStatic=*/false);
    aligned = aligned ? b.createOrFold<arith::AndIOp>(loc, aligned, one) : one;
  }
  return aligned;
}

void markAligned(scf::ForallOp program) {
  program->setDiscardableAttr(norm::NormDialect::kAlignedAttrName,
                              UnitAttr::get(program.getContext()));
}

/// The first op in the block of `condition` that uses it, or holds a use. Other
/// passes may have made more uses than the choice, such as a deallocation of
/// what one branch allocates.
Operation *getFirstUser(norm::IsAlignedOp condition) {
  Operation *first = condition->getBlock()->getTerminator();
  for (Operation *user : condition->getUsers()) {
    Operation *inBlock = condition->getBlock()->findAncestorOpInBlock(*user);
    if (inBlock && inBlock->isBeforeInBlock(first))
      first = inBlock;
  }
  return first;
}

/// The row programs that run only if `condition` holds.
SmallVector<scf::ForallOp> getGuardedPrograms(norm::IsAlignedOp condition) {
  SmallVector<scf::ForallOp> programs;
  for (Operation *user : condition->getUsers())
    if (auto choice = dyn_cast<scf::IfOp>(user))
      for (scf::ForallOp program : getThreadPrograms(choice))
        if (choice.getThenRegion().isAncestor(program->getParentRegion()))
          programs.push_back(program);
  return programs;
}

/// Puts a check in place of `condition`, one for all uses, which have to agree.
/// A program that accesses what is not there yet stays unmarked.
void settleCondition(RewriterBase &b, norm::IsAlignedOp condition) {
  Operation *place = getFirstUser(condition);
  DominanceInfo dominance(condition->getParentOp());
  b.setInsertionPoint(place);
  SetVector<Value> all;
  for (scf::ForallOp program : getGuardedPrograms(condition)) {
    SetVector<Value> buffers = collectBuffers(program);
    bool areThere = llvm::all_of(buffers, [&](Value buffer) {
      return dominance.properlyDominates(buffer, place);
    });
    if (buffers.empty() || !areThere)
      continue;
    all.insert_range(buffers);
    markAligned(program);
  }
  Value aligned = createAreAligned(b, condition.getLoc(), all.getArrayRef());
  if (!aligned)
    aligned = arith::ConstantIntOp::create(b, condition.getLoc(), 1, 1);
  b.replaceOp(condition, aligned);
}

void addVersion(RewriterBase &b, Programs &programs) {
  Location loc = programs.front().getLoc();
  b.setInsertionPoint(programs.front());
  SetVector<Value> buffers;
  for (scf::ForallOp program : programs)
    buffers.insert_range(collectBuffers(program));
  Value aligned = createAreAligned(b, loc, buffers.getArrayRef());
  if (!aligned)
    return;
  auto choice = scf::IfOp::create(b, loc, aligned, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.elseBlock());
  for (scf::ForallOp program : programs) {
    b.clone(*program);
    b.moveOpBefore(program, choice.thenBlock()->getTerminator());
    markAligned(program);
  }
}

struct NormVersionAlignment
    : rudnn::impl::NormVersionAlignmentBase<NormVersionAlignment> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    SmallVector<norm::IsAlignedOp> conditions;
    getOperation()->walk(
        [&](norm::IsAlignedOp op) { conditions.push_back(op); });
    for (norm::IsAlignedOp condition : conditions)
      settleCondition(b, condition);
    for (Programs &programs : collectPrograms(getOperation()))
      addVersion(b, programs);
  }
};

} // namespace
