//===- Transforms.h - Rewrites of norm ops --------------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_TRANSFORMS_TRANSFORMS_H
#define RUDNN_DIALECT_NORM_TRANSFORMS_TRANSFORMS_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rudnn::norm {

/// Replaces `op`, a norm op on tensors, by loops over its rows around the op
/// on one row (see the pass norm-tile). `op` must have rank 2 or more and a
/// schedule, which moves to the loops.
llvm::LogicalResult tileToRows(mlir::RewriterBase &rewriter,
                               RowwiseOpInterface op);

/// Whether a function writes a tensor argument, as far as its text tells: it is
/// a destination of an op, also by way of slices, casts, regions and calls, or
/// is used by what does not say. Asks BufferizableOpInterface.
bool isDestination(mlir::BlockArgument argument);

/// Lets one-shot bufferization turn norm ops on tensors into norm ops on
/// memrefs.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_TRANSFORMS_TRANSFORMS_H
