//===- KernelAccess.h - Which arguments a kernel reads and writes -*- C++ -*-=//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_KERNELACCESS_H
#define RUDNN_LIB_GPU_KERNELACCESS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rudnn {

/// The memref that `memref` is a view of, through casts, views and strided
/// metadata.
mlir::Value getRootMemRef(mlir::Value memref);

/// The arguments that a launch gives; those of the body go on with memory of
/// the block.
llvm::ArrayRef<mlir::BlockArgument>
getKernelArguments(mlir::gpu::GPUFuncOp kernel);

/// Whether a memref of this type may lie in global memory: it says so, or has
/// no memory space.
bool mayBeGlobal(mlir::BaseMemRefType type);

/// What a kernel may do to global memory, as far as its ops tell.
class KernelAccess {
public:
  explicit KernelAccess(mlir::gpu::GPUFuncOp kernel);

  bool mayRead(mlir::Value root) const {
    return readAny || read.contains(root);
  }
  bool mayWrite(mlir::Value root) const {
    return writeAny || written.contains(root);
  }

  /// Takes note of a launch: arguments that it gives the same buffer are
  /// written if one of them is.
  void addLaunch(mlir::gpu::LaunchFuncOp launch);

private:
  void addOp(mlir::Operation *op);
  void addOperand(mlir::Value operand, bool reads, bool writes,
                  bool isAddressIfInteger);

  mlir::gpu::GPUFuncOp kernel;
  llvm::SmallPtrSet<mlir::Value, 8> read, written;
  bool readAny = false, writeAny = false;
};

} // namespace rudnn

#endif // RUDNN_LIB_GPU_KERNELACCESS_H
