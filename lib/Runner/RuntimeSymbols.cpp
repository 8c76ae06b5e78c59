//===- RuntimeSymbols.cpp - what compiled code can call -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeSymbols.h"

#include "rudnn/Reference/EntryPoints.h"
#include "rudnn/Runner/Failure.h"
#include "rudnn/Runtime/Runtime.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace rudnn;
using namespace rudnn::runner;

/// Stands for puts in compiled code: `cf.assert` prints its message by it.
static int printMessage(const char *message) {
  llvm::outs().flush();
  llvm::WithColor::error() << message << '\n';
  return 0;
}

/// Stands for abort in compiled code: a check of operands at run time failed,
/// which is an input that cannot be used and no reason to dump core.
[[noreturn]] static void refuseInput() {
  llvm::outs().flush();
  std::_Exit(static_cast<int>(ExitCode::BadInput));
}

llvm::orc::SymbolMap
rudnn::runner::getRuntimeSymbols(llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  };
  add("rudnnParallelFor", rudnnParallelFor);
  add("memrefCopy", memrefCopy);
  add(reference::kForwardSymbol, rudnnReferenceRMSNorm);
  add(reference::kBackwardSymbol, rudnnReferenceRMSNormBackward);
  add("puts", printMessage);
  add("abort", refuseInput);
  return symbols;
}
