//===- CloneBody.cpp - A row program in pieces ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones the body of a row program with a map from each value to its pieces.
// Values are followed, not types: a scalar per row and a row of one piece are
// different things of the same type.
//
//===----------------------------------------------------------------------===//

#include "CloneBody.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace rudnn;

namespace {

/// Clones a region, each op as its pieces.
class Cloner {
public:
  /// `entry` builds at the start of what the clone is for.
  Cloner(OpDistributor &distributor, OpBuilder entry)
      : distributor(distributor), entry(entry) {}

  void assign(Value value, Value clone) { map[value] = {clone}; }
  LogicalResult cloneBlock(OpBuilder &b, Block &block);

private:
  LogicalResult cloneOp(OpBuilder &b, Operation *op);
  LogicalResult cloneLoop(OpBuilder &b, scf::ForOp loop);
  LogicalResult cloneIf(OpBuilder &b, scf::IfOp branch);
  /// The ops of `block`, and a yield of what it yields if that is anything.
  LogicalResult cloneYieldingBlock(OpBuilder &b, Block &block);
  LogicalResult clonePlain(OpBuilder &b, Operation *op);
  FailureOr<Pieces> lookup(Value value);
  FailureOr<Pieces> lookupAll(ValueRange values);
  void assign(ValueRange values, ValueRange pieces);
  static bool touchesVectors(Operation *op);

  OpDistributor &distributor;
  OpBuilder entry;
  DenseMap<Value, Pieces> map;
};

/// Vectors from above the loop (constants, reads that are the same for each
/// row) are made again at its entry.
FailureOr<Pieces> Cloner::lookup(Value value) {
  auto it = map.find(value);
  if (it != map.end())
    return it->second;
  if (!isa<VectorType>(value.getType()))
    return Pieces{value};
  Operation *def = value.getDefiningOp();
  if (!def || failed(cloneOp(entry, def)))
    return failure();
  return map[value];
}

FailureOr<Pieces> Cloner::lookupAll(ValueRange values) {
  Pieces all;
  for (Value value : values) {
    FailureOr<Pieces> pieces = lookup(value);
    if (failed(pieces))
      return failure();
    llvm::append_range(all, *pieces);
  }
  return all;
}

void Cloner::assign(ValueRange values, ValueRange pieces) {
  for (Value value : values) {
    int64_t count = distributor.getLayout().getNumPieces(value.getType());
    map[value] = Pieces(pieces.take_front(count));
    pieces = pieces.drop_front(count);
  }
}

bool Cloner::touchesVectors(Operation *op) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  return op
      ->walk([&](Operation *nested) {
        return isa<norm::CopyRowsOp>(nested) ||
                       llvm::any_of(nested->getOperandTypes(), isVector) ||
                       llvm::any_of(nested->getResultTypes(), isVector)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Cloner::cloneYieldingBlock(OpBuilder &b, Block &block) {
  if (failed(cloneBlock(b, block)))
    return failure();
  FailureOr<Pieces> yielded = lookupAll(block.getTerminator()->getOperands());
  if (failed(yielded))
    return failure();
  if (!yielded->empty())
    scf::YieldOp::create(b, block.getTerminator()->getLoc(), *yielded);
  return success();
}

LogicalResult Cloner::cloneIf(OpBuilder &b, scf::IfOp branch) {
  FailureOr<Pieces> condition = lookup(branch.getCondition());
  if (failed(condition))
    return failure();
  SmallVector<Type> types;
  for (Type type : branch.getResultTypes())
    types.append(distributor.getLayout().getNumPieces(type),
                 distributor.getLayout().getPieceType(type));
  bool hasElse = !branch.getElseRegion().empty();
  auto clone =
      scf::IfOp::create(b, branch.getLoc(), types, condition->front(), hasElse);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), clone->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder inner(&to.front(), to.front().begin());
    if (failed(cloneYieldingBlock(inner, from.front())))
      return failure();
  }
  assign(branch.getResults(), clone.getResults());
  return success();
}

LogicalResult Cloner::cloneLoop(OpBuilder &b, scf::ForOp loop) {
  FailureOr<Pieces> inits = lookupAll(loop.getInitArgs());
  FailureOr<Pieces> bounds =
      lookupAll({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  if (failed(inits) || failed(bounds))
    return failure();
  auto clone = scf::ForOp::create(b, loop.getLoc(), (*bounds)[0], (*bounds)[1],
                                  (*bounds)[2], *inits);
  map[loop.getInductionVar()] = {clone.getInductionVar()};
  assign(loop.getRegionIterArgs(), clone.getRegionIterArgs());
  OpBuilder inner(clone.getBody(), clone.getBody()->begin());
  if (failed(cloneYieldingBlock(inner, *loop.getBody())))
    return failure();
  assign(loop.getResults(), clone.getResults());
  return success();
}

LogicalResult Cloner::clonePlain(OpBuilder &b, Operation *op) {
  IRMapping mapping;
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (auto it = map.find(operand); it != map.end())
        mapping.map(operand, it->second.front());
  });
  auto alloc = dyn_cast<memref::AllocOp>(op);
  Operation *clone = alloc && alloc->getNumOperands() == 0
                         ? distributor.cloneAllocation(b, alloc)
                         : b.clone(*op, mapping);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults()))
    map[from] = {to};
  return success();
}

LogicalResult Cloner::cloneOp(OpBuilder &b, Operation *op) {
  if (!touchesVectors(op))
    return clonePlain(b, op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return cloneLoop(b, loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return cloneIf(b, branch);
  if (op->getNumRegions() > 0)
    return op->emitOpError("in a row program can't be cut into pieces "
                           "of a row");
  SmallVector<Pieces> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<Pieces> pieces = lookup(operand);
    if (failed(pieces))
      return op->emitOpError("has an operand that is no part of the row "
                             "program");
    operands.push_back(*pieces);
  }
  FailureOr<SmallVector<Pieces>> results =
      distributor.distribute(b, op, operands);
  if (failed(results))
    return failure();
  for (auto [result, pieces] : llvm::zip(op->getResults(), *results))
    map[result] = pieces;
  return success();
}

LogicalResult Cloner::cloneBlock(OpBuilder &b, Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(cloneOp(b, &op)))
      return failure();
  return success();
}

} // namespace

LogicalResult
rudnn::cloneBody(scf::ForallOp program, OpBuilder &b, ValueRange inductionVars,
                 function_ref<std::unique_ptr<OpDistributor>(OpBuilder)> make) {
  // Keeps what is made at the entry in front of the rest.
  Operation *marker =
      ub::PoisonOp::create(b, program.getLoc(), b.getIndexType());
  std::unique_ptr<OpDistributor> distributor = make(OpBuilder(marker));
  Cloner cloner(*distributor, OpBuilder(marker));
  for (auto [from, to] :
       llvm::zip_equal(program.getInductionVars(), inductionVars))
    cloner.assign(from, to);
  if (failed(cloner.cloneBlock(b, *program.getBody())))
    return failure();
  marker->erase();
  return success();
}
