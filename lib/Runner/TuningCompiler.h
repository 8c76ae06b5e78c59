//===- TuningCompiler.h - compile candidates ahead of time ------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_TUNINGCOMPILER_H
#define RUDNN_LIB_RUNNER_TUNINGCOMPILER_H

#include "Protect.h"
#include "TuningProblem.h"
#include "rudnn/Runner/Jit.h"
#include "rudnn/Runner/Tuning.h"

#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <deque>

namespace rudnn::runner {

/// A candidate on its way.
struct Trial {
  size_t index = 0;
  std::string source;
  /// None if it was dropped.
  std::unique_ptr<CompiledFunction> function;
  TuningCandidate candidate;
};

/// Compiles the schedules of a problem in their order, several at a time, each
/// in a context of its own.
class TuningCompiler {
public:
  /// With `worksAhead` it goes on while earlier trials are in use, on all cores
  /// but one; otherwise it does nothing then.
  TuningCompiler(TuningProblem &problem, const CompileRequest &request,
                 const mlir::DialectRegistry &dialects,
                 const Protection &protection, bool worksAhead);
  /// What was not begun is not compiled any more.
  ~TuningCompiler() { isOver = true; }
  TuningCompiler(const TuningCompiler &) = delete;
  TuningCompiler &operator=(const TuningCompiler &) = delete;

  /// The next trial, compiled or dropped; null after the last.
  std::unique_ptr<Trial> takeNext();

private:
  struct Job {
    std::unique_ptr<Trial> trial;
    std::shared_future<void> done;
  };

  void begin();
  /// In a thread of the pool.
  void compile(Trial &trial) const;

  TuningProblem &problem;
  const CompileRequest &request;
  const mlir::DialectRegistry &dialects;
  const Protection &protection;
  bool worksAhead;
  size_t next = 0;
  std::atomic<bool> isOver = false;
  std::deque<Job> jobs;
  /// Ends, and waits for its threads, before what they use.
  llvm::DefaultThreadPool pool;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_TUNINGCOMPILER_H
