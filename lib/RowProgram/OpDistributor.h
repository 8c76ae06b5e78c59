//===- OpDistributor.h - Ops on rows as ops on machine vectors -*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H
#define RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {

using Pieces = llvm::SmallVector<mlir::Value>;

/// How a row lies in machine vectors: columns k * lanes .. (k + 1) * lanes are
/// piece k. A vector of one element is a value per row, a scalar.
struct PieceLayout {
  int64_t lanes;

  static bool isPerRow(mlir::VectorType type) {
    return !type.isScalable() && type.getNumElements() == 1;
  }

  /// Whether `type` can be cut: all its elements along the last axis, and
  /// whole pieces of them.
  bool isRow(mlir::VectorType type) const {
    return !isPerRow(type) && !type.isScalable() && type.getRank() > 0 &&
           type.getShape().back() == type.getNumElements() &&
           type.getNumElements() % lanes == 0;
  }
  int64_t getNumPieces(mlir::Type type) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    return vector && isRow(vector) ? vector.getNumElements() / lanes : 1;
  }
  mlir::Type getPieceType(mlir::Type type) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    if (!vector)
      return type;
    if (isRow(vector))
      return mlir::VectorType::get({lanes}, vector.getElementType());
    return vector.getElementType();
  }
};

/// Emits the pieces of one op.
class OpDistributor {
public:
  OpDistributor(PieceLayout layout, mlir::OpBuilder &b, mlir::Operation *op,
                llvm::ArrayRef<Pieces> operands)
      : layout(layout), b(b), op(op), loc(op->getLoc()), operands(operands) {}

  /// The pieces of each result.
  mlir::FailureOr<llvm::SmallVector<Pieces>> run();

private:
  using Result = mlir::FailureOr<llvm::SmallVector<Pieces>>;

  Result read(mlir::vector::TransferReadOp read);
  Result write(mlir::vector::TransferWriteOp write);
  Result reduce(mlir::vector::MultiDimReductionOp reduction);
  Result constant(mlir::arith::ConstantOp constant);
  Result poison(mlir::ub::PoisonOp poison);
  Result step(mlir::vector::StepOp step);
  Result reshape();
  Result elementwise();

  /// Where piece `k` of an access at `indices` starts.
  llvm::SmallVector<mlir::Value> pieceIndices(mlir::ValueRange indices,
                                              int64_t k);
  /// Lanes of a piece at `indices` that lie inside `base`.
  mlir::Value maskInside(mlir::Value base, llvm::ArrayRef<mlir::Value> indices);
  mlir::Value spread(mlir::Value scalar, mlir::Type type) {
    return scalar.getType() == type
               ? scalar
               : mlir::vector::BroadcastOp::create(b, loc, type, scalar)
                     .getResult();
  }
  mlir::FailureOr<int64_t> getColumnStride(mlir::MemRefType type);
  mlir::Value operand(unsigned index) { return operands[index].front(); }
  /// `count` operands from `first` on, each of one piece.
  llvm::SmallVector<mlir::Value> scalars(unsigned first, size_t count);

  PieceLayout layout;
  mlir::OpBuilder &b;
  mlir::Operation *op;
  mlir::Location loc;
  llvm::ArrayRef<Pieces> operands;
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_OPDISTRIBUTOR_H
