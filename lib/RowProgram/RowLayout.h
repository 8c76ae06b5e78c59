//===- RowLayout.h - How rows lie in vectors and threads --------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_ROWPROGRAM_ROWLAYOUT_H
#define RUDNN_LIB_ROWPROGRAM_ROWLAYOUT_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace rudnn {

/// How a tile of `rows` rows lies in vectors of `lanes` elements: thread x of
/// the `threads` that share a row holds, of that row, the pieces
/// k = 0, 1, ... at column (k * threads + x) * lanes. The threads are those of
/// `cluster` blocks. A machine without threads is one thread.
struct RowLayout {
  int64_t lanes = 1;
  int64_t threads = 1;
  int64_t cluster = 1;
  int64_t rows = 1;

  enum class Kind {
    PerRow, ///< one value for each row, or for all of them
    Row,    ///< columns, of each row or the same for all
    Foreign
  };

  /// Threads of one block that share a row.
  int64_t getBlockThreads() const { return threads / cluster; }

  /// The axes of `type` that have more than one element.
  static llvm::SmallVector<int64_t> getLongAxes(mlir::VectorType type) {
    llvm::SmallVector<int64_t> axes;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.getDimSize(axis) != 1)
        axes.push_back(axis);
    return axes;
  }

  Kind classify(mlir::VectorType type) const {
    if (type.isScalable())
      return Kind::Foreign;
    llvm::SmallVector<int64_t> axes = getLongAxes(type);
    if (axes.empty())
      return Kind::PerRow;
    auto isRows = [&](int64_t axis) {
      return rows > 1 && type.getDimSize(axis) == rows;
    };
    if (axes.size() == 1)
      return isRows(axes[0]) ? Kind::PerRow : Kind::Row;
    if (axes.size() == 2 && (isRows(axes[0]) || isRows(axes[1])))
      return Kind::Row;
    return Kind::Foreign;
  }

  /// The axis of `type` that is columns; only for Kind::Row.
  int64_t getColumnAxis(mlir::VectorType type) const {
    llvm::SmallVector<int64_t> axes = getLongAxes(type);
    bool rowsLast = axes.size() == 2 && type.getDimSize(axes[1]) == rows &&
                    type.getDimSize(axes[0]) != rows;
    return rowsLast ? axes[0] : axes.back();
  }
  /// The axis of `type` that is the rows of the tile, or -1.
  int64_t getRowAxis(mlir::VectorType type) const {
    if (rows == 1)
      return -1;
    for (int64_t axis : getLongAxes(type))
      if (type.getDimSize(axis) == rows &&
          (classify(type) == Kind::PerRow || axis != getColumnAxis(type)))
        return axis;
    return -1;
  }

  int64_t getNumPieces(mlir::Type type) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    if (!vector || classify(vector) != Kind::Row)
      return 1;
    return llvm::divideCeil(vector.getDimSize(getColumnAxis(vector)),
                            threads * lanes);
  }
  mlir::Type getPieceType(mlir::Type type) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    if (!vector)
      return type;
    if (classify(vector) == Kind::Row)
      return mlir::VectorType::get({lanes}, vector.getElementType());
    return vector.getElementType();
  }
};

/// How `program`, a row program on buffers for a GPU, lies in threads: the
/// schedule's vectors, shortened until rows consist of whole ones that one
/// access takes. With `aligned`, buffers are as aligned as their types allow.
RowLayout getThreadLayout(mlir::scf::ForallOp program, bool aligned);

} // namespace rudnn

#endif // RUDNN_LIB_ROWPROGRAM_ROWLAYOUT_H
