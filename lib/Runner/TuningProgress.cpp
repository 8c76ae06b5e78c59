//===- TuningProgress.cpp - what a tuner is at ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuningProgress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace rudnn::runner;

static constexpr unsigned kUsualColumns = 79;

TuningProgress::TuningProgress(size_t total, bool isShown)
    : isShown(isShown),
      isTerminal(isShown && llvm::sys::Process::StandardErrIsDisplayed()),
      total(total) {}

void TuningProgress::clear() {
  if (isTerminal)
    llvm::errs() << "\r\x1b[K";
}

void TuningProgress::print(llvm::StringRef line) {
  clear();
  if (!isTerminal) {
    llvm::errs() << line << '\n';
    return;
  }
  // A line that wraps could not be written over. A terminal that does not know
  // its width has 0 columns.
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  llvm::errs() << line.take_front(columns > 1 ? columns - 1 : kUsualColumns);
}

void TuningProgress::warn(const TuningCandidate &candidate) {
  clear();
  llvm::WithColor::warning() << "--tune: " << candidate.getLabel()
                             << " is dropped: " << candidate.dropped << '\n';
}

void TuningProgress::add(const TuningCandidate &candidate) {
  if (!isShown)
    return;
  // The results of a run are on the standard output.
  llvm::outs().flush();
  ++tried;
  if (!candidate.dropped.empty())
    return warn(candidate);
  bool isBest = best == 0 || candidate.microseconds < best;
  best = isBest ? candidate.microseconds : best;
  print(llvm::formatv("tune {0} of {1}: {2:f1} us, best {3:f1} us, {4}", tried,
                      total, candidate.microseconds, best, candidate.getLabel())
            .str());
}
