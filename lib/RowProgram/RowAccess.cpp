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
  program.walk([&](vector::TransferWriteOp write) {
    written.insert(getRoot(write.getBase(), program));
  });
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

bool RowAccesses::isWritten(vector::TransferReadOp read) {
  return written.contains(getRoot(read.getBase(), program));
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
