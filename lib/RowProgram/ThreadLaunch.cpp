//===- ThreadLaunch.cpp - Row programs as grids of blocks -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneBody.h"
#include "ThreadDistributor.h"

#include "rudnn/Dialect/Norm/IR/GPUChip.h"
#include "rudnn/Dialect/Norm/IR/Launch.h"
#include "rudnn/RowProgram/Alignment.h"
#include "rudnn/RowProgram/RowProgram.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace rudnn;

namespace {

/// The launch of a grid of blocks that replaces a loop over tasks.
class ThreadLaunch {
public:
  explicit ThreadLaunch(scf::ForallOp program)
      : program(program), loc(program.getLoc()), b(program),
        schedule(getRowSchedule(program)) {}

  LogicalResult run();

private:
  bool mixesRows(const RowLayout &layout);
  /// An error where the axes of a tile cannot be told apart: by their sizes.
  LogicalResult checkTiles(const RowLayout &layout);
  /// How many iterations each dimension of the loop has.
  SmallVector<Value> countTasks();
  /// The induction variables of task number `task`.
  SmallVector<Value> getInductionVars(Value task, ArrayRef<Value> counts);
  Value countBlocks(const RowLayout &layout, ArrayRef<Value> counts);
  /// An error where it is known that there are more blocks than a grid has.
  LogicalResult checkGrid(Value blocks);
  gpu::LaunchOp createLaunch(const RowLayout &layout, Value blocks);
  /// The number of the thread among those that share its row; null if it is
  /// alone.
  Value getPlaceInRow(const RowLayout &layout, gpu::LaunchOp launch);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value toValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }

  scf::ForallOp program;
  Location loc;
  OpBuilder b;
  norm::ScheduleAttr schedule;
};

/// The most lanes, up to `lanes`, of which rows of `type` in `memref` at
/// `indices` have whole pieces wherever they may end, and that one
/// access takes: threads next to each other with narrow pieces read better than
/// each with several accesses.
int64_t fitLanes(const RowLayout &layout, int64_t lanes, VectorType type,
                 Value memref, ValueRange indices, ArrayRef<bool> inBounds,
                 bool aligned, bool isWrite) {
  auto base = dyn_cast<MemRefType>(memref.getType());
  if (!base || layout.classify(type) != RowLayout::Kind::Row)
    return lanes;
  int64_t axis = layout.getColumnAxis(type);
  lanes = std::gcd(lanes, type.getDimSize(axis));
  if (!inBounds[axis])
    lanes = std::gcd(lanes, getDimDivisor(memref, base.getRank() - 1));
  if (isWrite || base.getStridesAndOffset().first.back() != 1)
    return lanes;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t alignment = std::gcd(getRowAlignment(memref, kWideAccess, aligned),
                               bytes * getKnownDivisor(indices.back()));
  // Pieces of several wide accesses are as good as one.
  if (alignment % kWideAccess == 0)
    return lanes;
  return std::min(lanes, std::max<int64_t>(alignment / bytes, 1));
}

} // namespace

RowLayout rudnn::getThreadLayout(scf::ForallOp program, bool aligned) {
  norm::ScheduleAttr schedule = getRowSchedule(program);
  RowLayout layout;
  layout.cluster = schedule.getValue().cluster;
  layout.threads = schedule.getValue().threads * layout.cluster;
  layout.rows = schedule.getValue().rows;
  layout.lanes = schedule.getVector();
  auto fit = [&](VectorType type, Value memref, ValueRange indices,
                 ArrayRef<bool> inBounds, bool isWrite) {
    layout.lanes = fitLanes(layout, layout.lanes, type, memref, indices,
                            inBounds, aligned, isWrite);
  };
  program.walk([&](Operation *op) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      fit(read.getVectorType(), read.getBase(), read.getIndices(),
          read.getInBoundsValues(), /*isWrite=*/false);
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      fit(write.getVectorType(), write.getBase(), write.getIndices(),
          write.getInBoundsValues(), /*isWrite=*/true);
    if (auto copy = dyn_cast<norm::CopyRowsOp>(op))
      fit(copy.getVector(), copy.getSource(), copy.getSourceIndices(),
          copy.getInBounds(), /*isWrite=*/false);
  });
  return layout;
}

