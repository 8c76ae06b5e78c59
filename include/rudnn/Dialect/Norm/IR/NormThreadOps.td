//===- NormThreadOps.td - Ops of threads that share rows ----*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMTHREADOPS
#define RUDNN_DIALECT_NORM_IR_NORMTHREADOPS

include "mlir/Dialect/Vector/IR/VectorAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "rudnn/Dialect/Norm/IR/NormDialect.td"
include "rudnn/Dialect/Norm/IR/NormEnums.td"

def Norm_ThreadAxisAttr : EnumAttr<Norm_Dialect, Norm_ThreadAxis,
                                   "thread_axis"> {
  let assemblyFormat = "$value";
}

def Norm_DistinctAttr : Attr<CPred<"::llvm::isa<::mlir::DistinctAttr>($_self)">,
                             "a distinct attribute"> {
  let storageType = "::mlir::DistinctAttr";
  let returnType = "::mlir::DistinctAttr";
  let convertFromStorage = "$_self";
}

// Not to be moved: what it will look at may be made right before its use.
def Norm_IsAlignedOp : Op<Norm_Dialect, "is_aligned", [NoMemoryEffect]> {
  let summary = "Whether buffers turn out to be aligned";
  let description = [{
    The condition of an `scf.if` whose first branch has row programs for a GPU
    with wide accesses, and whose second has others that do the same with
    narrow ones. What must be aligned is clear once tensors have become
    buffers: the pass norm-version-alignment replaces the op by a check of what
    the row programs in the first branch access. Whatever else uses the result
    by then, such as a deallocation of what one branch allocates, sees the same
    value. `id` keeps the ops of different choices apart.

    Example:

    ```mlir
    %aligned = norm.is_aligned distinct[0]<>
    ```
  }];
  let arguments = (ins Norm_DistinctAttr:$id);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $id `` custom<OtherAttrs>(attr-dict, "getOperationName()", "{\"id\"}")
  }];
}

def Norm_ThreadReduceOp : Op<Norm_Dialect, "thread_reduce", [
    NoMemoryEffect, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Combine values of the threads of a block along one axis";
  let description = [{
    The threads of a block stand in `rows` rows of `threads`. Along `x` the
    values of the threads of one row are combined, along `y` those of the
    threads at one place of each row; every one of them gets the result. With
    `cluster`, the threads of a row along `x` are those of so many blocks. The
    order of combination depends on the shape alone, so the same values give
    the same bits.

    All threads of the block must reach the op together. Operands are f32 or
    vectors of f32 (vectors along `y` only), each combined by itself.

    Example:

    ```mlir
    %sum = norm.thread_reduce <add> along x rows 2 threads 128(%v) : f32
    ```
  }];
  let arguments = (ins Vector_CombiningKindAttr:$kind,
                       Norm_ThreadAxisAttr:$axis,
                       ConfinedAttr<I64Attr, [IntPositive]>:$rows,
                       ConfinedAttr<I64Attr, [IntPositive]>:$threads,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$cluster,
                       Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$sums);
  let assemblyFormat = [{
    $kind `along` $axis `rows` $rows `threads` $threads (`cluster` $cluster^)?
    `(` $values `)`
    `` custom<OtherAttrs>(attr-dict, "getOperationName()", "{\"kind\", \"axis\", \"rows\", \"threads\", \"cluster\"}")
    `:` type($values)
  }];
  let hasVerifier = 1;
}

def Norm_CopyRowsOp : Op<Norm_Dialect, "copy_rows", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Start to copy rows to workgroup memory";
  let description = [{
    Copies a vector of rows of `source`, from `sourceIndices` on, to `target`,
    in workgroup memory, from `targetIndices` on. The copy may go on after the
    op; it has arrived for the thread that began it once an
    `nvvm.cp.async.wait.group` has passed. Where `inBounds` is false the source
    may end before the vector; zeros are written there.

    Part of a row program: `norm-distribute` cuts it into
    `nvgpu.device_async_copy`, or into loads and stores where addresses are not
    aligned.

    Example:

    ```mlir
    norm.copy_rows %x[%row, %c0] to %ring[%slot, %c0, %c0] in_bounds [false, true]
        : vector<2x256xbf16>, memref<?x256xbf16>, memref<3x2x256xbf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$source, Variadic<Index>:$sourceIndices,
                       AnyStridedMemRef:$target, Variadic<Index>:$targetIndices,
                       TypeAttrOf<AnyVectorOfNonZeroRank>:$vectorType,
                       DenseBoolArrayAttr:$inBounds);
  let assemblyFormat = [{
    $source `[` $sourceIndices `]` `to` $target `[` $targetIndices `]`
    `in_bounds` $inBounds
    `` custom<OtherAttrs>(attr-dict, "getOperationName()", "{\"operandSegmentSizes\", \"inBounds\", \"vectorType\"}")
    `:` $vectorType `,` type($source) `,` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::VectorType getVector() {
      return ::llvm::cast<::mlir::VectorType>(getVectorType());
    }
  }];
}

#endif // RUDNN_DIALECT_NORM_IR_NORMTHREADOPS
