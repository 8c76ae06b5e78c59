//===- ThreadOps.cpp - Ops of threads that share rows ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rudnn::norm;

static std::optional<arith::AtomicRMWKind>
getAtomicKind(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return arith::AtomicRMWKind::addf;
  case vector::CombiningKind::MUL:
    return arith::AtomicRMWKind::mulf;
  case vector::CombiningKind::MAXIMUMF:
    return arith::AtomicRMWKind::maximumf;
  case vector::CombiningKind::MINIMUMF:
    return arith::AtomicRMWKind::minimumf;
  default:
    return std::nullopt;
  }
}

TypedAttr rudnn::norm::getNeutralElement(vector::CombiningKind kind,
                                         Type type) {
  std::optional<arith::AtomicRMWKind> atomic = getAtomicKind(kind);
  if (!atomic || !isa<FloatType>(type))
    return {};
  OpBuilder b(type.getContext());
  return arith::getIdentityValueAttr(*atomic, type, b, b.getUnknownLoc());
}

LogicalResult ThreadReduceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
    OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult ThreadReduceOp::verify() {
  int64_t threads = getThreads();
  if (threads > 32 ? threads % 32 != 0 : !llvm::isPowerOf2_64(threads))
    return emitOpError("expected threads to be a power of two up to 32 or a "
                       "multiple of 32, got ")
           << threads;
  int64_t all = getRows() * threads;
  if (all > 1024 || (all > 32 ? all % 32 != 0 : !llvm::isPowerOf2_64(all)))
    return emitOpError("expected rows x threads to be a power of two up to 32 "
                       "or a multiple of 32 up to 1024, got ")
           << getRows() << " x " << threads;
  if (!getNeutralElement(getKind(), Float32Type::get(getContext())))
    return emitOpError("expected kind add, mul, maximumf or minimumf, got ")
           << vector::stringifyCombiningKind(getKind());
  if (getCluster() > 16 || (getCluster() > 1 && getAxis() == ThreadAxis::y))
    return emitOpError("expected a cluster of at most 16 blocks, along x, got ")
           << getCluster();
  for (Type type : getValues().getTypes()) {
    bool isVector = isa<VectorType>(type);
    if (!getElementTypeOrSelf(type).isF32() ||
        (isVector && getAxis() == ThreadAxis::x))
      return emitOpError("expected f32, or along y vectors of it, got ")
             << type;
  }
  return success();
}

LogicalResult CopyRowsOp::verify() {
  VectorType vector = getVector();
  auto check = [&](StringRef name, Value memref,
                   ValueRange indices) -> LogicalResult {
    auto type = cast<MemRefType>(memref.getType());
    if (int64_t(indices.size()) != type.getRank())
      return emitOpError("expected ") << type.getRank() << " indices of "
                                      << name << ", got " << indices.size();
    if (type.getElementType() != vector.getElementType() ||
        type.getRank() < vector.getRank())
      return emitOpError("expected ")
             << name << " to hold " << vector << ", got " << type;
    return success();
  };
  if (int64_t(getInBounds().size()) != vector.getRank())
    return emitOpError("expected in_bounds of ")
           << vector.getRank() << " axes, got " << getInBounds().size();
  if (failed(check("source", getSource(), getSourceIndices())))
    return failure();
  return check("target", getTarget(), getTargetIndices());
}
