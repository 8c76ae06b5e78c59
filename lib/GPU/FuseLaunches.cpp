//===- FuseLaunches.cpp - Two launches that do not wait for each other ----===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "KernelAccess.h"
#include "rudnn/Dialect/Norm/IR/Launch.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMFUSELAUNCHES
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

/// Threads of a block along each axis; none if they are not known.
static std::optional<std::array<int64_t, 3>>
getBlockShape(gpu::LaunchOp launch) {
  gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
  std::array<int64_t, 3> shape;
  for (auto [size, known] :
       llvm::zip_equal(ArrayRef<Value>{sizes.x, sizes.y, sizes.z}, shape)) {
    std::optional<int64_t> constant = getConstantIntValue(size);
    if (!constant)
      return std::nullopt;
    known = *constant;
  }
  return shape;
}

static int64_t countThreads(const std::array<int64_t, 3> &shape) {
  return shape[0] * shape[1] * shape[2];
}

/// Whether `op` asks for a number that depends on the launch, other than by its
/// arguments.
static bool readsLaunch(Operation *op) {
  return isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::ThreadIdOp,
             gpu::GlobalIdOp, gpu::ClusterIdOp, gpu::ClusterDimOp,
             gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp,
             gpu::DynamicSharedMemoryOp>(op);
}

/// Whether blocks along x and their threads are all that `launch` has.
static bool isPlain(gpu::LaunchOp launch) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  return isOneInteger(grid.y) && isOneInteger(grid.z) &&
         getBlockShape(launch) && launch.getBody().hasOneBlock() &&
         launch.getBody().getNumArguments() ==
             gpu::LaunchOp::kNumConfigRegionAttributes &&
         !launch.hasClusterSize() && !launch.getDynamicSharedMemorySize() &&
         !launch.getAsyncToken() && launch.getAsyncDependencies().empty() &&
         !launch.getBody()
              .walk([](Operation *op) {
                return readsLaunch(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether the blocks of both may run at the same time, in blocks of one shape.
static bool canBeOne(gpu::LaunchOp first, gpu::LaunchOp second) {
  return isPlain(first) && isPlain(second) &&
         countThreads(*getBlockShape(first)) ==
             countThreads(*getBlockShape(second)) &&
         !KernelAccess(first).mayConflict(KernelAccess(second));
}

namespace {

/// Makes one launch of two.
class LaunchFuser {
public:
  LaunchFuser(RewriterBase &b, gpu::LaunchOp first, gpu::LaunchOp second)
      : b(b), loc(first.getLoc()), first(first), second(second) {}

  gpu::LaunchOp run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  gpu::LaunchOp createLaunch();
  /// The place along each axis of a block of `shape` of its thread number
  /// `thread`.
  SmallVector<Value> getThreadIds(const std::array<int64_t, 3> &shape,
                                  Value thread);
  /// Moves what `launch` does to `target`, where it is block number `block`.
  void moveBody(gpu::LaunchOp launch, Block *target, Value block, Value thread);

  RewriterBase &b;
  Location loc;
  gpu::LaunchOp first, second;
};

} // namespace

gpu::LaunchOp LaunchFuser::createLaunch() {
  b.setInsertionPoint(second);
  Value blocks = b.createOrFold<arith::AddIOp>(loc, first.getGridSizeX(),
                                               second.getGridSizeX());
  Value threads = constant(countThreads(*getBlockShape(first)));
  Value one = constant(1);
  auto launch =
      gpu::LaunchOp::create(b, loc, blocks, one, one, threads, one, one);
  DistinctAttr group = norm::getLaunch(first);
  norm::copyLaunch(first, launch);
  launch->setDiscardableAttr(norm::NormDialect::kScheduleAttrName,
                             group.getReferencedAttr());
  return launch;
}

SmallVector<Value>
LaunchFuser::getThreadIds(const std::array<int64_t, 3> &shape, Value thread) {
  SmallVector<Value> ids;
  int64_t left = countThreads(shape);
  for (int64_t size : shape) {
    left /= size;
    if (size == 1) {
      ids.push_back(constant(0));
      continue;
    }
    if (left == 1) {
      ids.push_back(thread);
      continue;
    }
    ids.push_back(arith::RemUIOp::create(b, loc, thread, constant(size)));
    thread = arith::DivUIOp::create(b, loc, thread, constant(size));
  }
  return ids;
}

void LaunchFuser::moveBody(gpu::LaunchOp launch, Block *target, Value block,
                           Value thread) {
  Value zero = constant(0);
  SmallVector<Value> arguments{block, zero, zero};
  llvm::append_range(arguments, getThreadIds(*getBlockShape(launch), thread));
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 sizes = launch.getBlockSizeOperandValues();
  llvm::append_values(arguments, grid.x, grid.y, grid.z, sizes.x, sizes.y,
                      sizes.z);
  Block *body = &launch.getBody().front();
  b.eraseOp(body->getTerminator());
  b.inlineBlockBefore(body, target->getTerminator(), arguments);
  b.eraseOp(launch);
}

gpu::LaunchOp LaunchFuser::run() {
  gpu::LaunchOp launch = createLaunch();
  Value block = launch.getBlockIds().x, thread = launch.getThreadIds().x;
  Value firstBlocks = first.getGridSizeX();
  b.setInsertionPointToEnd(&launch.getBody().front());
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        block, firstBlocks);
  auto choice = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/true);
  gpu::TerminatorOp::create(b, loc);
  b.setInsertionPointToStart(choice.thenBlock());
  moveBody(first, choice.thenBlock(), block, thread);
  b.setInsertionPointToStart(choice.elseBlock());
  Value behind = arith::SubIOp::create(b, loc, block, firstBlocks);
  moveBody(second, choice.elseBlock(), behind, thread);
  return launch;
}

namespace {
struct NormFuseLaunches : rudnn::impl::NormFuseLaunchesBase<NormFuseLaunches> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    SmallVector<gpu::LaunchOp> launches;
    getOperation()->walk(
        [&](gpu::LaunchOp launch) { launches.push_back(launch); });
    gpu::LaunchOp previous;
    for (gpu::LaunchOp launch : launches) {
      if (previous && canBeOne(previous, launch) &&
          norm::bringTogether(previous, launch))
        launch = LaunchFuser(b, previous, launch).run();
      previous = launch;
    }
  }
};
} // namespace
