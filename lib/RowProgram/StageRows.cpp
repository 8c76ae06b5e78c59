//===- StageRows.cpp - A ring of rows in workgroup memory -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread copies what it will read itself, so copies need no barrier, and a
// slot is free for the next rows as soon as the iteration that used it ends.
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSTAGEROWS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// A loop over rows that reads them from a ring of `slots` slots.
class RowRing {
public:
  RowRing(IRRewriter &b, RowAccesses &accesses, scf::ForOp loop, int64_t slots)
      : b(b), accesses(accesses), loop(loop), loc(loop.getLoc()), slots(slots) {
  }

  void run();

private:
  void collectReads();
  void allocateSlots();
  /// Starts to copy the rows of iteration `iv`, if there is one, to `slot`.
  void startCopies(Value iv, Value slot);
  void waitForOldest();
  void readFromSlot(vector::TransferReadOp read, Value ring, Value slot);
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
  int64_t slots;
  SmallVector<vector::TransferReadOp> reads;
  SmallVector<Value> rings;
};

} // namespace

void RowRing::collectReads() {
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
    if (accesses.isOfRows(read) && !accesses.isWritten(read) &&
        succeeded(getLocalSlice(read)))
      reads.push_back(read);
}

void RowRing::allocateSlots() {
  b.setInsertionPointToStart(accesses.getProgram().getBody());
  for (vector::TransferReadOp read : reads) {
    SmallVector<int64_t> shape(read.getVectorType().getShape());
    shape.insert(shape.begin(), slots);
    rings.push_back(allocateWorkgroup(b, loc, shape,
                                      read.getVectorType().getElementType()));
  }
}

SmallVector<Value> RowRing::getOrigin(Value slot, int64_t rank) {
  SmallVector<Value> origin(rank + 1, constant(0));
  origin.front() = slot;
  return origin;
}

void RowRing::startCopies(Value iv, Value slot) {
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iv,
                                       loop.getUpperBound());
  auto branch = scf::IfOp::create(b, loc, exists);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    IRMapping map;
    map.map(loop.getInductionVar(), iv);
    for (auto [read, ring] : llvm::zip_equal(reads, rings)) {
      auto slice = getLocalSlice(read);
      for (Operation *op : slice->getArrayRef().drop_back())
        if (!map.contains(op->getResult(0)))
          b.clone(*op, map);
      auto lookup = [&](Value value) { return map.lookupOrDefault(value); };
      VectorType type = read.getVectorType();
      norm::CopyRowsOp::create(b, loc, lookup(read.getBase()),
                               llvm::map_to_vector(read.getIndices(), lookup),
                               ring, getOrigin(slot, type.getRank()), type,
                               read.getInBoundsValues());
    }
  }
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
}

/// Of the copies under way those to one slot have arrived. (The ops of nvgpu
/// for groups are printed in a way that can't be parsed where they have no
/// copies.)
void RowRing::waitForOldest() {
  NVVM::CpAsyncWaitGroupOp::create(b, loc, slots - 1);
}

void RowRing::readFromSlot(vector::TransferReadOp read, Value ring,
                           Value slot) {
  VectorType type = read.getVectorType();
  b.setInsertionPoint(read);
  SmallVector<bool> inBounds(type.getRank(), true);
  b.replaceOpWithNewOp<vector::TransferReadOp>(
      read, type, ring, getOrigin(slot, type.getRank()), std::nullopt,
      ArrayRef<bool>(inBounds));
}

void RowRing::run() {
  collectReads();
  if (reads.empty())
    return;
  allocateSlots();
  b.setInsertionPoint(loop);
  for (int64_t i = 0; i < slots; ++i) {
    Value distance = math<arith::MulIOp>(loop.getStep(), constant(i));
    startCopies(math<arith::AddIOp>(loop.getLowerBound(), distance),
                constant(i));
  }
  waitForOldest();
  Value zero = constant(0);
  // When an iteration ends its slot is free: what it held is used.
  auto refill = [&](OpBuilder &, Location,
                    ArrayRef<BlockArgument> slot) -> SmallVector<Value> {
    Value distance = math<arith::MulIOp>(loop.getStep(), constant(slots));
    Value ahead = math<arith::AddIOp>(loop.getInductionVar(), distance);
    startCopies(ahead, slot[0]);
    waitForOldest();
    Value next = math<arith::AddIOp>(slot[0], constant(1));
    Value wraps = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, next,
                                        constant(slots));
    return {arith::SelectOp::create(b, loc, wraps, constant(0), next)};
  };
  auto looping = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, zero, /*replaceInitOperandUsesInLoop=*/false, refill));
  for (auto [read, ring] : llvm::zip_equal(reads, rings))
    readFromSlot(read, ring, looping.getRegionIterArgs().back());
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
        RowRing(b, accesses, loop, schedule.stages).run();
    }
  }
};

} // namespace
