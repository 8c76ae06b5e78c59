//===- Alignment.h - What is known of where rows begin ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_ROWPROGRAM_ALIGNMENT_H
#define RUDNN_ROWPROGRAM_ALIGNMENT_H

#include "mlir/IR/Builders.h"

namespace rudnn {

/// The largest number known to divide `index`: from constants, loops and
/// arithmetic on them. 0 for the constant 0.
int64_t getKnownDivisor(mlir::Value index);

/// The largest number known to divide the size of `axis` of `memref`.
int64_t getDimDivisor(mlir::Value memref, unsigned axis);

/// Bytes of the widest access of a thread of a GPU.
constexpr int64_t kWideAccess = 16;

/// Bytes, at most `limit`, that divide the address of column 0 of each row of
/// `memref` for all that is known: the alignment of what it is a view of, and
/// the distances of its rows. With `aligned`, kWideAccess divides what types do
/// not tell of buffers: their pointers, dynamic offsets and dynamic strides.
int64_t getRowAlignment(mlir::Value memref, int64_t limit, bool aligned);

/// An i1: whether `bytes`, a power of two, divides the pointer of `memref` and
/// its dynamic offset and strides, in bytes; those in its type as well if
/// `checkStatic`. The last stride is not looked at.
mlir::Value createIsAligned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value memref, int64_t bytes,
                            bool checkStatic);

} // namespace rudnn

#endif // RUDNN_ROWPROGRAM_ALIGNMENT_H
