//===- OpEmulator.h - what one thread does, op by op ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_OPEMULATOR_H
#define RUDNN_LIB_EMULATOR_OPEMULATOR_H

#include "AccessChecks.h"
#include "OpTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace rudnn {

/// Replaces the ops of the GPU in the function of a thread, and puts checks
/// before accesses.
class OpEmulator {
public:
  OpEmulator(RuntimeCalls &calls, const OpTable &table, mlir::Value thread)
      : calls(calls), table(table), thread(thread), checker(calls, thread),
        b(thread.getContext()) {}

  void run(mlir::func::FuncOp function);

private:
  void emulate(mlir::Operation *op);
  bool emulateIndex(mlir::Operation *op);
  bool emulateWait(mlir::Operation *op);
  void emulateShuffle(mlir::gpu::ShuffleOp op);
  void emulateDynamicMemory(mlir::gpu::DynamicSharedMemoryOp op);
  void emulateCopy(mlir::nvgpu::DeviceAsyncCopyOp op);
  void emulateMapa(mlir::Operation *op);
  void checkPointer(mlir::Operation *op, mlir::Value pointer, mlir::Type type,
                    std::optional<uint64_t> alignment, bool isWrite);

  mlir::Value getNumber(mlir::Operation *op);
  mlir::Value constant(mlir::Location loc, int64_t value, unsigned width);
  void call(mlir::Operation *op, llvm::StringRef name,
            llvm::ArrayRef<mlir::Value> arguments);

  RuntimeCalls &calls;
  const OpTable &table;
  mlir::Value thread;
  AccessChecker checker;
  mlir::OpBuilder b;
};

} // namespace rudnn

#endif // RUDNN_LIB_EMULATOR_OPEMULATOR_H
