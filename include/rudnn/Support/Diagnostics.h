//===- Diagnostics.h - Errors of ops with much in them ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_SUPPORT_DIAGNOSTICS_H
#define RUDNN_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace rudnn {

/// As `op->emitOpError()`, for ops of which nobody wants to see all: kernels,
/// modules, loops. That one prints the op, this one says where it is.
inline mlir::InFlightDiagnostic emitShortOpError(mlir::Operation *op) {
  return mlir::emitError(op->getLoc()) << "'" << op->getName() << "' op ";
}

} // namespace rudnn

#endif // RUDNN_SUPPORT_DIAGNOSTICS_H
