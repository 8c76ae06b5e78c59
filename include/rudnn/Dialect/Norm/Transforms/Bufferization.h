//===- Bufferization.h - How tensors become buffers -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_TRANSFORMS_BUFFERIZATION_H
#define RUDNN_DIALECT_NORM_TRANSFORMS_BUFFERIZATION_H

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace rudnn::norm {

/// Adds one-shot-bufferize as all pipelines have it. Tensors of functions, and
/// those that nothing says the layout of, such as an empty one, become buffers
/// with identity layout.
void addOneShotBufferize(mlir::OpPassManager &pm);

/// Options that give tensors the types which that pass will give them.
mlir::bufferization::BufferizationOptions getBufferizationOptions();

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_TRANSFORMS_BUFFERIZATION_H
