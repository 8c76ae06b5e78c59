//===- RowAccess.cpp - Which reads of a row program are what --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Alignment.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace rudnn;

Value rudnn::getRoot(Value memref, scf::ForallOp program) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    if (program.isDefinedOutsideOfLoop(memref))
      break;
    memref = view.getViewSource();
  }
  return memref;
}

SmallVector<scf::ForallOp> rudnn::getThreadPrograms(Operation *root) {
  SmallVector<scf::ForallOp> programs = getRowPrograms(root);
  llvm::erase_if(programs, [](scf::ForallOp program) {
    return !getRowSchedule(program).isGPU() || program.getNumResults() != 0;
  });
  return programs;
}

RowAccesses::RowAccesses(scf::ForallOp program)
    : program(program), layout(getThreadLayout(program, /*aligned=*/true)) {
  program.walk([&](vector::TransferWriteOp write) { writes.push_back(write); });
}

bool RowAccesses::hasColumns(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && layout.classify(vector) == RowLayout::Kind::Row;
}

bool RowAccesses::isPerColumn(vector::TransferReadOp read) {
  return hasColumns(read.getType()) && !isWritten(read) &&
         llvm::all_of(read->getOperands(), [&](Value operand) {
           return program.isDefinedOutsideOfLoop(operand);
         });
}

bool RowAccesses::isOfRows(vector::TransferReadOp read) {
  return hasColumns(read.getType()) && !isPerColumn(read);
}

bool RowAccesses::reducesColumns(Operation *op) {
  auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
  if (!reduction || !hasColumns(reduction.getSource().getType()))
    return false;
  int64_t axis = layout.getColumnAxis(reduction.getSourceVectorType());
  return reduction.isReducedDim(axis);
}

SmallVector<Operation *> RowAccesses::getColumnReductions() {
  SmallVector<Operation *> reductions;
  program.walk([&](Operation *op) {
    if (reducesColumns(op))
      reductions.push_back(op);
  });
  return reductions;
}

bool RowAccesses::isWritten(vector::TransferReadOp read) {
  return !getWritesTo(read).empty();
}

SmallVector<vector::TransferWriteOp>
RowAccesses::getWritesTo(vector::TransferReadOp read) {
  Value root = getRoot(read.getBase(), program);
  auto isThere = [&](vector::TransferWriteOp write) {
    return getRoot(write.getBase(), program) == root;
  };
  return llvm::to_vector(llvm::make_filter_range(writes, isThere));
}

/// Where a read begins in a memref from outside of `loop`; nothing if that is
/// not known.
static SmallVector<OpFoldResult> getPlace(vector::TransferReadOp read,
                                          scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(read.getBase()))
    return getAsOpFoldResult(read.getIndices());
  auto view = read.getBase().getDefiningOp<memref::SubViewOp>();
  if (!view || !loop.isDefinedOutsideOfLoop(view.getSource()) ||
      view.getDroppedDims().any() || !view.hasUnitStride() ||
      !llvm::all_of(read.getIndices(),
                    [](Value index) { return isZeroInteger(index); }))
    return {};
  return view.getMixedOffsets();
}

/// Whether no two iterations of the loop around `read` read the same element;
/// those of a row program itself are tasks of their own.
static bool readsApart(vector::TransferReadOp read) {
  auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
  if (!loop)
    return isa<scf::ForallOp>(read->getParentOp());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || !read.getPermutationMap().isMinorIdentity())
    return false;
  ArrayRef<int64_t> shape = read.getVectorType().getShape();
  SmallVector<OpFoldResult> place = getPlace(read, loop);
  for (auto [axis, begin] : llvm::enumerate(place)) {
    int64_t leading = place.size() - shape.size();
    int64_t size = int64_t(axis) < leading ? 1 : shape[axis - leading];
    if (begin == OpFoldResult(loop.getInductionVar()) && size <= *step)
      return true;
  }
  return false;
}

static bool isInSamePlace(vector::TransferReadOp read,
                          vector::TransferWriteOp write) {
  return read->getBlock() == write->getBlock() &&
         read->isBeforeInBlock(write) && read.getBase() == write.getBase() &&
         llvm::equal(read.getIndices(), write.getIndices()) &&
         read.getVectorType() == write.getVectorType() &&
         read.getPermutationMap() == write.getPermutationMap();
}

bool RowAccesses::isSteady(vector::TransferReadOp read) {
  SmallVector<vector::TransferWriteOp> there = getWritesTo(read);
  return there.empty() ||
         (readsApart(read) &&
          llvm::all_of(there, [&](vector::TransferWriteOp write) {
            return isInSamePlace(read, write);
          }));
}

static LogicalResult addLocalSlice(Operation *op, bool throughReads,
                                   SetVector<Operation *> &slice) {
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || def->getBlock() != op->getBlock() || slice.contains(def))
      continue;
    bool movable =
        isPure(def) || (throughReads && isa<vector::TransferReadOp>(def));
    if (!movable || def->getNumRegions() > 0 ||
        failed(addLocalSlice(def, throughReads, slice)))
      return failure();
  }
  slice.insert(op);
  return success();
}

FailureOr<SetVector<Operation *>> rudnn::getLocalSlice(Operation *op,
                                                       bool throughReads) {
  SetVector<Operation *> slice;
  if (failed(addLocalSlice(op, throughReads, slice)))
    return failure();
  return slice;
}

Value rudnn::allocateWorkgroup(OpBuilder &b, Location loc,
                               ArrayRef<int64_t> shape, Type element) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  return memref::AllocOp::create(b, loc, type,
                                 b.getI64IntegerAttr(kWideAccess));
}
