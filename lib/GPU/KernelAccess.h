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

/// What a kernel, or a launch that is to become one, may do to global memory,
/// as far as its ops tell.
class KernelAccess {
public:
  explicit KernelAccess(mlir::gpu::GPUFuncOp kernel)
      : KernelAccess(kernel.getBody()) {}
  explicit KernelAccess(mlir::gpu::LaunchOp launch)
      : KernelAccess(launch.getBody()) {}

  bool mayRead(mlir::Value root) const {
    return readAny || read.contains(root);
  }
  bool mayWrite(mlir::Value root) const {
    return writeAny || written.contains(root);
  }

  /// Takes note of a launch of the kernel: arguments that it gives the same
  /// buffer are written if one of them is.
  void addLaunch(mlir::gpu::LaunchFuncOp launch);

  /// Whether one of two launches may write what the other reads or writes.
  /// Arguments of a function and allocations are taken to be different buffers.
  bool mayConflict(const KernelAccess &other) const {
    return mayWriteTo(other) || other.mayWriteTo(*this);
  }

private:
  explicit KernelAccess(mlir::Region &body);
  void addOp(mlir::Operation *op);
  /// Whether `root` is one buffer for as long as the kernel runs.
  bool isKnown(mlir::Value root);
  bool mayWriteTo(const KernelAccess &other) const;
  void addOperand(mlir::Value operand, bool reads, bool writes,
                  bool isAddressIfInteger);

  mlir::Region &body;
  llvm::SmallPtrSet<mlir::Value, 8> read, written;
  bool readAny = false, writeAny = false;
};

} // namespace rudnn

#endif // RUDNN_LIB_GPU_KERNELACCESS_H
