//===- tune-call.cpp - tune without a tool --------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: tune-call FILE.mlir CACHE.json
//
//===----------------------------------------------------------------------===//

#include "rudnn/InitAll.h"
#include "rudnn/Runner/Runner.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/TargetSelect.h"

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  mlir::DialectRegistry registry;
  rudnn::registerAllDialects(registry);
  rudnn::registerAllExtensions(registry);
  rudnn::registerAllToLLVMIRTranslations(registry);
  mlir::MLIRContext context(registry);

  rudnn::runner::RunOptions options;
  options.path = argv[1];
  options.tuningCache = argv[2];
  options.tuneBudget = 0.5;
  auto result = rudnn::runner::tune(options, context);
  if (!result)
    return static_cast<int>(rudnn::runner::report(result.takeError()));
  llvm::outs() << "winner: " << result->tried[*result->winner].schedule << "\n";
  return 0;
}
