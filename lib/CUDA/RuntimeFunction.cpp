//===- RuntimeFunction.cpp - What the runtime gives host code -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunction.h"

#include "rudnn/Support/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Utils/Utils.h"

using namespace mlir;

LogicalResult rudnn::declareRuntimeFunction(ModuleOp module, StringRef name,
                                            TypeRange arguments) {
  OpBuilder b(module.getContext());
  FunctionType type = b.getFunctionType(arguments, TypeRange());
  Operation *known = module.lookupSymbol(name);
  if (!known) {
    func::createFnDecl(b, module, name, type, /*setPrivate=*/true);
    return success();
  }
  auto function = dyn_cast<func::FuncOp>(known);
  if (function && function.getFunctionType() == type)
    return success();
  return emitShortOpError(known)
         << "expected @" << name << " to be the runtime's function of type "
         << type << ", got another";
}
