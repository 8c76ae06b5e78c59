//===- Passes.td - Passes of the GPU emulator --------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_EMULATOR_PASSES
#define RUDNN_EMULATOR_PASSES

include "mlir/Pass/PassBase.td"

def NormEmulateKernels : Pass<"norm-emulate-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn GPU kernels into functions that an emulator runs";
  let description = [{
    Each `gpu.func` becomes a function that does what one thread does, each
    `gpu.launch_func` a call of the emulator (`rudnn/Emulator/Runtime.h`) that
    runs it for all threads. Thread ids, shuffles, barriers, workgroup memory
    and asynchronous copies become calls too; what else a kernel holds is left
    to the lowering for the CPU. Memory spaces are dropped.

    Before each access the kernel checks that its indices are within the
    buffer and that its address is aligned as the op claims. Accesses to
    workgroup memory are also told to the emulator, which finds reads of what
    was not written and accesses that no barrier orders.

    Kernels may contain arith, math, vector, memref and scf ops, ids,
    `gpu.shuffle` of at most 64 bits, `gpu.barrier`, `nvgpu.device_async_*`,
    `nvvm.cluster.arrive`, `nvvm.cluster.wait` and `nvvm.mapa`. What would
    touch memory unchecked, or wait unseen, is refused.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormThreadsToCoroutines
    : Pass<"norm-threads-to-coroutines", "::mlir::ModuleOp"> {
  let summary = "Let emulated threads wait for each other";
  let description = [{
    Makes the functions that `norm-emulate-kernels` made, lowered to the LLVM
    dialect since, coroutines that suspend where a thread waits: after the
    calls that announce a barrier, a shuffle, or a wait for the cluster.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // RUDNN_EMULATOR_PASSES
