//===- ThreadAccess.cpp - Where a thread's share of rows lies -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadDistributor.h"

#include "rudnn/RowProgram/Alignment.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace rudnn;

Value ThreadDistributor::createColumn(Value place, int64_t threads, int64_t k) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(entry, loc, value);
  };
  if (!x)
    return constant(k * layout.lanes);
  auto noWrap =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  if (k > 0)
    place =
        arith::AddIOp::create(entry, loc, place, constant(k * threads), noWrap);
  if (layout.lanes > 1)
    place = arith::MulIOp::create(entry, loc, place, constant(layout.lanes),
                                  noWrap);
  return place;
}

Value ThreadDistributor::getColumn(int64_t k) {
  Value &column = columns[k];
  if (!column)
    column = createColumn(x, layout.threads, k);
  return column;
}

Value ThreadDistributor::getBlockColumn(int64_t k) {
  if (layout.cluster == 1)
    return getColumn(k);
  Value &column = blockColumns[k];
  if (!column)
    column = createColumn(blockX, layout.getBlockThreads(), k);
  return column;
}

Value ThreadDistributor::isInsideRow(int64_t k, int64_t length) {
  if ((k + 1) * layout.threads * layout.lanes <= length)
    return {};
  Value column = getColumn(k);
  Value &inside = insides[{k, length}];
  if (!inside)
    inside = arith::CmpIOp::create(
        entry, loc, arith::CmpIPredicate::ult, column,
        arith::ConstantIndexOp::create(entry, loc, length));
  return inside;
}

/// Threads of row y go to the row that lies y below.
void ThreadDistributor::placeInRows(Access &access, unsigned axis,
                                    bool inBounds) {
  Value &index = access.indices[axis];
  if (y)
    index = b->createOrFold<arith::AddIOp>(loc, index, y);
  if (inBounds)
    return;
  Value end = b->createOrFold<memref::DimOp>(loc, access.memref, axis);
  access.inRows =
      arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::slt, index, end);
}

FailureOr<ThreadDistributor::Access>
ThreadDistributor::getAccess(VectorType type, ArrayRef<bool> inBounds,
                             Value original, ValueRange places, Value memref,
                             SmallVector<Value> indices) {
  Access access;
  access.memref = memref;
  access.indices = std::move(indices);
  unsigned outer = access.indices.size() - type.getRank();
  int64_t rowAxis = layout.getRowAxis(type);
  if (rowAxis >= 0)
    placeInRows(access, outer + rowAxis, inBounds[rowAxis]);
  if (!isRow(type))
    return access;
  int64_t column = layout.getColumnAxis(type);
  if (column != type.getRank() - 1)
    return op->emitOpError("accesses columns across rows");
  access.column = outer + column;
  access.columnsInBounds = inBounds[column];
  access.length = type.getDimSize(column);
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t limit = layout.lanes * bytes;
  int64_t rows = getRowAlignment(original, limit, options.aligned);
  access.alignment = std::gcd(rows, getKnownDivisor(places.back()) * bytes);
  return access;
}

void ThreadDistributor::clampRows(Access &access, VectorType vector) {
  if (!access.inRows)
    return;
  int64_t axis =
      access.indices.size() - vector.getRank() + layout.getRowAxis(vector);
  Value end = b->createOrFold<memref::DimOp>(loc, access.memref, axis);
  Value last = b->createOrFold<arith::SubIOp>(loc, end, constantIndex(1));
  access.indices[axis] =
      b->createOrFold<arith::MinSIOp>(loc, access.indices[axis], last);
}

static bool isOfWorkgroup(Value memref) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(memref.getType()));
}

ThreadDistributor::Piece ThreadDistributor::getPiece(const Access &access,
                                                     int64_t k, bool clamp) {
  Piece piece{access.indices, {}};
  // Memory of the block has room for whole pieces: each thread uses its own,
  // also past the end of the row.
  bool isOfBlock = isOfWorkgroup(access.memref);
  Value column = isOfBlock ? getBlockColumn(k) : getColumn(k);
  if (!isOfBlock)
    piece.inside = isInsideRow(k, access.length);
  Value &index = piece.indices[*access.column];
  index = matchPattern(index, m_Zero())
              ? column
              : b->createOrFold<arith::AddIOp>(loc, index, column);
  if (!access.columnsInBounds) {
    Value end =
        b->createOrFold<memref::DimOp>(loc, access.memref, *access.column);
    piece.inside = both(
        piece.inside,
        arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::slt, index, end));
  }
  if (clamp && piece.inside)
    index =
        arith::SelectOp::create(*b, loc, piece.inside, index, constantIndex(0));
  return piece;
}
