//===- KernelEmulator.h - a kernel as a function of one thread --*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_KERNELEMULATOR_H
#define RUDNN_LIB_EMULATOR_KERNELEMULATOR_H

#include "AccessChecks.h"
#include "OpTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace rudnn {

/// What a launch has to know of a kernel.
struct EmulatedKernel {
  /// From the packed arguments and the thread.
  mlir::func::FuncOp function;
  mlir::LLVM::LLVMStructType arguments;
  mlir::LLVM::GlobalOp description;
  int64_t staticBytes = 0;
  int64_t staticSpan = 0;
  int64_t granule = 4;
  std::array<int64_t, 3> knownGrid{}, knownBlock{}, knownCluster{};
};

/// The type of a value, without its memory space, in the LLVM dialect; null if
/// it has none there.
mlir::Type convertToPackedType(mlir::Type type);

/// Refuses kernels with ops that the emulator does not know.
mlir::LogicalResult checkCanBeEmulated(mlir::gpu::GPUFuncOp kernel);

/// Makes the function that one thread of the kernel runs, before its module,
/// and takes the kernel's body for it. The kernel must have been checked.
EmulatedKernel emulateKernel(mlir::gpu::GPUFuncOp kernel, RuntimeCalls &calls);

} // namespace rudnn

#endif // RUDNN_LIB_EMULATOR_KERNELEMULATOR_H
