//===- NormInterfaces.td - What norm ops have in common ----*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMINTERFACES
#define RUDNN_DIALECT_NORM_IR_NORMINTERFACES

include "mlir/IR/OpBase.td"

def RowwiseOpInterface : OpInterface<"RowwiseOpInterface"> {
  let cppNamespace = "::rudnn::norm";
  let description = [{
    An op that works row by row on operands `[..., N]`. Each operand has one
    of three roles, which fix its shape and how a tile of rows cuts it. The
    verifier, shape inference, tiling and the runner's argument checks are
    written against the roles, once for all norm ops.
  }];
  let methods = [
    InterfaceMethod<
      "The role of operand `operandNumber`.",
      "::rudnn::norm::OperandRole", "getOperandRole",
      (ins "unsigned":$operandNumber)>,
    InterfaceMethod<
      "The name of operand `operandNumber` as diagnostics give it.",
      "::llvm::StringRef", "getOperandName",
      (ins "unsigned":$operandNumber)>,
    InterfaceMethod<
      "The operand that defines rows and columns, of shape `[..., N]`.",
      "::mlir::Value", "getRows", (ins)>,
    InterfaceMethod<
      "Whether a result sums over the rows (a weight gradient).",
      "bool", "reducesRows", (ins)>,
    InterfaceMethod<
      "Whether tiles of rows may be computed one after the other into the "
      "same destination: no result sums over rows, or it accumulates.",
      "bool", "isTileable", (ins)>,
    InterfaceMethod<
      "The schedule, null if none is assigned.",
      "::rudnn::norm::ScheduleAttr", "getScheduleAttr", (ins)>,
    InterfaceMethod<
      "Sets or, with null, removes the schedule.",
      "void", "setScheduleAttr", (ins "::rudnn::norm::ScheduleAttr":$schedule)>,
  ];
}

#endif // RUDNN_DIALECT_NORM_IR_NORMINTERFACES
