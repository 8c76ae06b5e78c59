//===- Passes.td - Passes on row programs ------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_ROWPROGRAM_PASSES
#define RUDNN_ROWPROGRAM_PASSES

include "mlir/Pass/PassBase.td"

def NormStripMine : Pass<"norm-strip-mine"> {
  let summary = "Cut the rows of a row program into chunks of columns";
  let description = [{
    Works on the linalg ops inside each `scf.forall` with a `norm.schedule`.
    A row is cut into phases; a phase ends where a reduction along the row
    is needed. Each phase becomes a loop over chunks of `vector * unroll`
    columns, one over the single vectors that are left, and a last masked
    step for the columns that fill no vector. Reductions carry a chunk of
    partial results, combined after the loops; where a row may have more than
    64 chunks, in blocks of 64 that are added up, of 64 such blocks in turn,
    which keeps rounding errors of long rows small; elementwise values that
    several phases need are computed again from the inputs; what no phase
    reduces or writes does not exist. Where a schedule for a GPU has another
    `stage` than `loop`, rows stay whole.

    Nothing in the pass knows a norm: the columns of an op are its innermost
    loop, found from the reductions.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def NormVectorize : Pass<"norm-vectorize"> {
  let summary = "Turn the linalg ops of a row program into vector ops";
  let description = [{
    Vectorizes each linalg op inside an `scf.forall` with a `norm.schedule`:
    whole rows, or chunks of them after `norm-strip-mine`. Shapes must be
    static there; an op that can't be vectorized is an error. A producer whose
    result is padded to a tile, which the last rows may not fill, works on the
    whole tile and yields the padding past the end. Accumulators carried by
    loops become vectors in registers, and reads of one element happen once.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def NormFoldViews : Pass<"norm-fold-views"> {
  let summary = "Let row programs access the buffers that tiles are views of";
  let description = [{
    Works on the accesses of each `scf.forall` with a `norm.schedule`, on
    buffers: views are folded into them by upstream's patterns, those of
    `fold-memref-alias-ops`. That pass also composes views outside of row
    programs, not always to valid ones.

    Rows may be those of a view that leaves out an axis, as the queries in a
    buffer `[M, 3, N]` of queries, keys and values. Folded into accesses, it
    makes them skip an axis. They then access a view again, one that leaves out
    only what they skip, made outside of all loops that do not move it.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect"];
}

def NormDeferRowSums : Pass<"norm-defer-row-sums"> {
  let summary = "Add up the rows of tiles after a loop over tiles";
  let description = [{
    Where a loop inside an `scf.forall` with a `norm.schedule` carries a vector
    per column to which each iteration adds the rows of a tile, the loop
    carries a sum for each row of the tile instead, and the rows are added up
    once, after it: threads that share columns then need not exchange anything
    inside the loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormPlaceColumns : Pass<"norm-place-columns"> {
  let summary = "Put values per column where the schedule keeps them";
  let description = [{
    In row programs on buffers for a GPU, reads of columns that are the same
    for each row (gamma) are placed by the schedule's field `gamma`:
    `registers`, once, before anything else; `reload`, where they are first
    used, in each iteration of a loop over rows; `shared`, copied to workgroup
    memory once and read from there where they are used.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"
  ];
}

def NormStageRows : Pass<"norm-stage-rows"> {
  let summary = "Let rows come through a ring in workgroup memory";
  let description = [{
    In row programs on buffers for a GPU whose schedule has `stage = shared`,
    a loop over rows reads them from rings in workgroup memory. A row is cut
    into pieces, one for each vector of a thread. Each piece has a ring of its
    own, of `stages` slots, one more for the first `extra` of them; its copy
    (`norm.copy_rows`) is a group of its own, and it is waited for alone, where
    it is read. Before the loop the copies to all slots are started; at the end
    of an iteration those of the rows that are as many iterations ahead as the
    piece has slots. Each thread copies what it reads, so there is no barrier.
    Rows of which all columns are one element (stride 0) are read where they lie,
    and so are rows that the program writes, unless each iteration writes those
    that it has read, in the same place.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect", "::rudnn::norm::NormDialect"
  ];
}

def NormMultiplyEarly : Pass<"norm-multiply-early"> {
  let summary = "Form products before a reduction that they do not wait for";
  let description = [{
    In row programs on buffers for a GPU whose schedule has `product = early`,
    a product of rows after a reduction along them of which two or more factors
    do not depend on it is taken apart: those factors, and the reads that they
    come from, move in front of the reduction and are multiplied there, the
    others after it. The result differs by rounding, and where the product of
    the early factors alone leaves the range of f32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NormReloadRows : Pass<"norm-reload-rows"> {
  let summary = "Read rows again after a reduction";
  let description = [{
    In row programs on buffers for a GPU whose schedule has
    `stage = reload` or `stage = shared`, what is known of a row before a
    reduction along it and used after it is made again: the row is read a
    second time, from memory or from its place in workgroup memory, and need
    not be held in registers meanwhile. So are values per column that are in
    workgroup memory. A row that is overwritten is read again only if that is
    after the reduction and in the same place.
  }];
}

def NormCarryRows : Pass<"norm-carry-rows"> {
  let summary = "Read the next rows while some are computed";
  let description = [{
    In row programs on buffers for a GPU whose schedule has `prefetch = n`, a
    loop over rows starts each iteration with the reads of the n-th next one and
    carries them over in registers. With `stage = shared` this is what does not
    come through workgroup memory, values per row above all, of the next
    iteration. The last iterations read the last rows again; without iterations
    nothing is read. Rows that another iteration may write are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormSetCachePolicies : Pass<"norm-set-cache-policies"> {
  let summary = "Mark accesses to rows with the schedule's cache policies";
  let description = [{
    In row programs on buffers for a GPU, reads and writes of rows get the
    attribute `norm.cache` with the policy that the schedule's fields
    `first_read`, `second_read` and `store` name, unless that is `normal`.
    Values per row and per column, and sums over rows, are left alone.
  }];
}

def NormVersionAlignment : Pass<"norm-version-alignment"> {
  let summary = "Choose at run time between aligned and unaligned row programs";
  let description = [{
    A wide access of a thread of a GPU needs an aligned address. Where a row
    program for a GPU would access buffers wider than their types and
    `memref.assume_alignment` allow, it is put into both branches of an
    `scf.if` on the alignment of their pointers, dynamic offsets and dynamic
    strides. The loop in the first branch is marked `norm.aligned`. Programs next
    to each other that are to be one launch (`norm.launch`) share a choice.

    An `scf.if` on `norm.is_aligned` is such a choice already: that op becomes
    the check of what the programs in its first branch access, for all of its
    uses. A program whose buffers are made after the first use is left as any
    other.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def NormDistribute : Pass<"norm-distribute"> {
  let summary = "Spread a row program on buffers over vectors and threads";
  let description = [{
    Rewrites each `scf.forall` with a `norm.schedule`; the value of a row
    becomes pieces of the schedule's `vector` elements. Elementwise ops are
    repeated for each piece. Nothing in the pass knows a norm.

    For a CPU (`threads = 0`) the loop stays. Reads and writes become
    `vector.load` and `vector.store` with the alignment of one element, masked
    where they may end past the row; a reduction along the row adds pieces
    first, then the lanes of one vector.

    For a GPU the loop becomes a `gpu.launch` of one block per iteration, with
    `threads` threads along x for each of the tile's `rows` rows along y.
    Thread x has the pieces k = 0, 1, ... at column
    `(k * threads + x) * vector`, so that a warp's access is contiguous. Pieces
    are shortened until they divide the row, so each lies wholly inside or
    outside; those outside are left out by a predicate, as are rows past the
    end, and no access is out of bounds. Alignment is claimed as far as it is
    known: from static layouts, `memref.assume_alignment` and the attribute
    `norm.aligned` on the loop. Reductions become `norm.thread_reduce`.

    The pass fails if a vector longer than a piece is left.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect", "::rudnn::norm::NormDialect"
  ];
}

def NormOrderPieces : Pass<"norm-order-pieces"> {
  let summary = "Do all that is done with a piece of a row together";
  let description = [{
    In loops of a `gpu.launch` that copy to workgroup memory asynchronously
    (`norm-stage-rows`), orders ops by the piece of the row that they need,
    between one `norm.thread_reduce` and the next. A piece that was waited for
    is added up before the next is waited for; after the last reduction each
    copy of a later piece starts when the place that it goes to was read, and
    few values wait in registers. Waits and copies keep their order among
    themselves, and so do accesses to one buffer of which one writes; copies are
    of later rows, which the iteration does not write.
  }];
}

def NormLowerThreadReduce : Pass<"norm-lower-thread-reduce"> {
  let summary = "Lower norm.thread_reduce to shuffles and workgroup memory";
  let description = [{
    Values of one warp are combined by `gpu.shuffle`, in a butterfly; those of
    several warps through workgroup memory, allocated at the start of the
    launch, with one `gpu.barrier`: each warp stores its part, and after the
    barrier every warp combines all parts alike. Warps of a cluster store
    their parts in the workgroup memory of each of its blocks (`nvvm.mapa`), and
    the barrier is the cluster's. Inside a loop the slots are
    doubled and taken in turns, so that one barrier per iteration is enough.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def NormWidenByShift : Pass<"norm-widen-by-shift"> {
  let summary = "Widen bf16 by moving bits where the schedule asks for it";
  let description = [{
    In launches whose schedule has `widen = shift`, conversions from bf16 to
    f32 become shifts of bits. With `widen = mixed` a value that is used on both
    sides of a barrier is widened by a shift before it and converted anew after
    it, so that 16 bits, not 32, stay in registers meanwhile. The results are
    the same bits.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def NormOutlineKernels : Pass<"norm-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make a kernel of each launch";
  let description = [{
    Runs upstream's `gpu-launch-sink-index-computations` and
    `gpu-kernel-outlining`. The kernels of launches made from row programs are
    called after the function and numbered; they carry the `norm.schedule` and,
    where it says `blocks`, `nvvm.minctasm`, so that the assembler leaves
    registers for that many blocks.

    Linalg ops that are left beside launches in a function run on the host; a
    warning names each.
  }];
  let dependentDialects = ["::mlir::DLTIDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // RUDNN_ROWPROGRAM_PASSES
