//===- StageRows.cpp - A ring of rows in workgroup memory -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row comes in pieces: one for each access of a thread, in a ring of its own,
// copied as a group of its own. So a sum begins when the first piece is there,
// and a piece makes room for that of a later row when it was read for the last
// time. Each thread copies what it will read itself, so copies need no barrier.
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSTAGEROWS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// The columns from `begin` on of what a read reads, as many as `type` has.
struct Part {
  vector::TransferReadOp read;
  int64_t begin;
  VectorType type;
  Value ring;
};

/// Parts that are copied and awaited together, for `slots` rows at a time.
struct Piece {
  int64_t slots;
  SmallVector<Part> parts;
};

/// A loop over rows that reads them from rings.
class RowRing {
public:
  RowRing(IRRewriter &b, RowAccesses &accesses, scf::ForOp loop)
      : b(b), accesses(accesses), loop(loop), loc(loop.getLoc()),
        schedule(getRowSchedule(accesses.getProgram()).getValue()) {}

  void run();

private:
  void collectReads();
  void cutIntoPieces();
  void allocateRings();
  void startFirstRows();
  /// Starts to copy a piece of the rows of iteration `iv`, if there is one.
  void startCopies(const Piece &piece, Value iv, Value slot);
  void startCopy(const Part &part, Value slot, IRMapping &map);
  /// Fills what the iteration leaves free.
  void refill();
  void readFromRings();
  void waitForPiece(int64_t index);
  Value readPart(const Part &part, Value slot);

  /// The rows `distance` iterations after those of `iv`.
  Value getAhead(Value iv, int64_t distance) {
    return math<arith::AddIOp>(
        iv, math<arith::MulIOp>(loop.getStep(), constant(distance)));
  }
  /// The slot of a piece in this iteration.
  Value getSlot(const Piece &piece) {
    return piece.slots == 1 ? constant(0) : turns.lookup(piece.slots);
  }
  SmallVector<Value> getOrigin(Value slot, int64_t rank);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  template <typename OpTy> Value math(Value x, Value y) {
    return b.createOrFold<OpTy>(loc, x, y);
  }

  IRRewriter &b;
  RowAccesses &accesses;
  scf::ForOp loop;
  Location loc;
  const norm::Schedule &schedule;
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<Piece> pieces;
  /// For each number of slots above one, the slot whose turn it is.
  llvm::SmallMapVector<int64_t, Value, 2> turns;
};

} // namespace

/// Whether columns lie side by side, as copies need them. Rows that are one
/// value each are no more to read than a number per row.
static bool hasAdjacentColumns(vector::TransferReadOp read) {
  auto type = cast<MemRefType>(read.getBase().getType());
  return type.getStridesAndOffset().first.back() == 1;
}

/// Whether a row comes from a ring already.
static bool isStaged(vector::TransferReadOp read) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(read.getBase().getType()));
}

void RowRing::collectReads() {
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (accesses.isOfRows(read) && accesses.isSteady(read) && !isStaged(read) &&
        hasAdjacentColumns(read) && succeeded(getLocalSlice(read)))
      reads.push_back(read);
}

void RowRing::cutIntoPieces() {
  // A single column looks like one number per row: none is a piece, and the
  // last goes with those before it.
  int64_t chunk =
      std::max<int64_t>(accesses.getLayout().threads * schedule.vector, 2);
  for (vector::TransferReadOp read : reads) {
    VectorType type = read.getVectorType();
    SmallVector<int64_t> shape(type.getShape());
    int64_t length = shape.back();
    int64_t count = std::max<int64_t>(llvm::divideCeil(length - 1, chunk), 1);
    pieces.resize(std::max<size_t>(pieces.size(), count));
    for (int64_t k = 0; k < count; ++k) {
      int64_t begin = k * chunk;
      shape.back() = k + 1 < count ? chunk : length - begin;
      pieces[k].parts.push_back(
          {read, begin, VectorType::get(shape, type.getElementType()), {}});
    }
  }
  for (auto [k, piece] : llvm::enumerate(pieces))
    piece.slots = schedule.stages + (int64_t(k) < schedule.extra);
}

void RowRing::allocateRings() {
  b.setInsertionPointToStart(accesses.getProgram().getBody());
  for (Piece &piece : pieces)
    for (Part &part : piece.parts) {
      SmallVector<int64_t> shape(part.type.getShape());
      shape.insert(shape.begin(), piece.slots);
      part.ring = allocateWorkgroup(b, loc, shape, part.type.getElementType());
    }
}

SmallVector<Value> RowRing::getOrigin(Value slot, int64_t rank) {
  SmallVector<Value> origin(rank + 1, constant(0));
  origin.front() = slot;
  return origin;
}

