//===- LowerThreadReduce.cpp - Reductions over threads --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of a warp are combined by shuffles, those of several warps through
// workgroup memory: each warp leaves its part in a slot of its own, in each
// block of a cluster, and after one barrier all threads combine the slots
// alike. In a loop two sets of slots alternate, so that no warp overwrites what
// a slower one still reads: a warp is at most one barrier ahead.
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/RowProgram/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMLOWERTHREADREDUCE
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
using norm::ThreadAxis;
using norm::ThreadReduceOp;

static constexpr int64_t kWarpSize = 32;

/// All threads of the cluster have arrived, and see what was stored before.
static void createClusterBarrier(OpBuilder &b, Location loc) {
  NVVM::ClusterArriveOp::create(b, loc, /*aligned=*/b.getUnitAttr());
  NVVM::ClusterWaitOp::create(b, loc, /*aligned=*/b.getUnitAttr());
}

namespace {

class ThreadReduceLowering {
public:
  /// `parity` is 0 or 1 in turns where the op is run repeatedly, else null.
  ThreadReduceLowering(IRRewriter &b, ThreadReduceOp op, Value parity)
      : b(b), op(op), loc(op.getLoc()),
        launch(op->getParentOfType<gpu::LaunchOp>()), parity(parity),
        rows(op.getRows()), threads(op.getThreads()), cluster(op.getCluster()) {
  }

  void run();

  /// Whether the op goes through workgroup memory.
  static bool needsSlots(ThreadReduceOp op);

private:
  SmallVector<Value> alongX(ArrayRef<Value> values);
  SmallVector<Value> alongY(ArrayRef<Value> values);
  /// Leaves what warp `warp` has of row `y` in the slots of every block.
  void leaveSums(ArrayRef<Value> sums, Value slots, Value y, Value lane,
                 Value warp);
  /// Sum `i` of row `y` over the `total` slots that warps left.
  Value combineSlots(Value slots, int64_t i, Value y, Value lane,
                     int64_t total);
  /// Stores `value` at `indices` of `slots` of block `block` of the cluster.
  void storeToBlock(Value value, Value slots, ArrayRef<Value> indices,
                    Value block);
  /// Combines lanes whose numbers differ in bits `from` up to `to` (not in).
  Value butterfly(Value value, int64_t from, int64_t to);
  Value shuffle(Value value, int64_t distance);
  Value combine(Value x, Value y) {
    return vector::makeArithReduction(b, loc, op.getKind(), x, y);
  }
  /// Workgroup memory of `shape`, twice if the op is run repeatedly.
  Value createSlots(ArrayRef<int64_t> shape, Type element);
  /// `slot` of the set whose turn it is.
  SmallVector<Value> at(std::initializer_list<Value> slot);
  void storeIf(Value condition, function_ref<void()> store);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  template <typename OpTy> Value math(Value x, int64_t y) {
    return b.createOrFold<OpTy>(loc, x, constant(y));
  }
  Value isZero(Value x) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x,
                                 constant(0));
  }

  IRRewriter &b;
  ThreadReduceOp op;
  Location loc;
  gpu::LaunchOp launch;
  Value parity;
  int64_t rows, threads, cluster;
};

} // namespace

bool ThreadReduceLowering::needsSlots(ThreadReduceOp op) {
  int64_t threads = op.getThreads();
  return op.getAxis() == ThreadAxis::x
             ? threads > kWarpSize || op.getCluster() > 1
             : op.getRows() * threads > kWarpSize;
}

Value ThreadReduceLowering::shuffle(Value value, int64_t distance) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return gpu::ShuffleOp::create(b, loc, value, distance,
                                  std::min(rows * threads, kWarpSize),
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(
        shuffle(vector::ExtractOp::create(b, loc, value, i), distance));
  return vector::FromElementsOp::create(b, loc, type, elements);
}

Value ThreadReduceLowering::butterfly(Value value, int64_t from, int64_t to) {
  for (int64_t distance = to / 2; distance >= from; distance /= 2)
    value = combine(value, shuffle(value, distance));
  return value;
}

Value ThreadReduceLowering::createSlots(ArrayRef<int64_t> shape, Type element) {
  SmallVector<int64_t> sets(shape);
  if (parity)
    sets.insert(sets.begin(), 2);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&launch.getBody().front());
  return allocateWorkgroup(b, loc, sets, element);
}

SmallVector<Value> ThreadReduceLowering::at(std::initializer_list<Value> slot) {
  SmallVector<Value> indices(slot);
  if (parity)
    indices.insert(indices.begin(), parity);
  return indices;
}

