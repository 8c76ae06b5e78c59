//===- CarryRows.cpp - Read the next rows while some are computed ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMCARRYROWS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// A loop over rows that carries what it reads from one iteration to the next.
class RowCarrier {
public:
  RowCarrier(IRRewriter &b, RowAccesses &accesses, scf::ForOp loop)
      : b(b), accesses(accesses), loop(loop), loc(loop.getLoc()) {}

  void run();

private:
  void collectReads();
  /// The reads as iteration `iv` does them, where `b` stands.
  SmallVector<Value> readAt(Value iv);
  /// The reads of the first iteration; zeros if there is none.
  SmallVector<Value> readFirst();
  Value getLastIteration();
  template <typename OpTy> Value math(Value x, Value y) {
    return b.createOrFold<OpTy>(loc, x, y);
  }

  IRRewriter &b;
  RowAccesses &accesses;
  scf::ForOp loop;
  Location loc;
  SmallVector<vector::TransferReadOp> reads;
  SetVector<Operation *> slice;
};

} // namespace

void RowCarrier::collectReads() {
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>()) {
    auto local = getLocalSlice(read);
    bool changes =
        succeeded(local) && llvm::any_of(*local, [&](Operation *op) {
          return llvm::is_contained(op->getOperands(), loop.getInductionVar());
        });
    if (!changes || accesses.isWritten(read))
      continue;
    reads.push_back(read);
    slice.insert(local->begin(), local->end());
  }
}

SmallVector<Value> RowCarrier::readAt(Value iv) {
  IRMapping map;
  map.map(loop.getInductionVar(), iv);
  for (Operation *op : slice)
    b.clone(*op, map);
  return llvm::map_to_vector(reads, [&](vector::TransferReadOp read) -> Value {
    return map.lookup(read.getResult());
  });
}

SmallVector<Value> RowCarrier::readFirst() {
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  SmallVector<Type> types;
  for (vector::TransferReadOp read : reads)
    types.push_back(read.getType());
  auto first = scf::IfOp::create(b, loc, types, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(first.thenBlock());
  SmallVector<Value> values = readAt(loop.getLowerBound());
  scf::YieldOp::create(b, loc, values);
  b.setInsertionPointToStart(first.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  scf::YieldOp::create(b, loc, zeros);
  return first.getResults();
}

/// The induction variable of the last iteration, if there is one.
Value RowCarrier::getLastIteration() {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value length =
      math<arith::SubIOp>(loop.getUpperBound(), loop.getLowerBound());
  Value steps =
      math<arith::DivUIOp>(math<arith::SubIOp>(length, one), loop.getStep());
  return math<arith::AddIOp>(loop.getLowerBound(),
                             math<arith::MulIOp>(steps, loop.getStep()));
}

void RowCarrier::run() {
  collectReads();
  if (reads.empty())
    return;
  b.setInsertionPoint(loop);
  SmallVector<Value> first = readFirst();
  Value last = getLastIteration();
  SmallVector<Value> next;
  auto yieldNext = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
    return next;
  };
  // Reads of the next iteration come first, so that the rest hides them; the
  // last iteration reads its own rows once more, which are there.
  b.setInsertionPointToStart(loop.getBody());
  Value following = math<arith::AddIOp>(loop.getInductionVar(), loop.getStep());
  next = readAt(math<arith::MinSIOp>(following, last));
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false, yieldNext));
  for (auto [read, carried] : llvm::zip_equal(
           reads, carrying.getRegionIterArgs().take_back(reads.size())))
    b.replaceOp(read, carried);
}

namespace {

/// Rows that come through workgroup memory are on their way already; what
/// belongs to them is not.
bool carries(const norm::Schedule &schedule) {
  return schedule.prefetch > 0 || schedule.getStage() == norm::RowStage::Shared;
}

struct NormCarryRows : rudnn::impl::NormCarryRowsBase<NormCarryRows> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation())) {
      if (!carries(getRowSchedule(program).getValue()))
        continue;
      RowAccesses accesses(program);
      SmallVector<scf::ForOp> loops(program.getBody()->getOps<scf::ForOp>());
      for (scf::ForOp loop : loops)
        RowCarrier(b, accesses, loop).run();
    }
  }
};

} // namespace
