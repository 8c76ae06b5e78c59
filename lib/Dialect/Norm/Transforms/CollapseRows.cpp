//===- CollapseRows.cpp - Norm ops of any rank to rank 2 ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMCOLLAPSEROWS
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// How the axes of an operand of `role` go together when `axes` leading axes
/// become one.
SmallVector<ReassociationIndices> getGroups(OperandRole role, int64_t axes) {
  SmallVector<ReassociationIndices> groups;
  groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, axes)));
  if (role == OperandRole::Rows)
    groups.push_back({axes});
  return groups;
}

/// Whether the leading axes of `value` lie evenly in memory, so that they are
/// one axis without a copy. A slice of a tensor is taken not to.
bool liesEvenly(Value value, OperandRole role, int64_t axes) {
  if (role == OperandRole::PerColumn)
    return true;
  if (auto type = dyn_cast<MemRefType>(value.getType()))
    return memref::CollapseShapeOp::isGuaranteedCollapsible(
        type, getGroups(role, axes));
  return !value.getDefiningOp<tensor::ExtractSliceOp>();
}

/// Whether upstream agrees with itself on the type of the leading axes of
/// `value` as one: it does not where one is known to be empty and another has
/// any size.
bool hasOneType(Value value, OperandRole role, int64_t axes) {
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  return role == OperandRole::PerColumn ||
         !llvm::is_contained(shape.take_front(axes), 0) ||
         !ShapedType::isDynamicShape(shape.take_front(axes));
}

bool canCollapse(RowwiseOpInterface op, int64_t axes) {
  return axes == 0 || llvm::all_of(op->getOpOperands(), [&](OpOperand &o) {
           OperandRole role = op.getOperandRole(o.getOperandNumber());
           return liesEvenly(o.get(), role, axes) &&
                  hasOneType(o.get(), role, axes);
         });
}

/// The one value per row of rank-1 rows, of rank 0, as `[1]`. Not by
/// expand_shape: upstream's lowering of that from rank 0 fails.
Value spreadScalar(OpBuilder &b, Location loc, Value value) {
  if (isa<TensorType>(value.getType())) {
    Value element = tensor::ExtractOp::create(b, loc, value, ValueRange());
    return tensor::FromElementsOp::create(b, loc, element);
  }
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, value);
  OpFoldResult one = b.getIndexAttr(1);
  auto type = cast<MemRefType>(value.getType());
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1});
  return memref::ReinterpretCastOp::create(
      b, loc,
      MemRefType::get({1}, type.getElementType(), layout,
                      type.getMemorySpace()),
      value, OpFoldResult(metadata.getOffset()), ArrayRef<OpFoldResult>{one},
      ArrayRef<OpFoldResult>{one});
}

/// Rows of rank 1, `[N]`, as `[1, N]`.
Value addRowAxis(OpBuilder &b, Location loc, Value value) {
  auto type = cast<ShapedType>(value.getType());
  SmallVector<int64_t> shape{1, type.getDimSize(0)};
  SmallVector<ReassociationIndices> groups{{0, 1}};
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(1)};
  if (isa<TensorType>(type)) {
    sizes.push_back(tensor::getMixedSize(b, loc, value, 0));
    auto result = RankedTensorType::get(shape, type.getElementType());
    return tensor::ExpandShapeOp::create(b, loc, result, value, groups, sizes);
  }
  sizes.push_back(memref::getMixedSize(b, loc, value, 0));
  FailureOr<MemRefType> result = memref::ExpandShapeOp::computeExpandedType(
      cast<MemRefType>(type), shape, groups);
  return memref::ExpandShapeOp::create(b, loc, *result, value, groups, sizes);
}

Value toMatrix(OpBuilder &b, Location loc, Value value, OperandRole role,
               int64_t axes) {
  if (role == OperandRole::PerColumn || axes == 1)
    return value;
  if (axes == 0)
    return role == OperandRole::PerRow ? spreadScalar(b, loc, value)
                                       : addRowAxis(b, loc, value);
  auto groups = getGroups(role, axes);
  if (isa<TensorType>(value.getType()))
    return tensor::CollapseShapeOp::create(b, loc, value, groups);
  return memref::CollapseShapeOp::create(b, loc, value, groups);
}

/// `value`, a result of the rank-2 op, in the shape of `init`.
Value fromMatrix(OpBuilder &b, Location loc, Value value, Value init,
                 OperandRole role, int64_t axes) {
  if (role == OperandRole::PerColumn || axes == 1)
    return value;
  if (axes > 1)
    return tensor::ExpandShapeOp::create(b, loc, init.getType(), value,
                                         getGroups(role, axes),
                                         tensor::getMixedSizes(b, loc, init));
  if (role == OperandRole::Rows)
    return tensor::CollapseShapeOp::create(
        b, loc, value, ArrayRef<ReassociationIndices>{{0, 1}});
  Value first = arith::ConstantIndexOp::create(b, loc, 0);
  Value element = tensor::ExtractOp::create(b, loc, value, first);
  return tensor::InsertOp::create(b, loc, element, init, ValueRange());
}

void collapseRows(RewriterBase &rewriter, RowwiseOpInterface op) {
  int64_t axes = cast<ShapedType>(op.getRows().getType()).getRank() - 1;
  if (axes == 1 || !canCollapse(op, axes))
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(toMatrix(rewriter, loc, operand.get(),
                                op.getOperandRole(operand.getOperandNumber()),
                                axes));
  OperandRange inits =
      cast<DestinationStyleOpInterface>(op.getOperation()).getDpsInits();
  unsigned first = op->getNumOperands() - inits.size();
  Operation *matrix = cloneOnOperands(rewriter, op, operands);
  SmallVector<Value> results;
  for (auto [i, result] : llvm::enumerate(matrix->getResults()))
    results.push_back(fromMatrix(rewriter, loc, result, inits[i],
                                 op.getOperandRole(first + i), axes));
  rewriter.replaceOp(op, results);
}

struct NormCollapseRows
    : rudnn::norm::impl::NormCollapseRowsBase<NormCollapseRows> {
  void runOnOperation() override {
    SmallVector<RowwiseOpInterface> ops;
    getOperation()->walk([&](RowwiseOpInterface op) {
      if (!isInRowProgram(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (RowwiseOpInterface op : ops)
      collapseRows(rewriter, op);
  }
};

} // namespace
