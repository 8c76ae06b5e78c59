//===- SegmentMiner.h - Rows of one stretch of a block ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_SEGMENTMINER_H
#define RUDNN_LIB_ROWPROGRAM_SEGMENTMINER_H

#include "Chunks.h"
#include "Columns.h"

namespace rudnn {

/// Rewrites the ops between two structured ops of one block: a loop in the
/// block may write what comes after reads, so nothing moves across it.
class SegmentMiner {
public:
  SegmentMiner(mlir::IRRewriter &rewriter, const ColumnAnalysis &analysis,
               norm::ScheduleAttr schedule,
               llvm::ArrayRef<mlir::Operation *> segment,
               mlir::Operation *fence)
      : b(rewriter), analysis(analysis), schedule(schedule), segment(segment),
        fence(fence), loc(fence->getLoc()) {}

  mlir::LogicalResult run();

private:
  /// What one op of a phase carries through the loops over chunks: a
  /// destination `[..., N]`, or for a reduction the chunks of partial results,
  /// by width.
  struct Sink {
    mlir::linalg::GenericOp op;
    mlir::Value destination;
    llvm::SmallVector<std::pair<int64_t, mlir::Value>> partials;
  };

  mlir::LogicalResult assignPhases();
  mlir::LogicalResult checkColumnOp(mlir::linalg::GenericOp op);
  llvm::SmallVector<Sink> collectSinks(int phase);
  llvm::SmallVector<mlir::linalg::GenericOp>
  collectNeeded(llvm::ArrayRef<Sink> sinks);
  mlir::LogicalResult minePhase(llvm::SmallVector<Sink> sinks);
  mlir::LogicalResult mineRange(const ChunkRange &range,
                                llvm::SmallVector<Sink> &sinks,
                                llvm::ArrayRef<mlir::linalg::GenericOp> needed);
  /// Loops over the steps of `range`, with what each sink carries; returns the
  /// same after the loop.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  loopOverChunks(const ChunkRange &range, llvm::ArrayRef<Sink> sinks,
                 llvm::ArrayRef<mlir::linalg::GenericOp> needed,
                 llvm::ArrayRef<mlir::Value> carried);
  /// The same in blocks of `steps` steps, each in smaller blocks in turn, whose
  /// partial results are added up.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  loopOverBlocks(const ChunkRange &range, llvm::ArrayRef<Sink> sinks,
                 llvm::ArrayRef<mlir::linalg::GenericOp> needed,
                 llvm::ArrayRef<mlir::Value> carried, int64_t steps);

  /// Where the partial results of `width` columns are, made on first use.
  mlir::Value &getPartials(Sink &sink, int64_t width);
  mlir::Value makeNeutralPartials(mlir::linalg::GenericOp op, int64_t width);
  /// `into` combined with `value` as `op` combines; `value` has an axis of
  /// columns that `into` may lack.
  mlir::Value combine(mlir::linalg::GenericOp op, mlir::Value value,
                      mlir::Value into);

  mlir::IRRewriter &b;
  const ColumnAnalysis &analysis;
  norm::ScheduleAttr schedule;
  llvm::ArrayRef<mlir::Operation *> segment;
  mlir::Operation *fence;
  mlir::Location loc;
  ColumnOps columnOps;
  llvm::DenseMap<mlir::Operation *, int> phases;
  int lastPhase = 0;
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_SEGMENTMINER_H
