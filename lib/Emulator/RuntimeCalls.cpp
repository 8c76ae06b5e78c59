//===- RuntimeCalls.cpp - calls of the emulator's runtime -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace rudnn;

Value RuntimeCalls::call(OpBuilder &b, Location loc, StringRef name,
                         ValueRange arguments, Type result) {
  TypeRange results = result ? TypeRange(result) : TypeRange();
  if (!symbols.lookup(name)) {
    auto declaration = func::FuncOp::create(
        loc, name, b.getFunctionType(arguments.getTypes(), results));
    declaration.setPrivate();
    auto module = cast<ModuleOp>(symbols.getOp());
    symbols.insert(declaration, module.getBody()->begin());
  }
  auto call = func::CallOp::create(b, loc, name, results, arguments);
  return result ? call.getResult(0) : Value();
}
