//===- NormAttrs.td - Schedules ----------------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMATTRS
#define RUDNN_DIALECT_NORM_IR_NORMATTRS

include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "rudnn/Dialect/Norm/IR/NormDialect.td"

def Norm_ScheduleAttr : AttrDef<Norm_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How a norm op is cut, vectorised and laid out";
  let description = [{
    Every tunable of the lowering; the passes read nothing else. A field left
    out has its default. Sizes are counts unless said otherwise. With
    `threads = 0` the rows are computed by threads of a CPU, each row by one;
    otherwise by blocks of a GPU.

    | field | default | effect |
    |-------|---------|--------|
    | `vector` | 16 | elements of a row that one access takes, a power of two in 1..64; on a CPU the f32 lanes of a machine vector (4, 8 or 16), on a GPU at most 16 bytes of the narrowest element of a row |
    | `unroll` | 4 | vectors per thread in one step of a loop over a row, each with a partial sum of its own; more hides the latency of adds, fewer waste less on short rows |
    | `parts` | 0 | partial sums of the weight gradient, merged in ascending order; 0 means `clamp(ceil(M / 32), 1, 128)`, evaluated at run time; on a GPU without a weight gradient, blocks or clusters that stay, each walking over its share of the rows, 0 for one to each tile of rows |
    | `prefetch` | 0 | rows ahead of the current one that are asked for while this one is computed: on a CPU their cache lines are requested, on a GPU (at most 4) their values are loaded into registers |
    | `nontemporal` | 0 | CPU: bytes a call must move before its row outputs are stored past the cache; 0 never |
    | `threads` | 0 | GPU: threads that share one row: a power of two <= 32 or whole warps, <= 1024; fewer give each more independent accesses, more need fewer registers each; 0 is the CPU |
    | `rows` | 1 | GPU: rows that a block computes at the same time, each by `threads` threads; more fill a block where rows are short |
    | `stage` | `registers` | GPU: where a row lives between its first use and its last: `registers`; `shared`, piece by piece in rings in shared memory that are filled asynchronously, so that later rows are under way while one is computed; `reload`, read twice, the second time from a cache; `loop`, read twice and walked in steps, which bounds neither N nor needs it to be known |
    | `stages` | 2 | GPU: rows that the rings in shared memory hold, 1..8; more hide more latency and leave room for fewer blocks; with 1 each piece of a row is refilled in place once it was read |
    | `extra` | 0 | GPU: pieces of a thread in one more row that the rings hold, fewer than a row has; they keep memory busy while a block waits for its sums, where there is no room for another whole row |
    | `gamma` | `registers` | GPU: where the values per column live while rows pass: `registers`; `reload`, read again for each row, which saves registers; `shared`, each thread's own part in shared memory |
    | `blocks` | 0 | GPU: blocks per multiprocessor that the assembler must leave registers for; 0 says nothing |
    | `first_read` | `normal` | GPU: cache policy of the first read of a row: `normal`, `evict_first`, `evict_last`, `no_allocate` or `streaming` |
    | `second_read` | `normal` | GPU: cache policy of the second read of a row, where there is one |
    | `store` | `normal` | GPU: cache policy of the row outputs |
    | `merge_columns` | 32 | GPU: columns that one block takes when the parts of a weight gradient are merged, a power of two; fewer spread narrow rows over more blocks, more read longer pieces |
    | `strips` | 0 | GPU: strips of columns that the weight gradient is cut into. Blocks of their own walk down the rows of a strip, with the threads of a block of rows, a few of them along the columns and the rest along rows; 0 keeps rows whole. Beside dx, which is in the same launch, rows are read twice, which pays for few rows; alone, strips are for long ones |
    | `cluster` | 1 | GPU: blocks that share a row, 1, 2, 4 or 8, each with `threads` threads a row; more hold longer rows, but every reduction waits for all of them |
    | `widen` | `convert` | GPU: how bf16 becomes f32: `convert` by the conversion; `shift` by moving bits, which some kernels do faster; `mixed`, moved before a barrier and converted anew after it, so that no f32 copy stays in registers across it, and what stays for many rows anew for each |
    | `product` | `late` | GPU: when what a sum along the row scales is multiplied by values per column: `late`, after the sum, in the order of the formula; `early`, before it, so that less is left to do after the wait; products of huge values may overflow then that would not with the scale |
    | `launch` | `normal` | GPU: how kernels are launched that follow each other directly, as the merge of the parts of a weight gradient does: `normal`, when the one before is done; `dependent` (programmatic dependent launch, from sm_90), when all its blocks have begun, to wait in the kernel until it is done, which hides the start of a launch; `chained`, each kernel so, also the first, behind whatever kernel is before it in the stream |

    Example, for a CPU with vectors of 256 bits:

    ```mlir
    #norm.schedule<vector = 8, unroll = 2, parts = 32>
    ```

    On a GPU, with eight warps a row and a row on its way to shared memory
    while another is computed:

    ```mlir
    #norm.schedule<vector = 8, threads = 256, stage = shared, gamma = reload>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::rudnn::norm::Schedule", "the fields",
                  "const ::rudnn::norm::Schedule &">:$value
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The mapping of a loop of `rank` dimensions over row tiles.
    static ::mlir::ArrayAttr getTaskMapping(::mlir::MLIRContext *context,
                                            int64_t rank);

    int64_t getVector() const { return getValue().vector; }
    int64_t getUnroll() const { return getValue().unroll; }
    int64_t getParts() const { return getValue().parts; }
    int64_t getPrefetch() const { return getValue().prefetch; }
    int64_t getNontemporal() const { return getValue().nontemporal; }

    /// Whether rows are computed by blocks of a GPU.
    bool isGPU() const { return getValue().isGPU(); }

    /// Columns in one step of the loop over a row.
    int64_t getChunk() const { return getValue().getChunk(); }
  }];
}

def Norm_TaskAttr : AttrDef<Norm_Dialect, "Task", [
    DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>]> {
  let mnemonic = "task";
  let summary = "Maps a dimension of a loop over row tiles to tasks";
  let description = [{
    Says that the iterations of a dimension of an `scf.forall` are tasks that
    may run at the same time: threads of a CPU take ranges of them, blocks of
    a GPU one or more each. `dim` numbers the dimensions, the innermost 0.

    Example:

    ```mlir
    scf.forall (%i) in (%rows) { ... } {mapping = [#norm.task<0>]}
    ```
  }];
  let parameters = (ins "int64_t":$dim);
  let assemblyFormat = "`<` $dim `>`";
}

#endif // RUDNN_DIALECT_NORM_IR_NORMATTRS
