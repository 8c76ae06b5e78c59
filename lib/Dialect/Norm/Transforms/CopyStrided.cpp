//===- CopyStrided.cpp - Rows of tensors without gaps ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Dialect/Norm/Transforms/Bufferization.h"
#include "rudnn/Dialect/Norm/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMCOPYSTRIDED
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// Whether columns lie apart in a buffer of this type, as far as it says.
bool isStrided(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || type.getRank() == 0 ||
      failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return type.getShape().back() != 1 && strides.back() != 1 &&
         strides.back() != 0;
}

/// What regions hand on as `value`: first what comes in from outside, which
/// decides what a loop can hand round, then what the regions yield, in order.
SmallVector<OpOperand *> getSources(RegionBranchOpInterface branch,
                                    Value value) {
  SmallVector<OpOperand *> sources;
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping, point);
    for (auto &[operand, inputs] : mapping)
      if (llvm::is_contained(inputs, value))
        sources.push_back(operand);
  }
  return sources;
}

/// Asks bufferization for types and puts copies before it.
class Copier {
public:
  explicit Copier(MLIRContext *context)
      : rewriter(context), options(getBufferizationOptions()) {}

  void run(RowwiseOpInterface op);

private:
  /// The type of the buffer that `value` will be, null if nobody can tell.
  MemRefType getBufferType(Value value);
  /// Copies what regions hand on as `value`, where that makes its layout known.
  void settle(Value value);
  Value createCopy(Value value);
  void set(OpOperand &operand, Value value);
  /// One copy for all norm ops, made where loops around them do not repeat it.
  Value getCopy(Value value);
  /// Whether `result` moves on to where columns lie apart. Bufferization would
  /// have an empty tensor be that place.
  bool movesToStrided(OpResult result);
  void useFreshDestination(OpOperand &init);

  IRRewriter rewriter;
  bufferization::BufferizationOptions options;
  bufferization::BufferizationState state;
  DenseSet<Value> settled;
  DenseMap<Value, Value> copies;
};

} // namespace

MemRefType Copier::getBufferType(Value value) {
  if (auto type = dyn_cast<MemRefType>(value.getType()))
    return type;
  FailureOr<bufferization::BufferLikeType> type =
      bufferization::getBufferType(value, options, state);
  return succeeded(type) ? dyn_cast<MemRefType>(*type) : MemRefType();
}

void Copier::settle(Value value) {
  Operation *owner = value.getDefiningOp();
  if (!owner)
    owner = value.getParentBlock()->getParentOp();
  auto branch = dyn_cast<RegionBranchOpInterface>(owner);
  if (!branch || !settled.insert(value).second)
    return;
  for (OpOperand *source : getSources(branch, value)) {
    if (!isStrided(getBufferType(value)))
      return;
    settle(source->get());
    MemRefType type = getBufferType(source->get());
    if (!isStrided(getBufferType(value)) || !type ||
        type.getLayout().isIdentity())
      continue;
    rewriter.setInsertionPoint(source->getOwner());
    set(*source, createCopy(source->get()));
  }
}

Value Copier::createCopy(Value value) {
  return bufferization::AllocTensorOp::create(
      rewriter, value.getLoc(), cast<RankedTensorType>(value.getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/value);
}

void Copier::set(OpOperand &operand, Value value) {
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(value); });
}

Value Copier::getCopy(Value value) {
  Value &copy = copies[value];
  if (!copy) {
    rewriter.setInsertionPointAfterValue(value);
    copy = createCopy(value);
  }
  return copy;
}

bool Copier::movesToStrided(OpResult result) {
  return llvm::any_of(result.getUses(), [&](OpOperand &use) {
    auto insertion = dyn_cast<SubsetInsertionOpInterface>(use.getOwner());
    if (!insertion || &insertion.getSourceOperand() != &use)
      return false;
    MemRefType type = getBufferType(insertion.getDestinationOperand().get());
    auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(use.getOwner());
    if (type && slice)
      type = memref::SubViewOp::inferRankReducedResultType(
          cast<ShapedType>(result.getType()).getShape(), type,
          slice.getMixedOffsets(), slice.getMixedSizes(),
          slice.getMixedStrides());
    return isStrided(type);
  });
}

void Copier::useFreshDestination(OpOperand &init) {
  Operation *op = init.getOwner();
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(init.get().getType());
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(
          tensor::DimOp::create(rewriter, op->getLoc(), init.get(), axis));
  Value fresh =
      bufferization::AllocTensorOp::create(rewriter, op->getLoc(), type, sizes);
  set(init, fresh);
}

void Copier::run(RowwiseOpInterface op) {
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  if (!destination.hasPureTensorSemantics())
    return;
  bufferization::AnalysisState analysis(options);
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.getOperandRole(operand.getOperandNumber()) == OperandRole::PerRow)
      continue;
    settle(operand.get());
    bool strided = isStrided(getBufferType(operand.get()));
    if (strided && analysis.bufferizesToMemoryRead(operand))
      set(operand, getCopy(operand.get()));
    else if (destination.isDpsInit(&operand) &&
             (strided || movesToStrided(destination.getTiedOpResult(&operand))))
      useFreshDestination(operand);
  }
}

namespace {
struct NormCopyStrided
    : rudnn::norm::impl::NormCopyStridedBase<NormCopyStrided> {
  void runOnOperation() override {
    Copier copier(&getContext());
    getOperation()->walk([&](RowwiseOpInterface op) { copier.run(op); });
  }
};
} // namespace
