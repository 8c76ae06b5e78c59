//===- NormDialect.td - The norm dialect -------------------*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMDIALECT
#define RUDNN_DIALECT_NORM_IR_NORMDIALECT

include "mlir/IR/OpBase.td"

def Norm_Dialect : Dialect {
  let name = "norm";
  let cppNamespace = "::rudnn::norm";
  let summary = "Normalisation over the last axis, forward and masked backward";
  let description = [{
    The `norm` dialect holds normalisation operators as training frameworks
    define them, in destination style on ranked tensors or memrefs.

    An operand `x` has shape `[..., N]`. The leading axes together are the
    `M` *rows*; the last axis, of `N >= 1` *columns*, is normalised. `M` may
    be 0. Element types are f32, f16 and bf16 in any mix; statistics and all
    arithmetic are f32 with one rounding to the output type at the end.

    The ops implement `TilingInterface` over rows and
    `AggregatedOpInterface`, so upstream tiling, fusion and decomposition
    drive them. `#norm.schedule` on an op says how it is lowered.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Discardable attribute on a loop over row tiles that holds the
    /// schedule of the op it was made from.
    static constexpr ::llvm::StringLiteral kScheduleAttrName = "norm.schedule";

    /// Discardable attribute on an access to memory: a string, how it treats
    /// the caches (a value of the schedule's field `first_read`).
    static constexpr ::llvm::StringLiteral kCacheAttrName = "norm.cache";

    /// Discardable unit attribute on a loop over row tiles: 16 bytes divide
    /// the pointers of the buffers it uses, and their dynamic offsets and
    /// strides.
    static constexpr ::llvm::StringLiteral kAlignedAttrName = "norm.aligned";

    /// Discardable attribute on loops over row tiles and on the launches that
    /// they become: `distinct[N]<#norm.schedule<...>>`. Those with the same one
    /// are to be one launch, by that schedule.
    static constexpr ::llvm::StringLiteral kLaunchAttrName = "norm.launch";

    /// Discardable attribute on a kernel: what a caller must know of it.
    static constexpr ::llvm::StringLiteral kKernelAttrName = "norm.kernel";
  }];
}

#endif // RUDNN_DIALECT_NORM_IR_NORMDIALECT