bool ThreadLaunch::mixesRows(const RowLayout &layout) {
  auto reducesRows = [&](vector::MultiDimReductionOp reduction) {
    int64_t axis = layout.getRowAxis(reduction.getSourceVectorType());
    return axis >= 0 && reduction.isReducedDim(axis);
  };
  return program
      .walk([&](vector::MultiDimReductionOp reduction) {
        return reducesRows(reduction) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<Value> ThreadLaunch::countTasks() {
  SmallVector<Value> counts;
  for (auto [lower, upper, step] :
       llvm::zip_equal(program.getMixedLowerBound(),
                       program.getMixedUpperBound(), program.getMixedStep())) {
    Value length =
        b.createOrFold<arith::SubIOp>(loc, toValue(upper), toValue(lower));
    counts.push_back(
        b.createOrFold<arith::CeilDivSIOp>(loc, length, toValue(step)));
  }
  return counts;
}

SmallVector<Value> ThreadLaunch::getInductionVars(Value task,
                                                  ArrayRef<Value> counts) {
  SmallVector<Value> variables(counts.size());
  for (size_t dim = counts.size(); dim-- > 0;) {
    Value place = task;
    if (dim > 0) {
      place = arith::RemUIOp::create(b, loc, task, counts[dim]);
      task = arith::DivUIOp::create(b, loc, task, counts[dim]);
    }
    Value step = toValue(program.getMixedStep()[dim]);
    Value lower = toValue(program.getMixedLowerBound()[dim]);
    place = b.createOrFold<arith::MulIOp>(loc, place, step);
    variables[dim] = b.createOrFold<arith::AddIOp>(loc, place, lower);
  }
  return variables;
}

Value ThreadLaunch::countBlocks(const RowLayout &layout,
                                ArrayRef<Value> counts) {
  Value blocks = constant(layout.cluster);
  for (Value count : counts)
    blocks = b.createOrFold<arith::MulIOp>(loc, blocks, count);
  return blocks;
}

LogicalResult ThreadLaunch::checkGrid(Value blocks) {
  constexpr int64_t kMostBlocks = std::numeric_limits<int32_t>::max();
  std::optional<int64_t> count = getConstantIntValue(blocks);
  if (!count || (*count >= 0 && *count <= kMostBlocks))
    return success();
  return emitShortOpError(program) << "expected at most " << kMostBlocks
                                   << " blocks in a grid, got " << *count;
}

gpu::LaunchOp ThreadLaunch::createLaunch(const RowLayout &layout,
                                         Value blocks) {
  Value one = constant(1), clusterSize, clusterOne;
  if (layout.cluster > 1) {
    clusterSize = constant(layout.cluster);
    clusterOne = one;
  }
  auto launch = gpu::LaunchOp::create(
      b, loc, blocks, one, one, constant(layout.getBlockThreads()),
      constant(layout.rows), one, /*dynamicSharedMemorySize=*/Value(),
      /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(),
      /*workgroupAttributions=*/TypeRange(),
      /*privateAttributions=*/TypeRange(), clusterSize, clusterOne, clusterOne);
  // The builder leaves out the arguments that stand for clusters.
  if (layout.cluster > 1)
    for (int i = 0; i < 6; ++i)
      launch.getBody().addArgument(b.getIndexType(), loc);
  launch->setDiscardableAttr(norm::NormDialect::kScheduleAttrName, schedule);
  norm::copyLaunch(program, launch);
  b.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(b, loc);
  b.setInsertionPointToStart(&launch.getBody().front());
  return launch;
}

Value ThreadLaunch::getPlaceInRow(const RowLayout &layout,
                                  gpu::LaunchOp launch) {
  if (layout.threads == 1)
    return {};
  Value x = launch.getThreadIds().x;
  if (layout.cluster == 1)
    return x;
  Value block = gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
  Value before = b.createOrFold<arith::MulIOp>(
      loc, block, constant(layout.getBlockThreads()));
  return arith::AddIOp::create(b, loc, before, x);
}

LogicalResult ThreadLaunch::checkTiles(const RowLayout &layout) {
  auto isSquare = [&](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return false;
    auto axes = RowLayout::getLongAxes(vector);
    return axes.size() == 2 && vector.getDimSize(axes[0]) == layout.rows &&
           vector.getDimSize(axes[1]) == layout.rows;
  };
  WalkResult result = program.walk([&](Operation *op) -> WalkResult {
    // Pieces of rows may be as wide, where they are moved: all of them have
    // columns last.
    bool computes = OpTrait::hasElementwiseMappableTraits(op) ||
                    isa<vector::BroadcastOp>(op);
    if (!computes || llvm::none_of(op->getResultTypes(), isSquare))
      return WalkResult::advance();
    return emitShortOpError(program)
           << "expected tiles whose rows are other than their columns, got "
              "rows = "
           << layout.rows << " in a schedule for tiles of "
           << *llvm::find_if(op->getResultTypes(), isSquare);
  });
  return failure(result.wasInterrupted());
}

LogicalResult ThreadLaunch::run() {
  ThreadDistributor::Options options;
  options.aligned = program->hasAttr(norm::NormDialect::kAlignedAttrName);
  RowLayout layout = getThreadLayout(program, options.aligned);
  if (layout.rows > 1 && failed(checkTiles(layout)))
    return failure();
  // Where blocks exchange sums, a warp of each does.
  if (layout.cluster > 1 && layout.getBlockThreads() < norm::GPUChip::kWarp)
    return emitShortOpError(program)
           << "expected threads >= " << norm::GPUChip::kWarp
           << " with a cluster, got " << layout.getBlockThreads();
  options.mixesRows = mixesRows(layout);
  SmallVector<Value> counts = countTasks();
  Value blocks = countBlocks(layout, counts);
  if (failed(checkGrid(blocks)))
    return failure();
  gpu::LaunchOp launch = createLaunch(layout, blocks);
  Value task = launch.getBlockIds().x;
  if (layout.cluster > 1)
    task = arith::DivUIOp::create(b, loc, task, constant(layout.cluster));
  SmallVector<Value> variables = getInductionVars(task, counts);
  Value x = getPlaceInRow(layout, launch);
  Value y = layout.rows > 1 ? launch.getThreadIds().y : Value();
  return cloneBody(program, b, variables, [&](OpBuilder entry) {
    return std::make_unique<ThreadDistributor>(
        layout, options, x, launch.getThreadIds().x, y, entry);
  });
}

LogicalResult rudnn::distributeOverThreads(scf::ForallOp program) {
  return ThreadLaunch(program).run();
}
