//===- Guard.h - what a run must not have touched ---------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_GUARD_H
#define RUDNN_RUNNER_GUARD_H

#include "rudnn/Runner/Arguments.h"

namespace rudnn::runner {

/// A copy of the arguments' memory as it was before a run.
class Guard {
public:
  explicit Guard(llvm::ArrayRef<ArgumentBuffer> arguments);

  /// What has changed since though it should not: bytes of arguments that are
  /// only read, bytes between the elements of those that are written, canary
  /// bytes. A sentence each, naming the argument.
  std::vector<std::string> findViolations() const;

private:
  llvm::ArrayRef<ArgumentBuffer> arguments;
  std::vector<std::vector<char>> before;
};

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_GUARD_H
