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

/// Puts a check in place of `norm.is_aligned`. A program whose buffers come to
/// be in its branch stays unmarked.
void settleChoice(OpBuilder &b, scf::IfOp choice) {
  b.setInsertionPoint(choice);
  SetVector<Value> all;
  for (scf::ForallOp program : getThreadPrograms(choice)) {
    if (!choice.getThenRegion().isAncestor(program->getParentRegion()))
      continue;
    SetVector<Value> buffers = collectBuffers(program);
    bool areOutside = llvm::all_of(buffers, [&](Value buffer) {
      return !choice->isAncestor(buffer.getParentBlock()->getParentOp());
    });
    if (buffers.empty() || !areOutside)
      continue;
    all.insert_range(buffers);
    markAligned(program);
  }
  Value aligned = createAreAligned(b, choice.getLoc(), all.getArrayRef());
  if (!aligned)
    aligned = arith::ConstantIntOp::create(b, choice.getLoc(), 1, 1);
  choice.getConditionMutable().assign(aligned);
}

/// Each choice on `condition` gets a check of its own; for any other use
/// nothing is known to be aligned.
void settleCondition(RewriterBase &b, norm::IsAlignedOp condition) {
  for (OpOperand &use : llvm::make_early_inc_range(condition->getUses()))
    if (auto choice = dyn_cast<scf::IfOp>(use.getOwner()))
      settleChoice(b, choice);
  b.setInsertionPoint(condition);
  if (!condition->use_empty())
    b.replaceOpWithNewOp<arith::ConstantIntOp>(condition, 0, 1);
  else
    b.eraseOp(condition);
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
