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

/// A loop over rows that carries what it reads to the iteration `distance`
/// later.
class RowCarrier {
public:
  RowCarrier(IRRewriter &b, RowAccesses &accesses, scf::ForOp loop,
             int64_t distance)
      : b(b), accesses(accesses), loop(loop), loc(loop.getLoc()),
        distance(distance) {}

  void run();

private:
  void collectReads();
  /// The reads as iteration `iv` does them, where `b` stands.
  SmallVector<Value> readAt(Value iv);
  /// The reads of the first iterations; zeros if there is none.
  SmallVector<Value> readFirst(Value last);
  /// The reads of the iteration `count` after `iv`, or of the last one.
  SmallVector<Value> readAhead(Value iv, int64_t count, Value last);
  Value getLastIteration();
  template <typename OpTy> Value math(Value x, Value y) {
    return b.createOrFold<OpTy>(loc, x, y);
  }

  IRRewriter &b;
  RowAccesses &accesses;
  scf::ForOp loop;
  Location loc;
  int64_t distance;
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
    if (!changes || !accesses.isSteady(read))
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

SmallVector<Value> RowCarrier::readAhead(Value iv, int64_t count, Value last) {
  Value steps = arith::ConstantIndexOp::create(b, loc, count);
  Value ahead =
      math<arith::AddIOp>(iv, math<arith::MulIOp>(loop.getStep(), steps));
  return readAt(math<arith::MinSIOp>(ahead, last));
}

SmallVector<Value> RowCarrier::readFirst(Value last) {
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  SmallVector<Type> types;
  for (int64_t i = 0; i < distance; ++i)
    for (vector::TransferReadOp read : reads)
      types.push_back(read.getType());
  auto first = scf::IfOp::create(b, loc, types, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(first.thenBlock());
  SmallVector<Value> values = readAt(loop.getLowerBound());
  for (int64_t i = 1; i < distance; ++i)
    llvm::append_range(values, readAhead(loop.getLowerBound(), i, last));
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
  Value last = getLastIteration();
  SmallVector<Value> first = readFirst(last);
  // Reads of a later iteration come first, so that the rest hides them; the
  // last ones read the last rows once more, which are there.
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> later = readAhead(loop.getInductionVar(), distance, last);
  auto yieldNext = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    SmallVector<Value> next(carried.drop_front(reads.size()));
    next.append(later);
    return next;
  };
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, first, /*replaceInitOperandUsesInLoop=*/false, yieldNext));
  ValueRange carried = carrying.getRegionIterArgs();
  for (auto [read, value] :
       llvm::zip_first(reads, carried.take_back(distance * reads.size())))
    b.replaceOp(read, value);
}

namespace {

/// How many iterations ahead a loop reads. Rows that come through workgroup
/// memory are on their way already; what belongs to them is not.
int64_t getDistance(const norm::Schedule &schedule) {
  return schedule.getStage() == norm::RowStage::Shared ? 1 : schedule.prefetch;
}

struct NormCarryRows : rudnn::impl::NormCarryRowsBase<NormCarryRows> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation())) {
      int64_t distance = getDistance(getRowSchedule(program).getValue());
      if (distance == 0)
        continue;
      RowAccesses accesses(program);
      SmallVector<scf::ForOp> loops(program.getBody()->getOps<scf::ForOp>());
      for (scf::ForOp loop : loops)
        RowCarrier(b, accesses, loop, distance).run();
    }
  }
};

} // namespace
