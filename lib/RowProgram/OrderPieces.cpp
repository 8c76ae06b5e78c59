//===- OrderPieces.cpp - One piece of a row after the other ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Distribution repeats each op for all pieces of a row before it comes to the
// next op. Where pieces arrive one by one and make room for others when they
// are used, the order is turned round: all that is done with a piece comes
// together. Between two points where threads meet, each op gets a turn, and ops
// are sorted by it:
//
// - A wait takes the next turn; what reads from the rings has that of the last
//   wait before it.
// - Where nothing is waited for, what reads a piece has the turn of the copy
//   that fills its place anew, in the order of these.
// - Any other op has the last turn of what it needs, or, if it needs none, the
//   first turn of those that need it. Stores of different columns do not need
//   each other.
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/RowProgram/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <map>

namespace rudnn {
#define GEN_PASS_DEF_NORMORDERPIECES
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// The buffers that an op, with all that is in it, touches.
struct Accesses {
  SmallVector<Value, 2> reads, writes;
  /// It does something else as well.
  bool unknown = false;
};

/// The stores to a buffer, and how far after the first each begins.
class Stores {
public:
  /// The last turn of those before `store` that may write what it writes.
  int getTurnBefore(vector::StoreOp store);
  void add(vector::StoreOp store, int turn);
  int getLastTurn() const { return lastTurn; }

private:
  struct Entry {
    vector::StoreOp store;
    std::optional<int64_t> distance;
    int turn;
  };

  std::optional<int64_t> getDistance(vector::StoreOp store);

  SmallVector<Entry> entries;
  int lastTurn = -1;
};

/// The body of a loop whose rows come piece by piece.
class PieceOrder {
public:
  explicit PieceOrder(Block &block) : block(block) {}

  void run();

private:
  /// Numbers the groups of copies and notes which buffers each fills.
  void findRefills();
  /// Orders the ops that `end` ends.
  void orderSegment(ArrayRef<Operation *> ops, Operation *end);
  void assignTurn(Operation *op);
  /// The last turn of what `op` needs, kNone if it needs nothing of a piece.
  int getTurnOfNeeds(Operation *op, const Accesses &accesses);
  /// Moves an op without a turn to the first that needs it.
  void sink(Operation *op);

  static constexpr int kNone = -1;

  Block &block;
  /// The copies that fill a buffer.
  DenseMap<Value, int> refills;

  // Of the segment at hand:
  DenseMap<Operation *, int> turns;
  DenseMap<Value, int> lastAccess, lastWrite;
  DenseMap<Value, Stores> stores;
  int lastAsync = kNone, waits = 0;
};

} // namespace

/// Known where only the last index differs, by a constant.
std::optional<int64_t> Stores::getDistance(vector::StoreOp store) {
  if (entries.empty())
    return 0;
  vector::StoreOp first = entries.front().store;
  auto indices = store.getIndices(), firstIndices = first.getIndices();
  if (store.getBase() != first.getBase() ||
      store.getVectorType() != first.getVectorType() ||
      !llvm::equal(indices.drop_back(), firstIndices.drop_back()))
    return std::nullopt;
  FailureOr<int64_t> distance = ValueBoundsConstraintSet::computeConstantDelta(
      indices.back(), firstIndices.back());
  return succeeded(distance) ? std::optional(*distance) : std::nullopt;
}

int Stores::getTurnBefore(vector::StoreOp store) {
  std::optional<int64_t> distance = getDistance(store);
  int64_t length = store.getVectorType().getNumElements();
  int turn = -1;
  for (const Entry &entry : entries) {
    bool apart = distance && entry.distance &&
                 std::abs(*distance - *entry.distance) >= length;
    turn = std::max(turn, apart ? -1 : entry.turn);
  }
  return turn;
}

void Stores::add(vector::StoreOp store, int turn) {
  entries.push_back({store, getDistance(store), turn});
  lastTurn = std::max(lastTurn, turn);
}

static Accesses getAccesses(Operation *op) {
  Accesses accesses;
  op->walk([&](Operation *nested) {
    if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      return;
    auto interface = dyn_cast<MemoryEffectOpInterface>(nested);
    if (!interface) {
      accesses.unknown |= !isMemoryEffectFree(nested);
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      auto memref = dyn_cast_or_null<MemrefValue>(effect.getValue());
      if (!memref) {
        accesses.unknown = true;
        continue;
      }
      bool reads = isa<MemoryEffects::Read>(effect.getEffect());
      (reads ? accesses.reads : accesses.writes)
          .push_back(memref::skipViewLikeOps(memref));
    }
  });
  return accesses;
}

/// The store that `op` is, or that it does under a condition, as where a row
/// ends inside a piece; null if `op` is not one store.
static vector::StoreOp findStore(Operation *op, const Accesses &accesses) {
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return store;
  if (!isa<scf::IfOp>(op) || accesses.writes.size() != 1)
    return {};
  vector::StoreOp store;
  op->walk([&](vector::StoreOp nested) { store = nested; });
  return store;
}

