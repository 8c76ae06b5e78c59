//===- CodeCache.h - Compiled functions in files ----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file holds the object that was made of a module, kernels included, behind a
// line of JSON that says what its function returns. Its name is a hash of all
// that the object depends on. The driver keeps what it makes of kernels in a
// cache of its own.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_CODECACHE_H
#define RUDNN_LIB_RUNNER_CODECACHE_H

#include "rudnn/Runner/Jit.h"

namespace rudnn::runner {

struct CachedCode {
  std::vector<ReturnedResult> results;
  std::string object;
};

class CodeCache {
public:
  /// The cache's file for what is asked for.
  explicit CodeCache(const CompileRequest &request);

  /// What the file holds; none if it is not there, or, with a warning, if it
  /// cannot be used.
  std::optional<CachedCode> find() const;

  /// Writes the file as a whole; warns if that is not possible.
  void store(const CachedCode &code) const;

private:
  std::string path;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_CODECACHE_H