void ThreadReduceLowering::storeIf(Value condition,
                                   function_ref<void()> store) {
  auto branch = scf::IfOp::create(b, loc, condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  store();
}

/// Lanes of a row, then warps of a row: lane i of each warp takes slots i,
/// i + 32, ..., and lanes combine what they took.
SmallVector<Value> ThreadReduceLowering::alongX(ArrayRef<Value> values) {
  SmallVector<Value> sums;
  for (Value value : values)
    sums.push_back(butterfly(value, 1, std::min(threads, kWarpSize)));
  if (!needsSlots(op))
    return sums;
  int64_t total = cluster * llvm::divideCeil(threads, kWarpSize);
  Value x = launch.getThreadIds().x;
  Value y = rows > 1 ? launch.getThreadIds().y : constant(0);
  Value lane = math<arith::RemUIOp>(x, kWarpSize);
  Value warp = math<arith::DivUIOp>(x, kWarpSize);
  int64_t count = sums.size();
  Value slots = createSlots({count, rows, total}, sums[0].getType());
  leaveSums(sums, slots, y, lane, warp);
  if (cluster > 1)
    createClusterBarrier(b, loc);
  else
    gpu::BarrierOp::create(b, loc);
  for (int64_t i = 0; i < count; ++i)
    sums[i] = combineSlots(slots, i, y, lane, total);
  return sums;
}

void ThreadReduceLowering::leaveSums(ArrayRef<Value> sums, Value slots, Value y,
                                     Value lane, Value warp) {
  if (cluster == 1)
    return storeIf(isZero(lane), [&] {
      for (auto [i, sum] : llvm::enumerate(sums))
        memref::StoreOp::create(b, loc, sum, slots, at({constant(i), y, warp}));
    });
  Value rank = gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
  int64_t warps = llvm::divideCeil(threads, kWarpSize);
  Value slot = b.createOrFold<arith::AddIOp>(
      loc, math<arith::MulIOp>(rank, warps), warp);
  Value isLeaving = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                          lane, constant(cluster));
  storeIf(isLeaving, [&] {
    for (auto [i, sum] : llvm::enumerate(sums))
      storeToBlock(sum, slots, at({constant(i), y, slot}), lane);
  });
}

Value ThreadReduceLowering::combineSlots(Value slots, int64_t i, Value y,
                                         Value lane, int64_t total) {
  int64_t width = std::min<int64_t>(llvm::PowerOf2Ceil(total), kWarpSize);
  Value first = math<arith::AndIOp>(lane, width - 1);
  Value sum;
  for (int64_t begin = 0; begin < total; begin += width) {
    Value slot = math<arith::AddIOp>(first, begin);
    // Slots past the last stand for none: what is combined there is the first
    // once more, replaced by what changes nothing.
    Value inside;
    if (begin + width > total) {
      inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, slot,
                                     constant(total));
      slot = arith::SelectOp::create(b, loc, inside, slot, constant(0));
    }
    Value part =
        memref::LoadOp::create(b, loc, slots, at({constant(i), y, slot}));
    if (inside) {
      Value neutral = arith::ConstantOp::create(
          b, loc, norm::getNeutralElement(op.getKind(), part.getType()));
      part = arith::SelectOp::create(b, loc, inside, part, neutral);
    }
    sum = sum ? combine(sum, part) : part;
  }
  return butterfly(sum, 1, width);
}

/// Rows that share a warp, then groups of rows: every thread combines the
/// slots of its columns in ascending order.
SmallVector<Value> ThreadReduceLowering::alongY(ArrayRef<Value> values) {
  SmallVector<Value> sums;
  int64_t rowsPerWarp =
      std::min(rows, std::max<int64_t>(kWarpSize / threads, 1));
  for (Value value : values)
    sums.push_back(butterfly(value, threads, threads * rowsPerWarp));
  if (rows == rowsPerWarp)
    return sums;
  int64_t groups = rows / rowsPerWarp;
  int64_t count = sums.size();
  auto type = dyn_cast<VectorType>(sums[0].getType());
  int64_t width = type ? type.getNumElements() : 1;
  Type element = getElementTypeOrSelf(sums[0].getType());
  Value slots = createSlots({groups, count, threads * width}, element);
  int64_t alignment = std::min<int64_t>(16, 4 * width);
  Value x = threads > 1 ? launch.getThreadIds().x : constant(0);
  Value y = launch.getThreadIds().y;
  Value group = math<arith::DivUIOp>(y, rowsPerWarp);
  Value column = math<arith::MulIOp>(x, width);
  auto forEach = [&](auto body) {
    for (auto [i, sum] : llvm::enumerate(sums))
      body(constant(i), sum);
  };
  auto storeAll = [&] {
    forEach([&](Value i, Value &sum) {
      if (type)
        vector::StoreOp::create(b, loc, sum, slots, at({group, i, column}),
                                /*nontemporal=*/false,
                                llvm::MaybeAlign(alignment));
      else
        memref::StoreOp::create(b, loc, sum, slots, at({group, i, column}));
    });
  };
  if (rowsPerWarp == 1)
    storeAll();
  else
    storeIf(isZero(math<arith::RemUIOp>(y, rowsPerWarp)), storeAll);
  gpu::BarrierOp::create(b, loc);
  forEach([&](Value i, Value &sum) {
    Value total;
    for (int64_t g = 0; g < groups; ++g) {
      SmallVector<Value> slot = at({constant(g), i, column});
      Value part =
          type ? vector::LoadOp::create(b, loc, type, slots, slot,
                                        /*nontemporal=*/false,
                                        llvm::MaybeAlign(alignment))
                     .getResult()
               : memref::LoadOp::create(b, loc, slots, slot).getResult();
      total = total ? combine(total, part) : part;
    }
    sum = total;
  });
  return sums;
}

