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
    out has its default. All sizes are counts, not bytes.

    | field | default | effect |
    |-------|---------|--------|
    | `vector` | 16 | f32 lanes of one machine vector: 4 (128 bit), 8 (256) or 16 (512); a power of two |
    | `unroll` | 4 | vectors per step of the loop over a row, each with a partial sum of its own; more hides the latency of adds, fewer waste less on short rows |
    | `parts` | 0 | partial sums of the weight gradient, merged in ascending order; 0 means `clamp(ceil(M / 32), 1, 128)`, evaluated at run time |
    | `prefetch` | 0 | rows ahead of the current one whose cache lines are requested while this one is written; 0 requests none |
    | `nontemporal` | 0 | bytes a call must move before its row outputs are stored past the cache; 0 never |

    Example:

    ```mlir
    #norm.schedule<vector = 8, unroll = 2, parts = 32>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "16">:$vector,
    DefaultValuedParameter<"int64_t", "4">:$unroll,
    DefaultValuedParameter<"int64_t", "0">:$parts,
    DefaultValuedParameter<"int64_t", "0">:$prefetch,
    DefaultValuedParameter<"int64_t", "0">:$nontemporal
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The mapping of a loop of `rank` dimensions over row tiles.
    static ::mlir::ArrayAttr getTaskMapping(::mlir::MLIRContext *context,
                                            int64_t rank);

    /// Columns in one step of the loop over a row.
    int64_t getChunk() const { return getVector() * getUnroll(); }
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
