//===- Launch.h - Programs that are to be one launch ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_LAUNCH_H
#define RUDNN_DIALECT_NORM_IR_LAUNCH_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace rudnn::norm {

/// The launch that `op` is to be part of (`norm.launch`), or null.
mlir::DistinctAttr getLaunch(mlir::Operation *op);

/// Hands on the launch that `from` is to be part of.
void copyLaunch(mlir::Operation *from, mlir::Operation *to);

/// Moves `first` right before `second`, which comes later, if both are to be
/// part of one launch and no op between them touches memory. False if not.
bool bringTogether(mlir::Operation *first, mlir::Operation *second);

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_IR_LAUNCH_H
