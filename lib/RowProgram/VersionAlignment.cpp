//===- VersionAlignment.cpp - Aligned and unaligned row programs ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

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

void addVersion(RewriterBase &b, scf::ForallOp program) {
  Location loc = program.getLoc();
  b.setInsertionPoint(program);
  Value aligned;
  for (Value buffer : collectBuffers(program)) {
    Value one = createIsAligned(b, loc, buffer, kWideAccess,
                                /*checkStatic=*/false);
    aligned = aligned ? b.createOrFold<arith::AndIOp>(loc, aligned, one) : one;
  }
  if (!aligned)
    return;
  auto choice = scf::IfOp::create(b, loc, aligned, /*withElseRegion=*/true);
  b.setInsertionPointToStart(choice.elseBlock());
  b.clone(*program);
  b.moveOpBefore(program, choice.thenBlock()->getTerminator());
  program->setDiscardableAttr(norm::NormDialect::kAlignedAttrName,
                              b.getUnitAttr());
}

struct NormVersionAlignment
    : rudnn::impl::NormVersionAlignmentBase<NormVersionAlignment> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getRowPrograms(getOperation()))
      if (getRowSchedule(program).isGPU())
        addVersion(b, program);
  }
};

} // namespace
