//===- Passes.td - Passes of the GPU lowering --------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_GPU_PASSES
#define RUDNN_GPU_PASSES

include "mlir/Pass/PassBase.td"

def NormCheckGPUOperands : Pass<"norm-check-gpu-operands"> {
  let summary = "Refuse norm ops on what no kernel can be made for";
  let description = [{
    A norm op becomes a kernel, so memrefs that it works on, itself or as
    tensors, must be in the default or the global memory space: a block's shared
    memory and what a thread has to itself exist inside kernels only. Its tensors
    must have no encoding. The CPU takes encodings, for which it copies.

    Example: this is refused for its `y`.

    ```mlir
    norm.rms_norm epsilon(1.0e-05)
        ins(%x : memref<4x64xf32>)
        outs(%y : memref<4x64xf32, #gpu.address_space<workgroup>>)
    ```
  }];
}

def NormFuseLaunches : Pass<"norm-fuse-launches"> {
  let summary = "Make one launch of launches that are to be one";
  let description = [{
    Launches cost time of their own, and one waits for the other. Where two
    `gpu.launch` carry the same `norm.launch`, no op that touches memory stands
    between them, and neither writes what the other reads or writes, they become
    one launch of as many blocks as both, by the schedule that the attribute
    holds: blocks with a number less than the first launch's size do what that
    did, the others what the second did. So all threads of a block take the same
    branch, and barriers stay where they are.

    Both need blocks of as many threads, along whatever axes, a grid along x, and
    neither clusters, dynamic shared memory, attributions nor async tokens.
    Different arguments of a function and allocations are taken to be different
    buffers; of other buffers nothing is known. Launches that do not meet this
    stay two.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormAllocateSharedMemory
    : Pass<"norm-allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "Give buffers of a block a place in shared memory";
  let description = [{
    A `memref.alloc` in the workgroup's memory, of static size, becomes a
    workgroup attribution of its kernel. If all of a kernel's, with attributions
    that it had, take more than the 48 KiB that a kernel may have without being
    asked at the launch, they become views of `gpu.dynamic_shared_memory`
    instead, and each `gpu.launch_func` of the kernel asks for their size.
    Buffers lie one behind the other, each aligned to 16 bytes or what its
    `alignment` says; none shares its place with another.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NormLowerCachePolicies
    : Pass<"norm-lower-cache-policies", "::mlir::ModuleOp"> {
  let summary = "Lower loads and stores with a cache policy to PTX";
  let description = [{
    LLVM has no way to say how long a line shall stay in a cache, PTX has. A
    `vector.load`, `vector.store`, `memref.load` or `memref.store` of global
    memory that carries the attribute `norm.cache` becomes `nvvm.inline_ptx` of
    16, 8, 4 or 2 bytes each, as its alignment allows:

    | `norm.cache`  | load | store |
    |---|---|---|
    | `evict_first` | `L1::evict_first` and an L2 policy `evict_first` | the same |
    | `evict_last`  | `L1::evict_last` and an L2 policy `evict_last` | the same |
    | `no_allocate` | `nc.L1::no_allocate`, without `nc` if the kernel writes the buffer | `L1::no_allocate` |
    | `streaming`   | `cs` | `cs` |
    | `normal`      | plain | plain |

    The L2 policies are made once, where the kernel begins. An access stays
    plain where it is not in global memory or not aligned to its element, and
    where a target of the module writes PTX that is too old (before 7.4; `cs` is
    in all). A buffer counts as written if the kernel may write it or, seen from
    a `gpu.launch_func`, another argument that is the same buffer. Different
    arguments of a function are taken to be different buffers, as everywhere in
    RuDNN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormExpandDeviceMath
    : Pass<"norm-expand-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Expand math ops to what a GPU has, without a device library";
  let description = [{
    Upstream lowers math ops of a GPU to calls of NVIDIA's device library. Here
    they become instructions of the GPU, LLVM intrinsics that need no library,
    or upstream's polynomials. f16 and bf16 are computed in f32 (`math.fma` is
    not). Errors are relative, in f32, over all finite inputs:

    | op | becomes | error at most |
    |---|---|---|
    | `absf` `ceil` `copysign` `floor` `fma` `round` `roundeven` `trunc`, `arith.maxnumf` `arith.minnumf` | LLVM intrinsics | exact, `fma` rounded once |
    | `isfinite` `isinf` `isnan` | a comparison with infinity | exact |
    | `rsqrt` | `rsqrt.approx.f32` | 2^-22.9 |
    | `sqrt` | `sqrt.rn.f32` | 2^-24, correctly rounded |
    | `exp2` | `ex2.approx.f32` | 2^-22.5 |
    | `exp` | two `ex2.approx.f32` of a reduced argument | 2^-21.5 |
    | `erf` `expm1` `log` `log1p` `log2` `tanh` | upstream's polynomials | a few units in the last place |
    | `powf` `fpowi` with a small constant exponent | products | one rounding each |

    Any other math op, and f64 where the table says polynomial or `approx`,
    fails the pass by its name.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormSettleBeforeWaits
    : Pass<"norm-settle-before-waits", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let no arithmetic pass a wait for copies";
  let description = [{
    LLVM is free to compute a sum later than it is written, and puts off what
    is made of loads between two `nvvm.cp.async.wait.group` until after the last
    of them: all that was loaded stays in registers until then. Here an f32, or
    a vector of them, that was computed after one wait and is used after the
    next goes through an `nvvm.inline_ptx` that moves it to itself, right before
    that wait. LLVM keeps those in order.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormKeepNarrow : Pass<"norm-keep-narrow", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Widen what stays in registers anew in each iteration";
  let description = [{
    LLVM takes a conversion out of a loop if its operand comes from outside, and
    then twice as many registers hold the result. In kernels whose
    `norm.schedule` has `widen = mixed`, an operand of `arith.extf` from outside
    the loop goes through an `nvvm.inline_ptx` in it that moves it to itself, so
    that it stays as narrow as it is. What was widened before the loop is widened
    in it, for each use.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormExternSharedMemory
    : Pass<"norm-extern-shared-memory", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let dynamic shared memory lie behind static";
  let description = [{
    Upstream lowers `gpu.dynamic_shared_memory` to an internal global without
    size, which ptxas puts anywhere among the static ones, so that both overlap.
    An external one is what PTX calls dynamic shared memory: it begins where the
    static ends.
  }];
}

def NormCheckDeviceCode
    : Pass<"norm-check-device-code", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Fail on what a GPU can't run";
  let description = [{
    Closes the lowering of a `gpu.module`: upstream's conversions leave what
    they do not know, and PTX may call functions that nothing defines without
    anybody complaining. The pass fails and names the op that is not in the LLVM
    or NVVM dialect, or the function that is called and has no body.
  }];
}

def NormDescribeKernels : Pass<"norm-describe-kernels", "::mlir::ModuleOp"> {
  let summary = "Note what a caller of a kernel must know";
  let description = [{
    Gives each kernel of a `gpu.module` the attribute `norm.kernel`, a
    `#gpu.kernel_metadata` that survives the lowering, with the kernel's type
    on memrefs and for each memref argument

    - `norm.access`: `"none"`, `"read"`, `"write"` or `"read_write"`,
    - `norm.alignment`: the bytes that loads and stores rely on to divide the
      address of a row.

    and in its metadata the `schedule` that the kernel has in `norm.schedule`,
    and its `cluster` size in blocks.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def NormSerializeKernels : Pass<"norm-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Compile each gpu.module to PTX or machine code";
  let description = [{
    Replaces each `gpu.module` by a `gpu.binary` with one object for each of
    its `#nvvm.target`s; modules are compiled in parallel. No device library is
    linked, so no toolkit is needed unless machine code is wanted. What LLVM,
    ptxas or fatbinary complain of becomes a diagnostic and fails the pass, and
    so does PTX that is not what was asked for: another version or chip, or an
    external function.

    An object lists its kernels, as `norm-describe-kernels` described them, and
    adds what ptxas reports, if it ran: `registers`, `spill_store_bytes`,
    `spill_load_bytes` and `stack_bytes` of a thread, `shared_bytes` of a block.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"isa\"",
           "llvm: LLVM bitcode; isa: PTX; bin: a cubin; fatbin: cubin and PTX">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "Prefix of the CUDA toolkit whose ptxas and fatbinary are run; by "
           "default those in PATH, CUDA_ROOT, CUDA_HOME, CUDA_PATH or "
           "/usr/local/cuda">
  ];
}

def NormOverlapLaunches : Pass<"norm-overlap-launches"> {
  let summary = "Let a kernel begin while the one before it ends";
  let description = [{
    For a `gpu.launch` that comes directly after another one, both of schedules
    with `launch = dependent`: the first begins with
    `nvvm.griddepcontrol launch_dependents`, from which on the second may be
    launched, and the second with `nvvm.griddepcontrol wait`, which returns when
    the first is done and what it wrote can be seen. So a launch costs less,
    and no access comes earlier than it would. What lies between may not touch
    memory. With `launch = chained` each begins with both, the first too, which
    then waits for whatever kernel is before it in the stream.

    Whoever launches the kernels may launch the second by programmatic
    dependent launch; if not, it is right too.

    Example, where `#dependent` is a schedule with `launch = dependent`:

    ```mlir
    func.func @twice(%x: memref<32xf32>, %v: f32) {
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
        memref.store %v, %x[%tx] : memref<32xf32>
        gpu.terminator
      } {norm.schedule = #dependent}
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
        %e = memref.load %x[%tx] : memref<32xf32>
        %s = arith.addf %e, %e : f32
        memref.store %s, %x[%tx] : memref<32xf32>
        gpu.terminator
      } {norm.schedule = #dependent}
      return
    }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def NormExportKernels : Pass<"norm-export-kernels", "::mlir::ModuleOp"> {
  let summary = "Write compiled kernels and how to launch them to files";
  let description = [{
    For each `gpu.binary` NAME writes `directory`/NAME.ptx (`.cubin`, `.fatbin`,
    `.bc`; with the chip in the name if there are several) and NAME.json, or
    NAME.KERNEL.json for each kernel if there are several: what a program must
    know to launch the kernel by `cuLaunchKernel`.

    - `name` of the entry, `schedule`, and `code`: `file`, `kind`, `chip`, `ptx`
      version of each object. `usage` is what ptxas reported.
    - `arguments` in order: `kind` buffer or scalar, element or scalar `type`
      (an index has 64 bits), and the `parameters` that it is passed as, each of
      8 bytes for a buffer: `pointer` twice (the second is used), `offset`,
      `sizeD`, `strideD` in elements. `shape`, `strides` and `offset` say which
      of them the code takes for granted, null where any value will do.
      `access` is none, read, write or read_write; `alignment` bytes divide the
      address of each row.
    - `launches` in the module: `grid`, `block`, `cluster`, dynamic
      `shared_bytes`, the `condition`s on which the `host` function launches
      this kernel rather than another one, and what it `requires` at all, as
      formulas. `arguments` says of each buffer which argument of the host it
      is, or which `scratch` buffer of what `sizes`, and gives each scalar's
      `value`. Launches of one host function come one after the other, also
      those of other kernels, in the order of `position`. A grid without blocks
      is not launched. `dependent` says whether
      the launch may begin while the kernel before it runs (programmatic
      dependent launch): this kernel waits for it by itself.

    A formula is an expression in C over 64-bit integers: `+ - * / % < <= > >=
    == != && || ! & | ^ ?:`, the functions `min`, `max`, `ceildiv`, `floordiv`,
    `mod`, and names. `argN` is argument N of the kernel if it is a scalar;
    `argN.pointer`, `argN.offset`, `argN.sizeD`, `argN.strideD` belong to a
    buffer. `host.argN` is an argument of the host function that the kernel
    does not get.

    Files are written whole or not at all.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"directory", "directory", "std::string", /*default=*/"\"\"",
           "Where to write; made if it is not there">
  ];
}

#endif // RUDNN_GPU_PASSES
