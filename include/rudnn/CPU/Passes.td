//===- Passes.td - Passes of the CPU lowering --------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CPU_PASSES
#define RUDNN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def NormFoldReshapes : Pass<"norm-fold-reshapes"> {
  let summary = "Undo a reshape of buffers that is undone";
  let description = [{
    Replaces `memref.expand_shape` of a `memref.collapse_shape` by the buffer
    that was collapsed, where type, grouping and dynamic sizes agree. Such
    pairs are left where an op ran on collapsed rows; upstream folds them for
    static shapes only. A remaining `memref.expand_shape` that splits an axis
    into several of dynamic size, which upstream's lowering does not take,
    becomes a `memref.reinterpret_cast`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NormDropMemorySpaces
    : Pass<"norm-drop-memory-spaces", "::mlir::ModuleOp"> {
  let summary = "Give all buffers the default memory space";
  let description = [{
    To host code a buffer of a GPU is an address like any other. After this
    pass, types of the host's functions have no memory space that upstream's
    lowering to LLVM would have to know or to convert. Kernels that are still
    in the module lose theirs too; run it once they are serialized.
  }];
}

def NormDropReturnedArguments
    : Pass<"norm-drop-returned-arguments", "::mlir::ModuleOp"> {
  let summary = "Drop function results that are an argument's buffer";
  let description = [{
    After bufferization, a function that computed into a destination it was
    given returns that memref too. The caller has it already; returned, it
    would be cloned by buffer deallocation. Upstream's
    `drop-equivalent-buffer-results` does this for private functions only.
    Calls follow, and what loops and branches hand through is simplified until
    nothing more can be dropped.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NormSinkCopies : Pass<"norm-sink-copies"> {
  let summary = "Copy only in the branch that needs it";
  let description = [{
    Where a result of an `scf.if` is only copied, to the buffer that one of the
    branches yields, the copy moves into the other branch:

    ```mlir
    %b = scf.if %p -> (memref<8xf32>) {
      scf.yield %x : memref<8xf32>
    } else {
      scf.yield %alloc : memref<8xf32>
    }
    memref.copy %b, %x : memref<8xf32> to memref<8xf32>
    ```

    copies `%alloc` to `%x` in the second branch, and nothing in the first. So
    an op whose fallback can't work in place does so without copies where it
    can.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NormMarkDeallocations : Pass<"norm-mark-deallocations"> {
  let summary = "Leave to a module what it frees itself";
  let description = [{
    Upstream's buffer deallocation frees what a module allocates, and refuses a
    module that frees something. Here the ops that free memory, and those that
    allocated it, are marked `bufferization.manual_deallocation`: both stay, and
    nothing else frees that memory. It has to be seen where it comes from:
    through views, branches and selects, and in the same function.
  }];
}

def NormPrefetchRows : Pass<"norm-prefetch-rows"> {
  let summary = "Request the next rows while one is written";
  let description = [{
    For each row program whose schedule has `prefetch = R > 0`: the loops over
    a row that read a buffer also request the cache lines of the row `R`
    further on, each loop its share of the lines, so that memory is busy also
    while a row is computed from the cache. Requests past the end of a buffer
    do nothing.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NormStoreNonTemporal : Pass<"norm-store-nontemporal"> {
  let summary = "Store large results past the cache";
  let description = [{
    For each row program whose schedule has `nontemporal = B > 0`: makes a
    second version of the loop whose whole-vector stores to buffers that the
    loop does not read are non-temporal, and runs it when the loop writes at
    least `B` bytes into such buffers and each of their rows starts at a
    multiple of the vector's size. Otherwise the plain version runs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormForallToThreads
    : Pass<"norm-forall-to-threads", "::mlir::ModuleOp"> {
  let summary = "Run the tasks of row programs on a thread pool";
  let description = [{
    Outlines each row program into a function over a range of its tasks and
    calls the runtime's `rudnnParallelFor` with it (`rudnn/Runtime/Runtime.h`).
    What the body uses from outside is passed through memory. With
    `threads = 1` the tasks become plain loops.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Threads that share the tasks; 0 is one per hardware thread">
  ];
}

def NormExpandConversions : Pass<"norm-expand-conversions"> {
  let summary = "Convert 16-bit floats by integer arithmetic";
  let description = [{
    Rewrites conversions between f32 and bf16 (`bf16`) or f16 (`f16`), of
    scalars and vectors, so that they stay vectors on targets without an
    instruction for them and need no library. Rounding is to nearest even; NaN
    stays NaN, infinities and denormals are exact. (x86's own conversion to
    bf16 takes denormals for zeros.)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"bf16", "bf16", "bool", /*default=*/"true",
           "Expand the conversions between f32 and bf16">,
    Option<"f16", "f16", "bool", /*default=*/"true",
           "Expand the conversions between f32 and f16">
  ];
}

def NormElementwiseToLinalg : Pass<"norm-elementwise-to-linalg"> {
  let summary = "Turn arithmetic on tensors into linalg with its own results";
  let description = [{
    Does what upstream's `convert-elementwise-to-linalg` does and gives each op
    it makes a fresh `tensor.empty` as destination. Upstream names an operand as
    the destination, and bufferization would then write over a function's
    argument that is only read. An `arith.select` by one condition for all
    elements stays: bufferization chooses the buffer.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormExpandCopies : Pass<"norm-expand-copies"> {
  let summary = "Copy between strided buffers by loops";
  let description = [{
    Replaces each `memref.copy` of which a side has another layout than the
    identity by a `linalg.generic` that copies. Upstream lowers it to a call of
    its own runtime library, which RuDNN does not need otherwise.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def NormMoveFloatsAsIntegers : Pass<"norm-move-floats-as-integers"> {
  let summary = "Move 16-bit floats as their bits";
  let description = [{
    Makes `llvm.load`, `llvm.store` and their masked forms move f16 and bf16 as
    i16, and what moves them between elements and blocks too: `llvm.select`,
    `llvm.insertelement`, `llvm.extractelement`, `llvm.shufflevector` and
    arguments of blocks. On a target without 16-bit float instructions LLVM may
    otherwise promote an element to f32 on its way and call a library function
    to bring it back.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NormCheckLowered : Pass<"norm-check-lowered"> {
  let summary = "Fail on what is not in the LLVM dialect";
  let description = [{
    Closes `norm-to-cpu`: upstream's conversions leave what they do not know,
    and translation would then complain of a cast. The pass fails and names
    the op that was left. `gpu.binary` and its launches are translated as they
    are.
  }];
}

#endif // RUDNN_CPU_PASSES
