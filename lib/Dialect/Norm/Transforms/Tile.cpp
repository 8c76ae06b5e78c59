//===- Tile.cpp - Norm ops to loops over rows -----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMTILE
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

FailureOr<scf::ForallOp> rudnn::norm::tileParallelRows(RewriterBase &rewriter,
                                                       RowwiseOpInterface op) {
  ScheduleAttr schedule = takeSchedule(op);
  auto tileable = cast<TilingInterface>(op.getOperation());
  scf::SCFTilingOptions options;
  options.setTileSizes(getTileSizes(rewriter, tileable, schedule));
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, tileable, options);
  if (failed(tiled))
    return op->emitOpError("could not be tiled");
  auto loop = cast<scf::ForallOp>(tiled->loops.front());
  makeRowProgram(loop, schedule);
  readInPlace(op, tiled->tiledOps.front(), schedule);
  rewriter.replaceOp(op, tiled->replacements);
  padToTile(rewriter, cast<RowwiseOpInterface>(tiled->tiledOps.front()),
            schedule.getValue().rows);
  return loop;
}

/// With no rows at all, sums are zeros and everything else is as it was.
static void replaceWithoutRows(RewriterBase &rewriter, RowwiseOpInterface op) {
  SmallVector<Value> results;
  bool adds = op.isTileable();
  for (OpOperand &init : cast<DestinationStyleOpInterface>(op.getOperation())
                             .getDpsInitsMutable()) {
    Value value = init.get();
    OperandRole role = op.getOperandRole(init.getOperandNumber());
    if (role == OperandRole::PerColumn && !adds) {
      Type element = getElementTypeOrSelf(value.getType());
      Value zero = arith::ConstantOp::create(rewriter, op.getLoc(),
                                             rewriter.getZeroAttr(element));
      value = linalg::FillOp::create(rewriter, op.getLoc(), zero, value)
                  .getResult(0);
    }
    results.push_back(value);
  }
  rewriter.replaceOp(op, results);
}

LogicalResult rudnn::norm::tileToRows(RewriterBase &rewriter,
                                      RowwiseOpInterface op) {
  rewriter.setInsertionPoint(op);
  bool writes =
      cast<DestinationStyleOpInterface>(op.getOperation()).getNumDpsInits() > 0;
  auto type = cast<ShapedType>(op.getRows().getType());
  if (!writes || llvm::is_contained(type.getShape(), 0)) {
    replaceWithoutRows(rewriter, op);
    return success();
  }
  if (!op.getScheduleAttr())
    return op->emitOpError("has no schedule; run norm-assign-schedule first");
  if (type.getRank() < 2)
    return op->emitOpError("expected rank >= 2; run norm-collapse-rows first");
  const Schedule &schedule = op.getScheduleAttr().getValue();
  if (!op.reducesRows()) {
    if (schedule.isGPU() && schedule.parts > 0)
      return tileWalkedRows(rewriter, op);
    return tileParallelRows(rewriter, op);
  }
  auto backward = cast<RMSNormBackwardOp>(op.getOperation());
  return schedule.strips > 0 ? tileByStrips(rewriter, backward)
                             : tileWeightGrad(rewriter, backward);
}

namespace {
struct NormTile : rudnn::norm::impl::NormTileBase<NormTile> {
  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    getOperation()->walk([&](RowwiseOpInterface op) {
      if (isa<TensorType>(op.getRows().getType()) && !isInRowProgram(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (RowwiseOpInterface op : ops) {
      if (failed(tileToRows(rewriter, op)))
        return signalPassFailure();
      ++numTiled;
    }
  }
};
} // namespace
