//===- AccessChecks.h - check accesses before they happen -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds and alignment are checked by code in the kernel, which calls the
// runtime only to report; accesses to workgroup memory always call it.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_ACCESSCHECKS_H
#define RUDNN_LIB_EMULATOR_ACCESSCHECKS_H

#include "RuntimeCalls.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace rudnn {

/// Consecutive elements of a memref, along its last dimension.
struct MemRefAccess {
  mlir::TypedValue<mlir::MemRefType> memref;
  llvm::SmallVector<mlir::Value> indices;
  mlir::OpFoldResult numElements;
  /// In bytes, as claimed by the op; 0: none.
  int64_t alignment = 0;
  bool isWrite = false;
  /// An i1: whether the access happens; null: it does.
  mlir::Value condition;
};

/// Whether the memref lies in the memory that a block shares.
bool isWorkgroup(mlir::MemRefType type);

/// Bytes of an element that a kernel can access; none for types that are not
/// integers, floats or index of whole bytes.
std::optional<int64_t> getElementBytes(mlir::Type type);

/// The accesses of an op that has them: loads and stores of memref and vector,
/// atomic_rmw. Ops of masked vectors have one per element, made conditional
/// with `b`. None for other ops.
llvm::SmallVector<MemRefAccess> getAccesses(mlir::OpBuilder &b,
                                            mlir::Operation *op);

/// Emits checks for the ops of one thread.
class AccessChecker {
public:
  AccessChecker(RuntimeCalls &calls, mlir::Value thread)
      : calls(calls), thread(thread) {}

  /// Emits, for an access of the op numbered `op`, all checks ...
  void check(mlir::OpBuilder &b, mlir::Location loc, const MemRefAccess &access,
             int32_t op);
  /// ... those of bounds and alignment only ...
  void checkPlace(mlir::OpBuilder &b, mlir::Location loc,
                  const MemRefAccess &access, int32_t op);
  /// ... or that of an address, an i64.
  void checkAlignment(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value address, int64_t alignment, int32_t op);

  /// The address of the first element, an i64.
  mlir::Value getAddress(mlir::OpBuilder &b, mlir::Location loc,
                         const MemRefAccess &access);
  /// The number of bytes, an i64.
  mlir::Value getBytes(mlir::OpBuilder &b, mlir::Location loc,
                       const MemRefAccess &access);

private:
  void checkBounds(mlir::OpBuilder &b, mlir::Location loc,
                   const MemRefAccess &access, int32_t op);

  RuntimeCalls &calls;
  mlir::Value thread;
};

} // namespace rudnn

#endif // RUDNN_LIB_EMULATOR_ACCESSCHECKS_H
