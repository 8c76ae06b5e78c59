//===- Passes.td - Passes for running on a GPU -------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CUDA_PASSES
#define RUDNN_CUDA_PASSES

include "mlir/Pass/PassBase.td"

def NormAllocateDeviceMemory
    : Pass<"norm-allocate-device-memory", "::mlir::ModuleOp"> {
  let summary = "Let host code keep its buffers in the memory of the GPU";
  let description = [{
    For functions that launch kernels and are called with buffers of the GPU.
    What they do with buffers themselves becomes something that the GPU does,
    in the order of the program:

    | op | becomes |
    |---|---|
    | `memref.alloc` | `gpu.alloc` |
    | `memref.dealloc` | `gpu.dealloc` |
    | `memref.copy` | `gpu.memcpy`, or a `gpu.launch` of a thread per element |
    | `linalg.fill` | `gpu.memset`, or a `gpu.launch` of a thread per element |
    | `memref.load`, `memref.store` | a copy of the element from or to the host |

    `gpu.memcpy` and `gpu.memset` where the layout is the identity, the latter
    for elements of 16 or 32 bits. Elements are read and written by
    `rudnnReadElement` and `rudnnWriteElement` (`rudnn/CUDA/Runtime.h`), which
    wait for the GPU.
    Launches are left as they are. Any other op that would touch a buffer on the
    host fails the pass, and so does a buffer that lies in the host's memory, as
    a constant does.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormLaunchDependents : Pass<"norm-launch-dependents", "::mlir::ModuleOp"> {
  let summary = "Launch kernels early that wait by themselves";
  let description = [{
    Before each launch of a kernel that begins with
    `nvvm.griddepcontrol wait` (see `norm-overlap-launches`), calls
    `rudnnLaunchNextAsDependent` (`rudnn/CUDA/Runtime.h`), which lets that
    launch begin while the kernel before it runs. Without it the launch is one
    as any other, and the wait returns at once.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // RUDNN_CUDA_PASSES
