//===- Failure.cpp - errors with the exit code they lead to ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Failure.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace rudnn::runner;

char Failure::ID = 0;

llvm::Error rudnn::runner::badInput(const llvm::Twine &message) {
  return llvm::make_error<Failure>(ExitCode::BadInput, message.str());
}

llvm::Error rudnn::runner::deviceFailed(const llvm::Twine &message) {
  return llvm::make_error<Failure>(ExitCode::DeviceFailed, message.str());
}

ExitCode rudnn::runner::report(llvm::Error error) {
  // Errors follow what led to them.
  llvm::outs().flush();
  ExitCode code = ExitCode::Good;
  llvm::handleAllErrors(
      std::move(error),
      [&](const Failure &failure) {
        code = failure.getCode();
        llvm::WithColor::error() << failure.message() << '\n';
      },
      [&](const llvm::ErrorInfoBase &other) {
        code = ExitCode::BadInput;
        llvm::WithColor::error() << other.message() << '\n';
      });
  return code;
}
