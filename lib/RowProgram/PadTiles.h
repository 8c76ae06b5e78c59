//===- PadTiles.h - Neighbours of norms on whole tiles ---------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_PADTILES_H
#define RUDNN_LIB_ROWPROGRAM_PADTILES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn {

/// A norm works on tiles that are padded where rows end. What a producer that
/// was fused into `program` makes for one is padded behind it, and its shape is
/// known to a run only: it becomes an op on the whole tile.
void padProducers(mlir::RewriterBase &b, mlir::scf::ForallOp program);

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_PADTILES_H
