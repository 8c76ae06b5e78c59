//===- DeferRowSums.cpp - Add up rows after the loop ----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDEFERROWSUMS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// A sum over rows that a loop carries: its only use is the reduction that
/// adds to it.
struct CarriedSum {
  unsigned index;
  vector::MultiDimReductionOp reduction;
};

std::optional<CarriedSum> matchCarriedSum(scf::ForOp loop, unsigned index) {
  BlockArgument carried = loop.getRegionIterArg(index);
  Value yielded = loop.getYieldedValues()[index];
  auto reduction = yielded.getDefiningOp<vector::MultiDimReductionOp>();
  if (!reduction || !carried.hasOneUse() || !yielded.hasOneUse() ||
      reduction.getAcc() != carried ||
      reduction->getBlock() != loop.getBody() ||
      reduction.getKind() != vector::CombiningKind::ADD)
    return std::nullopt;
  return CarriedSum{index, reduction};
}

/// The loop carries the sum of each row, and what it carried before is added
/// to all of them after it.
void defer(IRRewriter &b, scf::ForOp loop, CarriedSum sum) {
  Location loc = sum.reduction.getLoc();
  VectorType type = sum.reduction.getSourceVectorType();
  Value initial = loop.getInitArgs()[sum.index];
  b.setInsertionPoint(loop);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));

  b.modifyOpInPlace(loop, [&] {
    loop.getInitArgsMutable()[sum.index].set(zeros);
    loop.getRegionIterArg(sum.index).setType(type);
    loop.getResult(sum.index).setType(type);
  });
  b.setInsertionPoint(sum.reduction);
  Value added = arith::AddFOp::create(b, loc, loop.getRegionIterArg(sum.index),
                                      sum.reduction.getSource(),
                                      arith::FastMathFlags::contract);
  b.setInsertionPointAfter(loop);
  auto total = vector::MultiDimReductionOp::create(
      b, loc, loop.getResult(sum.index), initial,
      sum.reduction.getReductionMask(), vector::CombiningKind::ADD);
  b.replaceAllUsesExcept(loop.getResult(sum.index), total, total);
  b.replaceOp(sum.reduction, added);
}

struct NormDeferRowSums : rudnn::impl::NormDeferRowSumsBase<NormDeferRowSums> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      SmallVector<scf::ForOp> loops;
      program.walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        for (unsigned i = 0; i < loop.getNumResults(); ++i)
          if (std::optional<CarriedSum> sum = matchCarriedSum(loop, i))
            defer(b, loop, *sum);
    }
  }
};

} // namespace
