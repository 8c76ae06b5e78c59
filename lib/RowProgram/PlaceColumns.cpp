//===- PlaceColumns.cpp - Where values per column live --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMPLACECOLUMNS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
using norm::GammaStage;

namespace {

/// Reads in a loop stay where they are; one that is not in a loop is made when
/// it is needed.
void moveToFirstUse(vector::TransferReadOp read) {
  Operation *first = nullptr;
  for (Operation *user : read->getUsers()) {
    Operation *here = read->getBlock()->findAncestorOpInBlock(*user);
    if (here && (!first || here->isBeforeInBlock(first)))
      first = here;
  }
  if (first)
    read->moveBefore(first);
}

/// Each thread puts its part of the columns into memory of the block once. The
/// threads of other rows read it as well.
void moveToShared(RewriterBase &b, RowAccesses &accesses,
                  vector::TransferReadOp read) {
  scf::ForallOp program = accesses.getProgram();
  Location loc = read.getLoc();
  VectorType type = read.getVectorType();
  b.setInsertionPointToStart(program.getBody());
  Value shared =
      allocateWorkgroup(b, loc, type.getShape(), type.getElementType());
  Value once = b.clone(*read)->getResult(0);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> origin(type.getRank(), zero);
  SmallVector<bool> inBounds(type.getRank(), true);
  vector::TransferWriteOp::create(b, loc, once, shared, origin,
                                  ArrayRef<bool>(inBounds));
  if (accesses.getLayout().rows > 1)
    gpu::BarrierOp::create(b, loc);
  b.setInsertionPoint(read);
  b.replaceOpWithNewOp<vector::TransferReadOp>(
      read, type, shared, origin, std::nullopt, ArrayRef<bool>(inBounds));
}

void placeColumns(RewriterBase &b, scf::ForallOp program) {
  RowAccesses accesses(program);
  SmallVector<vector::TransferReadOp> reads;
  program.walk([&](vector::TransferReadOp read) {
    if (accesses.isPerColumn(read))
      reads.push_back(read);
  });
  switch (getRowSchedule(program).getValue().getGamma()) {
  case GammaStage::Registers:
    for (vector::TransferReadOp read : llvm::reverse(reads))
      read->moveBefore(&program.getBody()->front());
    return;
  case GammaStage::Reload:
    llvm::for_each(reads, moveToFirstUse);
    return;
  case GammaStage::Shared:
    for (vector::TransferReadOp read : reads)
      moveToShared(b, accesses, read);
    return;
  }
}

struct NormPlaceColumns : rudnn::impl::NormPlaceColumnsBase<NormPlaceColumns> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation()))
      placeColumns(b, program);
  }
};

} // namespace
