//===- StoreNonTemporal.cpp - Large results past the cache ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/RowProgram/Alignment.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSTORENONTEMPORAL
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// The buffer that `op` reads, null if it reads none.
Value getReadBuffer(Operation *op) {
  return TypeSwitch<Operation *, Value>(op)
      .Case([](vector::LoadOp o) { return o.getBase(); })
      .Case([](vector::MaskedLoadOp o) { return o.getBase(); })
      .Case([](memref::LoadOp o) { return o.getMemRef(); })
      .Case([](memref::CopyOp o) { return o.getSource(); })
      .Default([](Operation *) { return Value(); });
}

/// Whether `index` is known to be a multiple of `lanes`.
bool isMultiple(Value index, int64_t lanes) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant % lanes == 0;
  if (auto add = index.getDefiningOp<arith::AddIOp>())
    return isMultiple(add.getLhs(), lanes) && isMultiple(add.getRhs(), lanes);
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && loop.getInductionVar() == index &&
         isMultiple(loop.getLowerBound(), lanes) &&
         isMultiple(loop.getStep(), lanes);
}

/// The stores of `program` that may go past the cache: whole vectors at whole
/// multiples of their size along a row of a buffer from outside that the
/// program does not read.
SmallVector<vector::StoreOp> collectStores(scf::ForallOp program) {
  DenseSet<Value> read;
  program.walk([&](Operation *op) {
    if (Value buffer = getReadBuffer(op))
      read.insert(getRoot(buffer));
  });
  SmallVector<vector::StoreOp> stores;
  program.walk([&](vector::StoreOp store) {
    MemRefType type = store.getMemRefType();
    VectorType vector = store.getVectorType();
    bool isOutside = program.isDefinedOutsideOfLoop(store.getBase());
    unsigned bits = vector.getNumElements() * vector.getElementTypeBitWidth();
    if (isOutside && !read.contains(getRoot(store.getBase())) && bits >= 128 &&
        isMultiple(store.getIndices().back(), vector.getNumElements()) &&
        type.isLastDimUnitStride())
      stores.push_back(store);
  });
  return stores;
}

/// What decides at run time whether a program's stores go past the cache.
class Condition {
public:
  Condition(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  /// Whether the buffers hold at least `threshold` bytes.
  Value isLarge(ArrayRef<Value> buffers, int64_t threshold);
  /// Whether each row of `buffer` starts at a multiple of `bytes`.
  Value isAligned(Value buffer, int64_t bytes);
  Value both(Value x, Value y) {
    return b.createOrFold<arith::AndIOp>(loc, x, y);
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value mul(Value x, Value y) {
    return b.createOrFold<arith::MulIOp>(loc, x, y);
  }

  OpBuilder &b;
  Location loc;
};

int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

Value Condition::isLarge(ArrayRef<Value> buffers, int64_t threshold) {
  Value total = constant(0);
  for (Value buffer : buffers) {
    Value bytes = constant(getElementBytes(buffer));
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      bytes = mul(bytes, b.createOrFold<memref::DimOp>(loc, buffer, dim));
    total = b.createOrFold<arith::AddIOp>(loc, total, bytes);
  }
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::uge, total,
                                       constant(threshold));
}

Value Condition::isAligned(Value buffer, int64_t bytes) {
  return createIsAligned(b, loc, buffer, bytes, /*checkStatic=*/true);
}

int64_t getVectorBytes(vector::StoreOp store) {
  VectorType type = store.getVectorType();
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

void addVersion(RewriterBase &rewriter, scf::ForallOp program,
                int64_t threshold) {
  SmallVector<vector::StoreOp> stores = collectStores(program);
  SetVector<Value> buffers;
  for (vector::StoreOp store : stores)
    buffers.insert(store.getBase());
  if (buffers.empty())
    return;
  rewriter.setInsertionPoint(program);
  Condition condition(rewriter, program.getLoc());
  Value holds = condition.isLarge(buffers.getArrayRef(), threshold);
  if (matchPattern(holds, m_Zero()))
    return;
  DenseMap<Value, int64_t> bytes;
  for (vector::StoreOp store : stores)
    bytes[store.getBase()] =
        std::max(bytes.lookup(store.getBase()), getVectorBytes(store));
  for (Value buffer : buffers)
    holds = condition.both(holds, condition.isAligned(buffer, bytes[buffer]));
  auto choice = scf::IfOp::create(rewriter, program.getLoc(), holds,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(choice.elseBlock());
  rewriter.clone(*program);
  rewriter.moveOpBefore(program, choice.thenBlock()->getTerminator());
  for (vector::StoreOp store : stores) {
    store.setNontemporal(true);
    store.setAlignment(getVectorBytes(store));
  }
}

struct NormStoreNonTemporal
    : rudnn::impl::NormStoreNonTemporalBase<NormStoreNonTemporal> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      int64_t threshold = getRowSchedule(program).getNontemporal();
      if (threshold > 0 && !program->getParentOfType<scf::ForallOp>())
        addVersion(rewriter, program, threshold);
    }
  }
};

} // namespace
