//===- Protect.cpp - go on after code that ended badly --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protect.h"

#include "llvm/Support/CrashRecoveryContext.h"

using namespace rudnn::runner;
using llvm::CrashRecoveryContext;

/// Not a local of the run, whose stack is gone when this is read.
static thread_local std::string endMessage;

/// A shell's exit code for a process that signal 0 ended.
static constexpr int kSignalBase = 128;

Protection::Protection() { CrashRecoveryContext::Enable(); }

Protection::~Protection() { CrashRecoveryContext::Disable(); }

std::string Protection::run(llvm::function_ref<void()> function) const {
  endMessage.clear();
  CrashRecoveryContext context;
  if (context.RunSafely(function))
    return "";
  if (!endMessage.empty())
    return endMessage;
  return "it ended by signal " + std::to_string(context.RetCode - kSignalBase);
}

void rudnn::runner::endProtectedRun(const char *message) {
  CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent();
  if (!context)
    return;
  endMessage = message;
  context->HandleExit(1);
}
