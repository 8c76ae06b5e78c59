//===- Failure.h - errors with the exit code they lead to -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_FAILURE_H
#define RUDNN_RUNNER_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace rudnn::runner {

/// The exit codes of rudnn-runner.
enum class ExitCode : int {
  Good = 0,
  CheckFailed = 1,
  BadInput = 2,
  DeviceFailed = 3
};

/// An error that ends the run.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;
  Failure(ExitCode code, std::string text)
      : code(code), text(std::move(text)) {}
  ExitCode getCode() const { return code; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  ExitCode code;
  std::string text;
};

/// Something the user gave cannot be used: exit code 2.
llvm::Error badInput(const llvm::Twine &message);

/// The device is missing or failed: exit code 3.
llvm::Error deviceFailed(const llvm::Twine &message);

/// Prints the error as `error: message` and returns its exit code; errors that
/// are not Failures count as bad input.
ExitCode report(llvm::Error error);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_FAILURE_H