void RowRing::startCopy(const Part &part, Value slot, IRMapping &map) {
  auto slice = getLocalSlice(part.read);
  for (Operation *op : slice->getArrayRef().drop_back())
    if (!map.contains(op->getResult(0)))
      b.clone(*op, map);
  auto lookup = [&](Value value) { return map.lookupOrDefault(value); };
  vector::TransferReadOp read = part.read;
  SmallVector<Value> from = llvm::map_to_vector(read.getIndices(), lookup);
  from.back() = math<arith::AddIOp>(from.back(), constant(part.begin));
  norm::CopyRowsOp::create(b, loc, lookup(read.getBase()), from, part.ring,
                           getOrigin(slot, part.type.getRank()), part.type,
                           read.getInBoundsValues());
}

void RowRing::startCopies(const Piece &piece, Value iv, Value slot) {
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iv,
                                       loop.getUpperBound());
  auto branch = scf::IfOp::create(b, loc, exists);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    IRMapping map;
    map.map(loop.getInductionVar(), iv);
    for (const Part &part : piece.parts)
      startCopy(part, slot, map);
  }
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
}

/// The rows of as many iterations as there are slots, in the order in which
/// their pieces are waited for.
void RowRing::startFirstRows() {
  b.setInsertionPoint(loop);
  for (int64_t distance = 0; distance <= schedule.stages; ++distance)
    for (const Piece &piece : pieces)
      if (distance < piece.slots)
        startCopies(piece, getAhead(loop.getLowerBound(), distance),
                    constant(distance));
}

/// Pieces with fewer slots are for nearer rows, so they come first.
void RowRing::refill() {
  for (int64_t slots : {schedule.stages, schedule.stages + 1})
    for (const Piece &piece : pieces)
      if (piece.slots == slots)
        startCopies(piece, getAhead(loop.getInductionVar(), slots),
                    getSlot(piece));
}

/// Of the pieces under way when an iteration begins, all after `index` may be
/// missing still. (The ops of nvgpu for groups are printed in a way that can't
/// be parsed where they have no copies.)
void RowRing::waitForPiece(int64_t index) {
  int64_t underWay = 0;
  for (const Piece &piece : pieces)
    underWay += piece.slots;
  NVVM::CpAsyncWaitGroupOp::create(b, loc, underWay - 1 - index);
}

Value RowRing::readPart(const Part &part, Value slot) {
  SmallVector<bool> inBounds(part.type.getRank(), true);
  return vector::TransferReadOp::create(b, loc, part.type, part.ring,
                                        getOrigin(slot, part.type.getRank()),
                                        std::nullopt, ArrayRef<bool>(inBounds));
}

/// Puts rows together from their pieces.
void RowRing::readFromRings() {
  b.setInsertionPoint(reads.front());
  DenseMap<Operation *, Value> rows;
  for (auto [index, piece] : llvm::enumerate(pieces)) {
    waitForPiece(index);
    for (Part part : piece.parts) {
      VectorType type = part.read.getVectorType();
      Value value = readPart(part, getSlot(piece));
      Value &row = rows[part.read];
      if (part.type == type) {
        row = value;
        continue;
      }
      if (!row)
        row = ub::PoisonOp::create(b, loc, type);
      SmallVector<int64_t> offsets(type.getRank(), 0),
          strides(type.getRank(), 1);
      offsets.back() = part.begin;
      row = vector::InsertStridedSliceOp::create(b, loc, value, row, offsets,
                                                 strides);
    }
  }
  for (vector::TransferReadOp read : reads)
    b.replaceOp(read, rows.lookup(read));
}

void RowRing::run() {
  collectReads();
  if (reads.empty())
    return;
  cutIntoPieces();
  allocateRings();
  startFirstRows();
  for (const Piece &piece : pieces)
    if (piece.slots > 1)
      turns[piece.slots] = {};
  auto takeTurns = [&](OpBuilder &, Location,
                       ArrayRef<BlockArgument> slots) -> SmallVector<Value> {
    for (auto [turn, slot] : llvm::zip_equal(turns, slots))
      turn.second = slot;
    refill();
    return llvm::map_to_vector(turns, [&](auto turn) -> Value {
      Value next = math<arith::AddIOp>(turn.second, constant(1));
      Value wraps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          next, constant(turn.first));
      return arith::SelectOp::create(b, loc, wraps, constant(0), next);
    });
  };
  SmallVector<Value> first(turns.size(), constant(0));
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false, takeTurns));
  for (auto [turn, slot] :
       llvm::zip_equal(turns, loop.getRegionIterArgs().take_back(turns.size())))
    turn.second = slot;
  readFromRings();
}

namespace {

struct NormStageRows : rudnn::impl::NormStageRowsBase<NormStageRows> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation())) {
      const norm::Schedule &schedule = getRowSchedule(program).getValue();
      if (schedule.getStage() != norm::RowStage::Shared)
        continue;
      RowAccesses accesses(program);
      SmallVector<scf::ForOp> loops(program.getBody()->getOps<scf::ForOp>());
      for (scf::ForOp loop : loops)
        RowRing(b, accesses, loop).run();
    }
  }
};

} // namespace
