//===- NormOps.td - The norm ops ---------------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMOPS
#define RUDNN_DIALECT_NORM_IR_NORMOPS

include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/RuntimeVerifiableOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "rudnn/Dialect/Norm/IR/NormAttrs.td"
include "rudnn/Dialect/Norm/IR/NormDialect.td"
include "rudnn/Dialect/Norm/IR/NormInterfaces.td"
include "rudnn/Dialect/Norm/IR/NormThreadOps.td"

def Norm_Shaped : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

class Norm_RowwiseOp<string mnemonic> : Op<Norm_Dialect, mnemonic, [
    AttrSizedOperandSegments,
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<RuntimeVerifiableOpInterface>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition", "generateResultTileValue",
      "getIterationDomainTileFromResultTile",
      "getIterationDomainTileFromOperandTiles",
      "getTiledImplementationFromOperandTiles"]>,
    DeclareOpInterfaceMethods<RowwiseOpInterface, [
      "getOperandRole", "getOperandName", "getRows", "reducesRows",
      "isTileable"]>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  code sharedClassDeclaration = [{
    ::mlir::ShapedType getXType() {
      return ::mlir::cast<::mlir::ShapedType>(getX().getType());
    }
  }];
}

def Norm_RMSNormOp : Norm_RowwiseOp<"rms_norm"> {
  let summary = "Root-mean-square norm over the last axis";
  let description = [{
    For each row `m` of `x`, with `f32(.)` widening and `g[n]` the affine
    factor `f32(gamma[n]) + gamma_offset` (1 without `gamma`):

        rstd[m] = 1 / sqrt(sum_n f32(x[m,n])^2 / N + f32(epsilon))
        y[m,n]  = cast(f32(x[m,n]) * rstd[m] * g[n])

    (Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.)
    There is one rounding, to the element type of `x`. `rstd` is the value
    that the op used; it is f32, and left out where nobody needs it.

    Shapes and types, by constraint:
    - rms_norm_c1: `x` has rank >= 1.
    - rms_norm_c2: `x` has N >= 1 columns.
    - rms_norm_c3: `x`, `gamma`, `y` hold f32, f16 or bf16.
    - rms_norm_c4: `gamma` has shape `[N]`.
    - rms_norm_c5: `y` has the shape and the element type of `x`.
    - rms_norm_c6: `rstd` has the leading shape of `x` and holds f32.
    - rms_norm_c7: `epsilon` is finite and > 0, as f32 too.
    - rms_norm_c8: `gamma_offset` is finite, and 0 without `gamma`.
    - rms_norm_c9: the operands are all tensors or all memrefs.
    - rms_norm_c10: the last axis of a memref has stride 1, and rows of `y`, as
      values of `rstd`, do not overlap: a stride is at least what the axes of
      smaller strides reach. Where an axis has size 0 any strides will do.
    - rms_norm_c11: a memref that is written is no other operand, but `y` may be
      `x`.

    Example:

    ```mlir
    %y, %rstd = norm.rms_norm epsilon(1.0e-06)
        ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xf32>)
        outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>)
        -> tensor<?x4096xbf16>, tensor<?xf32>

    // On buffers, without rstd, with zero-centred weights.
    norm.rms_norm epsilon(1.0e-06) gamma_offset(1.0)
        ins(%xb, %gammab : memref<?x4096xbf16>, memref<4096xbf16>)
        outs(%yb : memref<?x4096xbf16>)
    ```
  }];
  let arguments = (ins
    Norm_Shaped:$x, Optional<Norm_Shaped>:$gamma,
    Norm_Shaped:$y, Optional<Norm_Shaped>:$rstd,
    F64Attr:$epsilon, DefaultValuedAttr<F32Attr, "0.0f">:$gamma_offset,
    OptionalAttr<Norm_ScheduleAttr>:$schedule);
  let assemblyFormat = [{
    `epsilon` `(` custom<Epsilon>($epsilon) `)` (`gamma_offset` `(` custom<Offset>($gamma_offset)^ `)`)?
    `ins` `(` $x (`,` $gamma^)? `:` type($x) (`,` type($gamma)^)? `)`
    `outs` `(` $y (`,` $rstd^)? `:` type($y) (`,` type($rstd)^)? `)`
    `` custom<OtherAttrs>(attr-dict, "getOperationName()", "{\"operandSegmentSizes\", \"epsilon\", \"gamma_offset\"}")
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = sharedClassDeclaration # [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

def Norm_RMSNormBackwardOp : Norm_RowwiseOp<"rms_norm_backward"> {
  let summary = "Gradients of the root-mean-square norm that are asked for";
  let description = [{
    The gradients of `norm.rms_norm` with respect to its input and its
    weight, given the gradient `dy` of its result and the `rstd` that it
    saved. With `g[n]` the affine factor as in `norm.rms_norm`:

        c[m]      = sum_n f32(dy[m,n]) * g[n] * f32(x[m,n]) * rstd[m] / N
        dx[m,n]   = cast(rstd[m] * (f32(dy[m,n]) * g[n] - f32(x[m,n]) * rstd[m] * c[m]))
        dgamma[n] = cast(sum_m f32(dy[m,n]) * f32(x[m,n]) * rstd[m])

    (the chain rule applied to the formula of `norm.rms_norm`.)
    `input_grad` receives `dx`, `weight_grad` receives `dgamma`. Which of
    them stand there is the mask: what is left out is not computed, and a
    result without uses is dropped, and with it a `schedule` that does not fit
    what is left. `gamma` serves `dx` only and is left out with it. With M = 0
    rows `dgamma` is all zeros.

    With `accumulate`, `dgamma` is not cast but added, in f32, to what
    `weight_grad` holds: for gradients over several calls, and the form that
    a tile of rows has.

    Shapes and types, by constraint:
    - rms_norm_backward_c1: `x` has rank >= 1.
    - rms_norm_backward_c2: `x` has N >= 1 columns.
    - rms_norm_backward_c3: `x`, `dy`, `gamma`, `input_grad` and
      `weight_grad` hold f32, f16 or bf16.
    - rms_norm_backward_c4: `gamma` and `weight_grad` have shape `[N]`.
    - rms_norm_backward_c5: `dy` and `input_grad` have the shape of `x`;
      `input_grad` has the element type of `x`.
    - rms_norm_backward_c6: `rstd` has the leading shape of `x` and holds f32.
    - rms_norm_backward_c7: `weight_grad` has the element type of `gamma` if
      that is given, and f32 with `accumulate`.
    - rms_norm_backward_c8: `gamma_offset` is finite, and 0 without `gamma`.
    - rms_norm_backward_c9: the operands are all tensors or all memrefs.
    - rms_norm_backward_c10: the last axis of a memref has stride 1, except
      that of `dy`, where stride 0 (an expanded gradient) is allowed too, and
      rows of `input_grad` do not overlap, as those of `y` in `norm.rms_norm`.
    - rms_norm_backward_c11: a memref that is written is no other operand, but
      `input_grad` may be `x` or `dy`.

    Example:

    ```mlir
    %dx, %dgamma = norm.rms_norm_backward
        ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>)
        input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dgamma0 : tensor<4096xf32>)
        -> tensor<?x4096xbf16>, tensor<4096xf32>

    // The weight gradient alone reads no gamma.
    %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>)
        weight_grad(%dgamma0 : tensor<4096xf32>) -> tensor<4096xf32>
    ```
  }];
  let arguments = (ins
    Norm_Shaped:$x, Norm_Shaped:$dy, Norm_Shaped:$rstd,
    Optional<Norm_Shaped>:$gamma,
    Optional<Norm_Shaped>:$input_grad, Optional<Norm_Shaped>:$weight_grad,
    DefaultValuedAttr<F32Attr, "0.0f">:$gamma_offset, UnitAttr:$accumulate,
    OptionalAttr<Norm_ScheduleAttr>:$schedule);
  let assemblyFormat = [{
    (`accumulate` $accumulate^)? (`gamma_offset` `(` custom<Offset>($gamma_offset)^ `)`)?
    `ins` `(` $x `,` $dy `,` $rstd (`,` $gamma^)? `:`
      type($x) `,` type($dy) `,` type($rstd) (`,` type($gamma)^)? `)`
    (`input_grad` `(` $input_grad^ `:` type($input_grad) `)`)?
    (`weight_grad` `(` $weight_grad^ `:` type($weight_grad) `)`)?
    `` custom<OtherAttrs>(attr-dict, "getOperationName()", "{\"operandSegmentSizes\", \"gamma_offset\", \"accumulate\"}")
    (`->` type($results)^)?
  }];
  let extraClassDeclaration = sharedClassDeclaration # [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

#endif // RUDNN_DIALECT_NORM_IR_NORMOPS
