//===- Protect.h - go on after code that ended badly ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_PROTECT_H
#define RUDNN_LIB_RUNNER_PROTECT_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace rudnn::runner {

/// Lets code end this thread's current run by a signal or by
/// endProtectedRun, as long as one of these lives.
class Protection {
public:
  Protection();
  ~Protection();
  Protection(const Protection &) = delete;
  Protection &operator=(const Protection &) = delete;

  /// Returns how `function` ended if that was before its end, else nothing.
  /// What it had allocated by then is not freed.
  std::string run(llvm::function_ref<void()> function) const;
};

/// Ends the run that this thread is in, of which `message` says why. Does
/// nothing if there is none.
void endProtectedRun(const char *message);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_PROTECT_H
