//===- AccessChecks.cpp - check accesses before they happen ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace rudnn;

bool rudnn::isWorkgroup(MemRefType type) {
  if (auto space = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace()))
    return space.getInt() == 3;
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace());
}

std::optional<int64_t> rudnn::getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  return type.getIntOrFloatBitWidth() / 8;
}

static Value constant(OpBuilder &b, Location loc, int64_t value,
                      unsigned width) {
  return arith::ConstantIntOp::create(b, loc, value, width);
}

static Value toI64(OpBuilder &b, Location loc, Value index) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

/// Lets `body` emit what is done if `condition` holds; without one, always.
static void emitIf(OpBuilder &b, Location loc, Value condition,
                   function_ref<void(OpBuilder &)> body) {
  if (!condition)
    return body(b);
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  body(inside);
}

void AccessChecker::check(OpBuilder &b, Location loc,
                          const MemRefAccess &access, int32_t op) {
  checkPlace(b, loc, access, op);
  if (!isWorkgroup(access.memref.getType()))
    return;
  emitIf(b, loc, access.condition, [&](OpBuilder &b) {
    calls.call(b, loc,
               access.isWrite ? "rudnnEmulatorWrite" : "rudnnEmulatorRead",
               {thread, constant(b, loc, op, 32), getAddress(b, loc, access),
                getBytes(b, loc, access)});
  });
}

void AccessChecker::checkPlace(OpBuilder &b, Location loc,
                               const MemRefAccess &access, int32_t op) {
  // Elements of a view of bytes may lie anywhere; other memory is the host's,
  // which has its elements where they belong.
  MemRefType type = access.memref.getType();
  int64_t natural = *getElementBytes(type.getElementType());
  emitIf(b, loc, access.condition, [&](OpBuilder &b) {
    checkBounds(b, loc, access, op);
    if (isWorkgroup(type) || access.alignment > natural)
      checkAlignment(b, loc, getAddress(b, loc, access),
                     std::max(access.alignment, natural), op);
  });
}

void AccessChecker::checkBounds(OpBuilder &b, Location loc,
                                const MemRefAccess &access, int32_t op) {
  SmallVector<Value> sizes;
  Value outside = constant(b, loc, 0, 1);
  auto orOutside = [&](arith::CmpIPredicate predicate, Value left,
                       Value right) {
    Value bad = arith::CmpIOp::create(b, loc, predicate, left, right);
    outside = arith::OrIOp::create(b, loc, outside, bad);
  };
  Value count = getValueOrCreateConstantIndexOp(b, loc, access.numElements);
  for (auto [axis, index] : llvm::enumerate(access.indices)) {
    sizes.push_back(memref::DimOp::create(b, loc, access.memref, axis));
    orOutside(arith::CmpIPredicate::uge, index, sizes.back());
    if (axis + 1 == access.indices.size())
      orOutside(arith::CmpIPredicate::ugt,
                arith::AddIOp::create(b, loc, index, count), sizes.back());
  }
  emitIf(b, loc, outside, [&](OpBuilder &inside) {
    for (auto [index, size] : llvm::zip_equal(access.indices, sizes)) {
      calls.call(inside, loc, "rudnnEmulatorNote",
                 {thread, toI64(inside, loc, index)});
      calls.call(inside, loc, "rudnnEmulatorNote",
                 {thread, toI64(inside, loc, size)});
    }
    calls.call(
        inside, loc, "rudnnEmulatorReportOutOfBounds",
        {thread, constant(inside, loc, op, 32), toI64(inside, loc, count)});
  });
}

void AccessChecker::checkAlignment(OpBuilder &b, Location loc, Value address,
                                   int64_t alignment, int32_t op) {
  Value low = arith::AndIOp::create(b, loc, address,
                                    constant(b, loc, alignment - 1, 64));
  Value misaligned = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                           low, constant(b, loc, 0, 64));
  emitIf(b, loc, misaligned, [&](OpBuilder &inside) {
    calls.call(inside, loc, "rudnnEmulatorReportMisaligned",
               {thread, constant(inside, loc, op, 32), address,
                constant(inside, loc, alignment, 64)});
  });
}

Value AccessChecker::getAddress(OpBuilder &b, Location loc,
                                const MemRefAccess &access) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(b, loc, access.memref);
  Value element = metadata.getOffset();
  for (auto [index, stride] :
       llvm::zip_equal(access.indices, metadata.getStrides()))
    element = arith::AddIOp::create(
        b, loc, element, arith::MulIOp::create(b, loc, index, stride));
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, access.memref);
  int64_t size = *getElementBytes(access.memref.getType().getElementType());
  Value bytes = arith::MulIOp::create(b, loc, toI64(b, loc, element),
                                      constant(b, loc, size, 64));
  return arith::AddIOp::create(b, loc, toI64(b, loc, base), bytes);
}

Value AccessChecker::getBytes(OpBuilder &b, Location loc,
                              const MemRefAccess &access) {
  Value count = getValueOrCreateConstantIndexOp(b, loc, access.numElements);
  int64_t size = *getElementBytes(access.memref.getType().getElementType());
  return arith::MulIOp::create(b, loc, toI64(b, loc, count),
                               constant(b, loc, size, 64));
}
