//===- StripMine.cpp - Cut rows into chunks of columns --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "SegmentMiner.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSTRIPMINE
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

LogicalResult mineBlock(IRRewriter &rewriter, const ColumnAnalysis &analysis,
                        norm::ScheduleAttr schedule, Block &block) {
  SmallVector<std::pair<SmallVector<Operation *>, Operation *>> segments;
  SmallVector<Operation *> current;
  for (Operation &op : block) {
    bool isFence = op.hasTrait<OpTrait::IsTerminator>() ||
                   (op.getNumRegions() > 0 && !isa<linalg::LinalgOp>(op));
    if (!isFence) {
      current.push_back(&op);
      continue;
    }
    segments.emplace_back(std::move(current), &op);
    current.clear();
  }
  for (auto &[segment, fence] : segments)
    if (llvm::any_of(segment,
                     [&](Operation *op) { return analysis.hasColumns(op); }) &&
        failed(
            SegmentMiner(rewriter, analysis, schedule, segment, fence).run()))
      return failure();
  return success();
}

LogicalResult mineProgram(IRRewriter &rewriter, scf::ForallOp program) {
  SmallVector<linalg::LinalgOp> ops;
  program.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureTensorSemantics())
      return op->emitOpError("expected a row program on tensors");
    if (isa<linalg::GenericOp>(op))
      continue;
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op->emitOpError("can't be written as linalg.generic");
  }
  ColumnAnalysis analysis(program);
  SmallVector<Block *> blocks;
  program->walk([&](Operation *op) {
    if (isa<scf::ForallOp, scf::ForOp, scf::IfOp>(op))
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
  });
  for (Block *block : blocks)
    if (failed(mineBlock(rewriter, analysis, getRowSchedule(program), *block)))
      return failure();
  return success();
}

/// Threads of a GPU may have a row among them as a whole.
bool walksRows(norm::ScheduleAttr schedule) {
  return !schedule.isGPU() ||
         schedule.getValue().getStage() == norm::RowStage::Loop;
}

struct NormStripMine : rudnn::impl::NormStripMineBase<NormStripMine> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp program : getRowPrograms(getOperation()))
      if (walksRows(getRowSchedule(program)) &&
          failed(mineProgram(rewriter, program)))
        return signalPassFailure();
  }
};

} // namespace
