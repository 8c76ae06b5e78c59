//===- Npy.h - arrays in NumPy's file format --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npy format as NumPy's NEP 1 describes it: versions 1.0 to 3.0 are read,
// 1.0 is written; little-endian, row-major arrays of the types of ElementType.
// NumPy has no bf16: ml_dtypes writes it with the description '<V2' (two bytes
// of nothing in particular), and so do we; '|V2' is read as bf16 too.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_NPY_H
#define RUDNN_RUNNER_NPY_H

#include "rudnn/Reference/View.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace rudnn::runner {

/// An array as it lies in a file.
class NpyArray {
public:
  /// Maps a file. Whatever is not an array that can be held comes back as an
  /// error that says what was expected and what is there, without the path.
  static llvm::Expected<NpyArray> read(llvm::StringRef path);

  ElementType getElementType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }

  /// The elements, contiguous; not to be written to.
  View getView() const;

private:
  ElementType type;
  llvm::SmallVector<int64_t, 4> shape;
  std::unique_ptr<llvm::MemoryBuffer> file;
  size_t dataOffset = 0;
};

/// Writes the elements of a view to a file, which is either written completely
/// or not touched.
llvm::Error writeNpy(llvm::StringRef path, const View &view);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_NPY_H
