//===- ThreadDistributor.h - Rows over the threads of a block ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_THREADDISTRIBUTOR_H
#define RUDNN_LIB_ROWPROGRAM_THREADDISTRIBUTOR_H

#include "OpDistributor.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"

namespace rudnn {

/// A tile of rows in the threads of a block: thread (x, y) has pieces of row y.
/// What lies past the rows or the columns is left out by predicates of whole
/// pieces; the number of lanes divides what it may be compared with.
class ThreadDistributor : public OpDistributor {
public:
  /// What the program does besides.
  struct Options {
    /// Buffers from outside are as aligned as their types allow.
    bool aligned = false;
    /// Rows are added up: those past the end have to be the padding.
    bool mixesRows = false;
  };

  /// `x` is the number of the thread among those that share its row, in the
  /// block `blockX`, and `y` the row; what all ops share is built by `entry`.
  ThreadDistributor(RowLayout layout, Options options, mlir::Value x,
                    mlir::Value blockX, mlir::Value y, mlir::OpBuilder entry)
      : OpDistributor(layout), options(options), x(x), blockX(blockX), y(y),
        entry(entry) {}

  /// Of memory of a block for rows, a block needs the columns of its threads.
  mlir::Operation *cloneAllocation(mlir::OpBuilder &builder,
                                   mlir::memref::AllocOp alloc) override;

protected:
  Result read(mlir::vector::TransferReadOp read) override;
  Result write(mlir::vector::TransferWriteOp write) override;
  Result reduce(mlir::vector::MultiDimReductionOp reduction) override;
  Result step(mlir::vector::StepOp step) override;
  Result other(mlir::Operation *op) override;
  mlir::LogicalResult checkType(mlir::VectorType type) override;

private:
  /// Where one access of the thread goes.
  struct Access {
    mlir::Value memref;
    llvm::SmallVector<mlir::Value> indices;
    mlir::Value inRows;             ///< the row exists; null: always
    std::optional<unsigned> column; ///< axis of the memref with the columns
    bool columnsInBounds = true;
    int64_t length = 0;    ///< columns of the vector
    int64_t alignment = 1; ///< bytes, of each piece
  };
  /// One piece of it.
  struct Piece {
    llvm::SmallVector<mlir::Value> indices;
    mlir::Value inside; ///< the piece exists; null: always
  };

  template <typename TransferOp>
  mlir::FailureOr<Access> getAccess(TransferOp transfer, mlir::Value memref,
                                    llvm::SmallVector<mlir::Value> indices);
  /// The access to `vector` elements of `memref`, at `indices` in it; in the
  /// row program, it is `original` and they are `places`.
  mlir::FailureOr<Access> getAccess(mlir::VectorType vector,
                                    llvm::ArrayRef<bool> inBounds,
                                    mlir::Value original,
                                    mlir::ValueRange places, mlir::Value memref,
                                    llvm::SmallVector<mlir::Value> indices);
  /// Threads past the end of the rows take the last one.
  void clampRows(Access &access, mlir::VectorType vector);
  Result copyRows(norm::CopyRowsOp copy);
  Result insert(mlir::vector::InsertStridedSliceOp insertion);
  void startCopy(const Access &source, const Piece &read, const Access &target,
                 const Piece &write);
  void placeInRows(Access &access, unsigned axis, bool inBounds);
  Piece getPiece(const Access &access, int64_t k, bool clamp);
  mlir::Value loadPiece(const Access &access, const Piece &piece,
                        mlir::VectorType type, mlir::Value padding);
  mlir::Value selectInside(mlir::Value inside, mlir::Value value,
                           mlir::Value padding);
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);

  /// Where piece `k` is in memory of the block.
  mlir::Value getBlockColumn(int64_t k);
  mlir::Value createColumn(mlir::Value place, int64_t threads, int64_t k);
  /// The first column of piece `k`, and whether a row of `length` columns
  /// reaches it (null: always).
  mlir::Value getColumn(int64_t k);
  mlir::Value isInsideRow(int64_t k, int64_t length);
  mlir::Value both(mlir::Value left, mlir::Value right);
  mlir::Value isFirst(mlir::Value place);

  Result reduceAlongRow(mlir::vector::MultiDimReductionOp reduction);
  Pieces reduceOverRows(mlir::vector::CombiningKind kind, Pieces pieces,
                        const Pieces &accumulators);

  Options options;
  mlir::Value x, blockX, y;
  mlir::OpBuilder entry;
  llvm::DenseMap<int64_t, mlir::Value> columns, blockColumns;
  llvm::DenseMap<std::pair<int64_t, int64_t>, mlir::Value> insides;
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_THREADDISTRIBUTOR_H
