//===- VectorDistributor.h - Rows as machine vectors ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_VECTORDISTRIBUTOR_H
#define RUDNN_LIB_ROWPROGRAM_VECTORDISTRIBUTOR_H

#include "OpDistributor.h"

namespace rudnn {

/// One row at a time in the vectors of one thread of a CPU. The end of a row is
/// masked.
class VectorDistributor : public OpDistributor {
public:
  using OpDistributor::OpDistributor;

protected:
  Result read(mlir::vector::TransferReadOp read) override;
  Result write(mlir::vector::TransferWriteOp write) override;
  Result reduce(mlir::vector::MultiDimReductionOp reduction) override;
  Result step(mlir::vector::StepOp step) override;
  mlir::LogicalResult checkType(mlir::VectorType type) override;

private:
  /// Where piece `k` of an access at `indices` starts.
  llvm::SmallVector<mlir::Value> pieceIndices(mlir::ValueRange indices,
                                              int64_t k);
  /// Lanes of a piece at `indices` that lie inside `base`.
  mlir::Value maskInside(mlir::Value base, llvm::ArrayRef<mlir::Value> indices);
};

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_VECTORDISTRIBUTOR_H
