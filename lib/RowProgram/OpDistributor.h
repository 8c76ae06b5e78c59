//===- OpDistributor.h - Ops on rows as ops on pieces of them ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H
#define RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H

#include "RowLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {

using Pieces = llvm::SmallVector<mlir::Value>;

/// Emits the pieces of ops. What differs between machines, how a piece is read,
/// written and reduced, is left to subclasses.
class OpDistributor {
public:
  using Result = mlir::FailureOr<llvm::SmallVector<Pieces>>;

  explicit OpDistributor(RowLayout layout) : layout(layout) {}
  virtual ~OpDistributor() = default;

  const RowLayout &getLayout() const { return layout; }

  /// The pieces of each result of `op`, given those of its operands.
  Result distribute(mlir::OpBuilder &builder, mlir::Operation *op,
                    llvm::ArrayRef<Pieces> operands);

  /// A clone of `alloc`, which may need less than the row program does.
  virtual mlir::Operation *cloneAllocation(mlir::OpBuilder &builder,
                                           mlir::memref::AllocOp alloc);

protected:
  virtual Result read(mlir::vector::TransferReadOp read) = 0;
  virtual Result write(mlir::vector::TransferWriteOp write) = 0;
  virtual Result reduce(mlir::vector::MultiDimReductionOp reduction) = 0;
  virtual Result step(mlir::vector::StepOp step) = 0;
  /// Ops that only one machine has.
  virtual Result other(mlir::Operation *op);
  /// Whether `type` can be cut; says why not.
  virtual mlir::LogicalResult checkType(mlir::VectorType type) = 0;

  bool isRow(mlir::VectorType type) const {
    return layout.classify(type) == RowLayout::Kind::Row;
  }
  bool isPerRow(mlir::VectorType type) const {
    return layout.classify(type) == RowLayout::Kind::PerRow;
  }
  mlir::Value spread(mlir::Value scalar, mlir::Type type) {
    return scalar.getType() == type
               ? scalar
               : mlir::vector::BroadcastOp::create(*b, loc, type, scalar)
                     .getResult();
  }
  mlir::Value constantIndex(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(*b, loc, value);
  }
  mlir::FailureOr<int64_t> getColumnStride(mlir::MemRefType type);
  mlir::Value operand(unsigned index) { return operands[index].front(); }
  /// `count` operands from `first` on, each of one piece.
  llvm::SmallVector<mlir::Value> scalars(unsigned first, size_t count);
  /// `x` and `y` combined, to be fused with what made them.
  mlir::Value combine(mlir::vector::CombiningKind kind, mlir::Value x,
                      mlir::Value y);
  /// Adds neighbours pairwise, so that no chain is longer than need be.
  mlir::Value combineTree(mlir::vector::CombiningKind kind, Pieces pieces);

  RowLayout layout;
  mlir::OpBuilder *b = nullptr;
  mlir::Operation *op = nullptr;
  mlir::Location loc = mlir::UnknownLoc();
  llvm::ArrayRef<Pieces> operands;

private:
  Result constant(mlir::arith::ConstantOp constant);
  Result poison(mlir::ub::PoisonOp poison);
  Result reshape();
  Result elementwise();
  Result dispatch();
};

/// Rows of one column may have any stride.
inline bool isSingleColumn(mlir::MemRefType type) {
  return type.getShape().back() == 1;
}

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H
