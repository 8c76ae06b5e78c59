//===- NormEnums.td - Enumerations of the norm dialect -----*- tablegen -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_NORMENUMS
#define RUDNN_DIALECT_NORM_IR_NORMENUMS

include "mlir/IR/EnumAttr.td"

def Norm_ThreadAxis : I32Enum<"ThreadAxis", "Axis of the threads of a block", [
    I32EnumCase<"x", 0>, I32EnumCase<"y", 1>]> {
  let cppNamespace = "::rudnn::norm";
}

#endif // RUDNN_DIALECT_NORM_IR_NORMENUMS
