//===- Accesses.cpp - what memory an op accesses --------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn;

using Accesses = SmallVector<MemRefAccess>;

/// `index` moved on by a constant.
static Value shift(OpBuilder &b, Location loc, Value index, int64_t by) {
  if (by == 0)
    return index;
  Value distance = arith::ConstantIndexOp::create(b, loc, by);
  return arith::AddIOp::create(b, loc, index, distance);
}

template <typename OpTy> static Accesses getScalar(OpBuilder &b, OpTy op) {
  MemRefAccess access;
  access.memref = cast<TypedValue<MemRefType>>(op.getMemref());
  access.indices = op.getIndices();
  access.numElements = b.getIndexAttr(1);
  return {access};
}

/// One access for each row of the vector.
template <typename OpTy> static Accesses getVector(OpBuilder &b, OpTy op) {
  ArrayRef<int64_t> shape = op.getVectorType().getShape();
  MemRefAccess access;
  access.memref = cast<TypedValue<MemRefType>>(op.getBase());
  access.numElements = b.getIndexAttr(shape.empty() ? 1 : shape.back());
  access.alignment = op.getAlignment().value_or(0);
  Accesses rows;
  SmallVector<int64_t> outer(shape.drop_back(shape.empty() ? 0 : 1));
  SmallVector<int64_t> strides = computeStrides(outer);
  for (int64_t row = 0, end = computeProduct(outer); row < end; ++row) {
    access.indices = op.getIndices();
    for (auto [axis, by] : llvm::enumerate(delinearize(row, strides))) {
      Value &index =
          access.indices[access.indices.size() - shape.size() + axis];
      index = shift(b, op.getLoc(), index, by);
    }
    rows.push_back(access);
  }
  return rows;
}

/// One conditional access for each element of the vector, which is 1-D.
template <typename OpTy> static Accesses getMasked(OpBuilder &b, OpTy op) {
  Accesses elements;
  for (int64_t i = 0; i < op.getVectorType().getNumElements(); ++i) {
    MemRefAccess access;
    access.memref = cast<TypedValue<MemRefType>>(op.getBase());
    access.indices = op.getIndices();
    access.indices.back() = shift(b, op.getLoc(), access.indices.back(), i);
    access.numElements = b.getIndexAttr(1);
    access.condition =
        vector::ExtractOp::create(b, op.getLoc(), op.getMask(), i);
    // The claim is about the address of the first element.
    access.alignment = i == 0 ? op.getAlignment().value_or(0) : 0;
    elements.push_back(access);
  }
  return elements;
}

static Accesses asWrites(Accesses accesses) {
  for (MemRefAccess &access : accesses)
    access.isWrite = true;
  return accesses;
}

static Accesses withAlignment(Accesses accesses,
                              std::optional<uint64_t> alignment) {
  accesses.front().alignment = alignment.value_or(0);
  return accesses;
}

SmallVector<MemRefAccess> rudnn::getAccesses(OpBuilder &b, Operation *op) {
  return TypeSwitch<Operation *, Accesses>(op)
      .Case([&](memref::LoadOp op) {
        return withAlignment(getScalar(b, op), op.getAlignment());
      })
      .Case([&](memref::StoreOp op) {
        return withAlignment(asWrites(getScalar(b, op)), op.getAlignment());
      })
      .Case([&](memref::AtomicRMWOp op) { return asWrites(getScalar(b, op)); })
      .Case([&](vector::LoadOp op) { return getVector(b, op); })
      .Case([&](vector::StoreOp op) { return asWrites(getVector(b, op)); })
      .Case([&](vector::MaskedLoadOp op) { return getMasked(b, op); })
      .Case(
          [&](vector::MaskedStoreOp op) { return asWrites(getMasked(b, op)); })
      .Default([](Operation *) { return Accesses(); });
}
