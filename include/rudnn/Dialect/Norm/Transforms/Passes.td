//===- Passes.td - Passes on norm ops ----------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_TRANSFORMS_PASSES
#define RUDNN_DIALECT_NORM_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def NormDropDeadResults : Pass<"norm-drop-dead-results"> {
  let summary = "Drop rstd and gradients that nobody uses";
  let description = [{
    Removes from each norm op the optional results without uses, and with
    them the work and the operands that only they need; an op left with
    nothing to write is erased. A schedule stays if it fits what is left, and
    is removed otherwise, for norm-assign-schedule to choose another.
    `canonicalize` does the same; this pass does nothing else and counts what
    it dropped.

    Example: with no use of `%dx`,

    ```mlir
    %dx, %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xf32>)
        input_grad(%dx0 : tensor<8x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
        -> tensor<8x64xf32>, tensor<64xf32>
    ```

    becomes

    ```mlir
    %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>)
        weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let statistics = [
    Statistic<"numDropped", "num-dropped-results", "Results dropped">,
    Statistic<"numErased", "num-erased-ops", "Norm ops erased">
  ];
  let options = [
    Option<"report", "report", "bool", /*default=*/"false",
           "Say in a remark what was dropped: release builds of LLVM count no "
           "statistics">
  ];
}

def NormMarkReadOnly : Pass<"norm-mark-read-only", "::mlir::func::FuncOp"> {
  let summary = "Mark tensor arguments that nothing writes as read-only";
  let description = [{
    A function writes the tensor arguments that are a destination in its text
    (`outs` of an op, the tensor that `tensor.insert_slice` inserts into), also
    by way of slices, casts, regions and calls. All others get the attribute
    `bufferization.writable = false`, so that bufferization copies them before
    a write. This belongs before any folding: `arith.maximumf %a, %a` as a
    destination is a tensor of its own until it is folded to `%a`. Arguments
    that have the attribute keep theirs.

    Example: in

    ```mlir
    func.func @f(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
      %max = arith.maximumf %a, %a : tensor<4x64xf32>
      %y = norm.rms_norm epsilon(1.0e-5) ins(%a : tensor<4x64xf32>)
          outs(%max : tensor<4x64xf32>) -> tensor<4x64xf32>
      return %y : tensor<4x64xf32>
    }
    ```

    `%a` becomes `%a: tensor<4x64xf32> {bufferization.writable = false}`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def NormCollapseRows : Pass<"norm-collapse-rows"> {
  let summary = "Give every norm op rank 2: rows and columns";
  let description = [{
    Collapses the leading axes of the operands of each norm op into one axis
    of rows (a single row for rank 1) by `tensor.collapse_shape` and
    `tensor.expand_shape`, or their memref counterparts. On memrefs whose
    leading axes do not lie evenly in memory (heads of a packed qkv buffer),
    and on slices of tensors, an op keeps its rank: nothing is copied.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormCopyStrided : Pass<"norm-copy-strided"> {
  let summary = "Copy operands of norm ops whose columns would lie apart";
  let description = [{
    Row programs read and write rows whose columns lie side by side. A tensor
    that bufferization would make a buffer of another layout, or of one that is
    known at run time only, is copied by `bufferization.alloc_tensor`. A
    destination like that becomes a tensor of its own, and so does an empty one
    that is inserted where columns lie apart. One number per row may lie
    anywhere, and slices with columns side by side stay where they are.

    What regions hand on has no known layout when one of several incoming
    buffers is a slice; the slice is copied then, where it comes in.

    Example: with a slice going into a loop that continues with other buffers,

    ```mlir
    %x = tensor.extract_slice %all[1, 0, 0] [1, 4, 64] [1, 1, 1]
        : tensor<3x4x64xf32> to tensor<4x64xf32>
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%yi = %x) -> (tensor<4x64xf32>) {
      %fresh = tensor.empty() : tensor<4x64xf32>
      %next = norm.rms_norm epsilon(1.0e-5) ins(%yi : tensor<4x64xf32>)
          outs(%fresh : tensor<4x64xf32>) -> tensor<4x64xf32>
      scf.yield %next : tensor<4x64xf32>
    }
    ```

    instead of `%x`, `bufferization.alloc_tensor() copy(%x)` goes in.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NormMemRefToTensor : Pass<"norm-memref-to-tensor"> {
  let summary = "Turn norm ops on memrefs into norm ops on tensors";
  let description = [{
    Wraps the operands of each norm op on memrefs in `bufferization.to_tensor`
    and writes its results back to the same memrefs by
    `bufferization.materialize_in_destination`. Bufferization turns this into
    accesses to the original memrefs, in place.

    Destinations must not overlap inputs, other than `weight_grad` with
    `accumulate`. But `y` may be the same value as `x`, and `input_grad` as `x`
    or `dy`: two tensors after this pass, which `cse` makes one.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def NormAssignSchedule : Pass<"norm-assign-schedule"> {
  let summary = "Choose a schedule for each norm op that has none";
  let description = [{
    Puts a `#norm.schedule` on every norm op without one that is not in a row
    program already. A field given as an option, by its own name or in `set`,
    is taken as it is; the rest follow from shape, element types, and the
    width of the machine's vectors or the chip. On a GPU a choice that does not
    go with a given field gives way to the nearest schedule that does among
    those of norm-enumerate-schedules. An existing attribute stays.

    With a tuning cache, an op that has an entry there gets what was measured in
    place of what would be chosen; a remark says so, or that there is none. A
    recorded schedule that does not fit its op, and a file that cannot be used,
    is warned of, and schedules are chosen.

    So does, on a GPU, an op that has none there but one in the database that
    comes with RuDNN, of what was measured on an H200. It counts for every GPU
    of that chip unless `tuning-device` says that it is another, and where no
    field is given.

    A schedule that does not fit its op, the target or the chip is an error.
  }];
  let options = [
    Option<"target", "target", "::rudnn::norm::ScheduleTarget",
           /*default=*/"::rudnn::norm::ScheduleTarget::CPU",
           "What runs the rows", [{::llvm::cl::values(
             clEnumValN(::rudnn::norm::ScheduleTarget::CPU, "cpu",
                        "threads of a CPU"),
             clEnumValN(::rudnn::norm::ScheduleTarget::GPU, "gpu",
                        "blocks of a GPU"))}]>,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "GPU: the chip, sm_80 or newer; one that is not known counts as the "
           "newest that is older">,
    Option<"set", "set", "std::string", /*default=*/"\"\"",
           "Fields to use instead of the chosen ones, as in "
           "threads=128,rows=2">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "CPU: width of a machine vector in bits: 128, 256 or 512">,
    Option<"unroll", "unroll", "int64_t", /*default=*/"0",
           "Vectors per step of the loop over a row; 0 chooses">,
    Option<"parts", "parts", "int64_t", /*default=*/"-1",
           "Partial sums of the weight gradient; -1 chooses, 0 is "
           "clamp(ceil(M / 32), 1, 128) at run time">,
    Option<"prefetch", "prefetch", "int64_t", /*default=*/"-1",
           "Rows ahead that are asked for; -1 chooses">,
    Option<"nontemporal", "nontemporal", "int64_t", /*default=*/"-1",
           "CPU: bytes a call must move before its row outputs are stored "
           "past the cache; 0 never, -1 chooses">,
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"0",
           "CPU: size of the last cache; results of half of it are stored "
           "past it if nothing else says; 0 never does that">,
    Option<"tuningCache", "tuning-cache", "std::string", /*default=*/"\"\"",
           "File with schedules that rudnn-runner --tune has measured">,
    Option<"database", "database", "bool", /*default=*/"true",
           "GPU: use the measured schedules that come with RuDNN">,
    Option<"tuningDevice", "tuning-device", "std::string", /*default=*/"\"\"",
           "Name of the GPU or CPU whose entries of the file are meant; by "
           "default any GPU with this chip, and the CPU of this machine">,
    Option<"tuningDriver", "tuning-driver", "int64_t", /*default=*/"0",
           "GPU: version of the driver whose entries are meant, 13000 for "
           "13.0; 0: any">,
    Option<"tuningThreads", "tuning-threads", "int64_t", /*default=*/"0",
           "CPU: number of threads whose entries are meant; 0: any">,
    Option<"tuningRows", "tuning-rows", "int64_t", /*default=*/"0",
           "Number of rows whose entries are meant where the module does not "
           "say it; 0: any">
  ];
}

