//===- Chunks.h - Row programs on chunks of columns ----------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_CHUNKS_H
#define RUDNN_LIB_ROWPROGRAM_CHUNKS_H

#include "Columns.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/IR/PatternMatch.h"

namespace rudnn {

/// A range of columns that is run through in steps of `width`; with `masked`,
/// the last step may reach past the row.
struct ChunkRange {
  mlir::OpFoldResult begin, end;
  int64_t width;
  bool masked;
};

/// One step of such a range: `size` columns from `column` on.
struct Chunk {
  mlir::Value column;
  mlir::OpFoldResult size;
  int64_t width;
  bool masked;
};

/// The parts of a row of `columns`: whole chunks, whole vectors (one for each
/// thread that shares the row), the rest.
llvm::SmallVector<ChunkRange> getChunkRanges(mlir::OpBuilder &b,
                                             mlir::Location loc,
                                             mlir::OpFoldResult columns,
                                             norm::ScheduleAttr schedule);

/// `destination` with `value` at the columns of `chunk`.
mlir::Value insertChunk(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, mlir::Value destination,
                        const Chunk &chunk);

/// Emits ops on columns at one chunk, each once: what several of them read is
/// read once.
class ChunkEmitter {
public:
  ChunkEmitter(mlir::RewriterBase &rewriter, const ColumnOps &columnOps,
               const Chunk &chunk)
      : b(rewriter), columnOps(columnOps), chunk(chunk) {}

  /// The chunk of the result of `op`. `carried`, if given, is where it goes: a
  /// whole destination, or for a reduction the chunk of partial results.
  mlir::FailureOr<mlir::Value> emit(mlir::linalg::GenericOp op,
                                    mlir::Value carried);

private:
  mlir::Value getInit(mlir::linalg::GenericOp op, mlir::Value carried);
  mlir::Value sliceOperand(mlir::linalg::GenericOp op, mlir::OpOperand &operand,
                           llvm::ArrayRef<mlir::Value> row);
  mlir::linalg::GenericOp clone(mlir::linalg::GenericOp op,
                                mlir::ValueRange inputs, mlir::Value init,
                                llvm::ArrayRef<mlir::Value> row);
  void keepInsideRow(mlir::linalg::GenericOp op);
  mlir::FailureOr<mlir::Value> emitRows(mlir::linalg::GenericOp op,
                                        mlir::Value init);

  mlir::RewriterBase &b;
  const ColumnOps &columnOps;
  const Chunk &chunk;
  llvm::DenseMap<mlir::Value, mlir::Value> chunks;
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_CHUNKS_H
