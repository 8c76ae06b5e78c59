//===- TuningCompiler.cpp - compile candidates ahead of time --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuningCompiler.h"

#include "mlir/IR/MLIRContext.h"

#include <thread>

using namespace rudnn::runner;

/// One is left to whoever launches and times.
static llvm::ThreadPoolStrategy getStrategy(bool worksAhead) {
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return llvm::hardware_concurrency(worksAhead ? std::max(1u, cores - 1)
                                               : cores);
}

TuningCompiler::TuningCompiler(TuningProblem &problem,
                               const CompileRequest &request,
                               const mlir::DialectRegistry &dialects,
                               const Protection &protection, bool worksAhead)
    : problem(problem), request(request), dialects(dialects),
      protection(protection), worksAhead(worksAhead),
      pool(getStrategy(worksAhead)) {}

void TuningCompiler::begin() {
  const TuningProblem::Choice &choice = problem.getChoices()[next];
  auto trial = std::make_unique<Trial>();
  trial->index = next++;
  trial->candidate.schedule = problem.format(choice.schedule);
  trial->candidate.names = choice.names;
  trial->source = problem.makeCandidate(choice.schedule);
  auto done = pool.async([this, trial = trial.get()] { compile(*trial); });
  jobs.push_back({std::move(trial), std::move(done)});
}

std::unique_ptr<Trial> TuningCompiler::takeNext() {
  // Some more than there are threads, so that none waits for the caller.
  size_t room = pool.getMaxConcurrency() * (worksAhead ? 2 : 1);
  if (worksAhead || jobs.empty())
    while (jobs.size() < room && next < problem.getChoices().size())
      begin();
  if (jobs.empty())
    return nullptr;
  if (worksAhead)
    jobs.front().done.wait();
  else
    pool.wait();
  std::unique_ptr<Trial> trial = std::move(jobs.front().trial);
  jobs.pop_front();
  return trial;
}

/// The first error among printed diagnostics, or else `other`.
static std::string findError(llvm::StringRef diagnostics,
                             const std::string &other) {
  auto [before, error] = diagnostics.split("error: ");
  return error.empty() ? other : error.split('\n').first.str();
}

void TuningCompiler::compile(Trial &trial) const {
  if (isOver)
    return;
  std::string &dropped = trial.candidate.dropped;
  std::string ended = protection.run([&] {
    mlir::MLIRContext context(dialects, mlir::MLIRContext::Threading::DISABLED);
    std::string diagnostics;
    llvm::raw_string_ostream os(diagnostics);
    CompileRequest own = request;
    own.source = llvm::MemoryBufferRef(trial.source, "candidate");
    own.diagnostics = &os;
    own.cacheDirectory.clear();
    auto function = CompiledFunction::compile(context, own);
    if (function)
      trial.function = std::make_unique<CompiledFunction>(std::move(*function));
    else
      dropped = findError(diagnostics, llvm::toString(function.takeError()));
  });
  if (!ended.empty())
    dropped = "the compiler: " + ended;
}