def NormEnumerateSchedules : Pass<"norm-enumerate-schedules"> {
  let summary = "Copy a function once for each schedule of its norm op";
  let description = [{
    Gives the norm op of a function, of which there may be one, the schedule
    that norm-assign-schedule chooses for the chip, and adds a copy of the
    function for every other schedule that is worth a try: each legal, each
    once, in an order that depends on the op and the chip alone. A schedule
    that the op has is replaced. For tests of all of them, and for tuners.

    With `print` the module stays as it is, and the schedules go to the
    standard output, one a line.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip, sm_80 or newer; one that is not known counts as the "
           "newest that is older">,
    Option<"set", "set", "std::string", /*default=*/"\"\"",
           "Fields that all schedules have, as in parts=2; those that do not "
           "fit are left out">,
    Option<"print", "print", "bool", /*default=*/"false",
           "Print the schedules instead">
  ];
}

def NormAddFallbacks : Pass<"norm-add-fallbacks"> {
  let summary = "Add a norm op with narrow accesses beside each that has wide ones";
  let description = [{
    A wide access of a thread of a GPU needs an aligned address, which only a
    run shows for most buffers. Each norm op on tensors that has a schedule for
    a GPU with `vector > 1` and rows of known length is put into the first
    branch of an `scf.if` on `norm.is_aligned`. In the second branch stands the
    same op with a schedule for `vector = 1`: short code, since all but short
    rows are walked in steps. Once buffers are known, norm-version-alignment
    makes a check of the condition, or finds that there is nothing to check.

    Example: instead of

    ```mlir
    %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
        outs(%y0 : tensor<32x64xf32>)
        {schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>} -> tensor<32x64xf32>
    ```

    there will be

    ```mlir
    %aligned = norm.is_aligned distinct[0]<>
    %y = scf.if %aligned -> (tensor<32x64xf32>) {
      %wide = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
          outs(%y0 : tensor<32x64xf32>)
          {schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>} -> tensor<32x64xf32>
      scf.yield %wide : tensor<32x64xf32>
    } else {
      %narrow = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
          outs(%y0 : tensor<32x64xf32>)
          {schedule = #norm.schedule<vector = 1, threads = 32, launch = chained>} -> tensor<32x64xf32>
      scf.yield %narrow : tensor<32x64xf32>
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"",
           "The chip, sm_80 or newer; one that is not known counts as the "
           "newest that is older">
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def NormTile : Pass<"norm-tile"> {
  let summary = "Cut norm ops into loops over rows";
  let description = [{
    Turns each norm op on tensors that is not in a row program already into an
    `scf.forall` over its rows around the same op on one row, by
    `TilingInterface`. The schedule moves from the
    op to the loop, as `norm.schedule`.

    A weight gradient becomes an `scf.forall` over parts, each an `scf.for`
    over a contiguous range of `ceil(M / parts)` rows that accumulates in f32
    into the part's row of a `parts x N` tensor (input and weight gradient of
    one op share the loop), and an `scf.forall` over columns that adds the
    parts in ascending order. A part without rows is zeros, so `M = 0` and
    fewer rows than parts give the right sum.

    Where the schedule has `strips`, the weight gradient becomes an
    `scf.forall` over strips of columns (and parts, if there are more than one)
    that walks over rows, and the input gradient another one over rows. Both
    carry the same `norm.launch`: they do not depend on each other.

    On a GPU, rows of an input that is a destination too are read from what the
    loops carry, so that bufferization needs no copy of them; but not with
    `stage = loop`, which writes a step of a row before it reads the next one.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let statistics = [Statistic<"numTiled", "num-tiled-ops", "Norm ops tiled">];
}

def NormDecompose : Pass<"norm-decompose"> {
  let summary = "Replace aggregate ops on tensors by the linalg ops they stand for";
  let description = [{
    Applies `linalg::AggregatedOpInterface::decomposeOperation` to each op on
    tensors that has it: norm ops, and upstream's such as `linalg.softmax`. Of
    a norm op, the linalg ops run over (leading axes..., columns) with
    the columns innermost, compute in f32 and round once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // RUDNN_DIALECT_NORM_TRANSFORMS_PASSES
