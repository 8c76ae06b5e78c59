//===- MultiplyEarly.cpp - Products that do not wait for a sum ------------===//
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
#define GEN_PASS_DEF_NORMMULTIPLYEARLY
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// Takes apart the products after a reduction along rows.
class ProductSplitter {
public:
  ProductSplitter(RewriterBase &b, RowAccesses &accesses, Operation *reduction)
      : b(b), accesses(accesses), reduction(reduction) {}

  void run();

private:
  struct Factors {
    SmallVector<Value> early, late;
    /// The products that they are factors of, but for the whole, outer ones
    /// first.
    SmallVector<Operation *> inner;
  };

  /// Finds the ops of the block that wait for the reduction.
  void collectLateOps();
  bool isLate(Value value) { return late.contains(value.getDefiningOp()); }
  /// A product that waits, of rows, and that is no factor of another one.
  bool isWholeProduct(Operation *op);
  void addFactors(arith::MulFOp product, Factors &factors);
  /// Moves what makes `value` in front of the reduction if it can stand there.
  bool makeEarly(Value value);
  void split(arith::MulFOp product);

  RewriterBase &b;
  RowAccesses &accesses;
  Operation *reduction;
  DenseSet<Operation *> late;
};

} // namespace

void ProductSplitter::collectLateOps() {
  late.insert(reduction);
  for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode())
    if (llvm::any_of(op->getOperands(), [&](Value v) { return isLate(v); }))
      late.insert(op);
}

/// The product that `value` is a factor of and that nothing else needs.
static arith::MulFOp getOnlyProduct(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Operation *user = *value.user_begin();
  return user->getBlock() == value.getParentBlock()
             ? dyn_cast<arith::MulFOp>(user)
             : nullptr;
}

bool ProductSplitter::isWholeProduct(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  return product && late.contains(op) &&
         accesses.hasColumns(product.getType()) && !getOnlyProduct(product);
}

void ProductSplitter::addFactors(arith::MulFOp product, Factors &factors) {
  for (Value factor : product->getOperands()) {
    auto inner = factor.getDefiningOp<arith::MulFOp>();
    if (!isLate(factor)) {
      factors.early.push_back(factor);
    } else if (inner && getOnlyProduct(factor) == product) {
      factors.inner.push_back(inner);
      addFactors(inner, factors);
    } else {
      factors.late.push_back(factor);
    }
  }
}

bool ProductSplitter::makeEarly(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != reduction->getBlock() ||
      def->isBeforeInBlock(reduction))
    return true;
  auto slice = getLocalSlice(def, /*throughReads=*/true);
  if (failed(slice) || llvm::any_of(*slice, [&](Operation *op) {
        auto read = dyn_cast<vector::TransferReadOp>(op);
        return read && accesses.isWritten(read);
      }))
    return false;
  for (Operation *op : *slice)
    if (reduction->isBeforeInBlock(op))
      op->moveBefore(reduction);
  return true;
}

void ProductSplitter::split(arith::MulFOp product) {
  Factors factors;
  addFactors(product, factors);
  if (factors.early.size() < 2 ||
      !llvm::all_of(factors.early, [&](Value v) { return makeEarly(v); }))
    return;
  auto multiply = [&](Value x, Value y) -> Value {
    return arith::MulFOp::create(b, product.getLoc(), x, y,
                                 product.getFastmath());
  };
  b.setInsertionPoint(reduction);
  Value result = factors.early.front();
  for (Value factor : llvm::drop_begin(factors.early))
    result = multiply(result, factor);
  b.setInsertionPoint(product);
  for (Value factor : factors.late)
    result = multiply(result, factor);
  b.replaceOp(product, result);
  for (Operation *inner : factors.inner)
    b.eraseOp(inner);
}

void ProductSplitter::run() {
  collectLateOps();
  SmallVector<arith::MulFOp> products;
  for (Operation &op : *reduction->getBlock())
    if (isWholeProduct(&op))
      products.push_back(cast<arith::MulFOp>(op));
  for (arith::MulFOp product : products)
    split(product);
}

namespace {

struct NormMultiplyEarly
    : rudnn::impl::NormMultiplyEarlyBase<NormMultiplyEarly> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    for (scf::ForallOp program : getThreadPrograms(getOperation())) {
      if (getRowSchedule(program).getValue().getProduct() !=
          norm::ProductTime::Early)
        continue;
      RowAccesses accesses(program);
      for (Operation *reduction : accesses.getColumnReductions())
        ProductSplitter(b, accesses, reduction).run();
    }
  }
};

} // namespace