void ThreadReduceLowering::storeToBlock(Value value, Value slots,
                                        ArrayRef<Value> indices, Value block) {
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, slots);
  auto shape = cast<MemRefType>(slots.getType()).getShape();
  Value place = constant(0);
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    place = b.createOrFold<arith::AddIOp>(loc, math<arith::MulIOp>(place, size),
                                          index);
  Value address =
      b.createOrFold<arith::AddIOp>(loc, start, math<arith::MulIOp>(place, 4));
  Value here = LLVM::IntToPtrOp::create(
      b, loc,
      LLVM::LLVMPointerType::get(b.getContext(),
                                 unsigned(NVVM::NVVMMemorySpace::Shared)),
      arith::IndexCastOp::create(b, loc, b.getI64Type(), address).getResult());
  Value there = NVVM::MapaOp::create(
      b, loc,
      LLVM::LLVMPointerType::get(
          b.getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster)),
      here, arith::IndexCastOp::create(b, loc, b.getI32Type(), block));
  LLVM::StoreOp::create(b, loc, value, there);
}

void ThreadReduceLowering::run() {
  b.setInsertionPoint(op);
  SmallVector<Value> values(op.getValues());
  b.replaceOp(op,
              op.getAxis() == ThreadAxis::y ? alongY(values) : alongX(values));
}

namespace {

struct NormLowerThreadReduce
    : rudnn::impl::NormLowerThreadReduceBase<NormLowerThreadReduce> {
  void runOnOperation() override;

private:
  /// 0, 1, 0, ... over the iterations of `loop`, made on first use.
  Value getParity(IRRewriter &b, scf::ForOp loop);
  LogicalResult lower(IRRewriter &b, ThreadReduceOp op);

  DenseMap<Operation *, Value> parities;
};

} // namespace

Value NormLowerThreadReduce::getParity(IRRewriter &b, scf::ForOp loop) {
  auto it = parities.find(loop);
  if (it != parities.end())
    return it->second;
  b.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(b, loop.getLoc(), 0);
  auto flip = [](OpBuilder &builder, Location loc,
                 ArrayRef<BlockArgument> parity) -> SmallVector<Value> {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return {arith::SubIOp::create(builder, loc, one, parity.front())};
  };
  auto replaced = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, zero, /*replaceInitOperandUsesInLoop=*/false, flip));
  Value parity = replaced.getRegionIterArgs().back();
  parities[replaced] = parity;
  return parity;
}

LogicalResult NormLowerThreadReduce::lower(IRRewriter &b, ThreadReduceOp op) {
  if (!op->getParentOfType<gpu::LaunchOp>())
    return op.emitOpError("expected to be inside a gpu.launch");
  Value parity;
  auto loop = op->getParentOfType<scf::ForOp>();
  if (loop && ThreadReduceLowering::needsSlots(op)) {
    if (loop->getParentOfType<scf::ForOp>()) {
      // The turn of an inner loop starts anew: all have to be done before.
      b.setInsertionPoint(loop);
      if (op.getCluster() > 1)
        createClusterBarrier(b, op.getLoc());
      else
        gpu::BarrierOp::create(b, op.getLoc());
    }
    parity = getParity(b, loop);
  }
  ThreadReduceLowering(b, op, parity).run();
  return success();
}

void NormLowerThreadReduce::runOnOperation() {
  IRRewriter b(&getContext());
  SmallVector<ThreadReduceOp> ops;
  getOperation()->walk([&](ThreadReduceOp op) { ops.push_back(op); });
  SetVector<Operation *> clusters;
  for (ThreadReduceOp op : ops) {
    if (op.getCluster() > 1)
      clusters.insert(op->getParentOfType<gpu::LaunchOp>());
    if (failed(lower(b, op)))
      return signalPassFailure();
  }
  // No block may write to another before that one has begun.
  for (Operation *launch : clusters) {
    b.setInsertionPointToStart(&cast<gpu::LaunchOp>(launch).getBody().front());
    createClusterBarrier(b, launch->getLoc());
  }
}