static bool isWait(Operation *op) { return isa<NVVM::CpAsyncWaitGroupOp>(op); }

static bool isCommit(Operation *op) {
  return isa<NVVM::CpAsyncCommitGroupOp>(op);
}

static bool isOfBlock(Value memref) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(memref.getType()));
}

/// Where threads meet, or what is not known to do less.
static bool isBoundary(Operation *op) {
  return isa<norm::ThreadReduceOp>(op) ||
         (getAccesses(op).unknown && !isWait(op) && !isCommit(op));
}

/// Whether `op` fills buffers of the block: as they are, only copies do.
static bool isCopy(const Accesses &accesses) {
  return llvm::any_of(accesses.writes, isOfBlock);
}

void PieceOrder::findRefills() {
  int group = 0;
  for (Operation &op : block) {
    group += isCommit(&op);
    for (Value memref : getAccesses(&op).writes)
      if (isOfBlock(memref))
        refills[memref] = group;
  }
}

int PieceOrder::getTurnOfNeeds(Operation *op, const Accesses &accesses) {
  int turn = kNone;
  auto after = [&](const auto &known, auto key) {
    if (auto it = known.find(key); it != known.end())
      turn = std::max(turn, it->second);
  };
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *def = operand.getDefiningOp())
        after(turns, def);
  });
  for (Value memref : accesses.reads) {
    after(lastWrite, memref);
    if (auto it = stores.find(memref); it != stores.end())
      turn = std::max(turn, it->second.getLastTurn());
  }
  vector::StoreOp store = findStore(op, accesses);
  for (Value memref : accesses.writes) {
    after(lastAccess, memref);
    turn = std::max(turn, store ? stores[memref].getTurnBefore(store)
                                : stores[memref].getLastTurn());
  }
  return turn;
}

void PieceOrder::assignTurn(Operation *op) {
  Accesses accesses = getAccesses(op);
  bool isAsync = isWait(op) || isCommit(op) || isCopy(accesses);
  // Copies are of later rows, which this iteration does not write.
  if (isCopy(accesses))
    accesses.reads.clear();
  int turn = getTurnOfNeeds(op, accesses);
  if (isAsync)
    turn = std::max(turn, lastAsync);
  if (isWait(op))
    turn = std::max(turn, waits++);
  for (Value memref : accesses.reads)
    if (auto it = refills.find(memref); it != refills.end())
      turn = std::max(turn, waits > 0 ? waits - 1 : it->second);
  turns[op] = turn;
  if (isAsync)
    lastAsync = turn;
  auto note = [&](auto &known, Value memref) {
    int &last = known.try_emplace(memref, turn).first->second;
    last = std::max(last, turn);
  };
  for (Value memref : accesses.reads)
    note(lastAccess, memref);
  vector::StoreOp store = findStore(op, accesses);
  for (Value memref : accesses.writes) {
    if (store) {
      stores[memref].add(store, turn);
      continue;
    }
    note(lastAccess, memref);
    note(lastWrite, memref);
  }
}

void PieceOrder::sink(Operation *op) {
  Accesses accesses = getAccesses(op);
  bool stays = turns[op] != kNone || !accesses.writes.empty() ||
               llvm::any_of(accesses.reads, [&](Value memref) {
                 return lastWrite.contains(memref) || stores.contains(memref);
               });
  std::optional<int> first;
  for (Operation *user : op->getUsers())
    if (auto it = turns.find(block.findAncestorOpInBlock(*user));
        it != turns.end())
      first = std::min(first.value_or(it->second), it->second);
  if (!stays && first)
    turns[op] = *first;
}

void PieceOrder::orderSegment(ArrayRef<Operation *> ops, Operation *end) {
  turns.clear();
  lastAccess.clear();
  lastWrite.clear();
  stores.clear();
  lastAsync = kNone;
  waits = 0;
  llvm::for_each(ops, [&](Operation *op) { assignTurn(op); });
  llvm::for_each(llvm::reverse(ops), [&](Operation *op) { sink(op); });
  std::map<int, SmallVector<Operation *>> order;
  for (Operation *op : ops)
    order[turns[op]].push_back(op);
  for (auto &[turn, together] : order)
    for (Operation *op : together)
      op->moveBefore(end);
}

void PieceOrder::run() {
  findRefills();
  if (refills.empty())
    return;
  SmallVector<Operation *> segment;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    bool ends = op.hasTrait<OpTrait::IsTerminator>() || isBoundary(&op);
    if (!ends) {
      segment.push_back(&op);
      continue;
    }
    orderSegment(segment, &op);
    segment.clear();
  }
}

namespace {

struct NormOrderPieces : rudnn::impl::NormOrderPiecesBase<NormOrderPieces> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) {
      launch.walk([](scf::ForOp loop) { PieceOrder(*loop.getBody()).run(); });
    });
  }
};

} // namespace
