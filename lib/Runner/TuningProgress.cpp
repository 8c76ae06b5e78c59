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

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace rudnn::runner;

static constexpr unsigned kUsualColumns = 80, kBarColumns = 20;

TuningProgress::TuningProgress(size_t total, bool isShown)
    : isShown(isShown),
      isTerminal(isShown && llvm::sys::Process::StandardErrIsDisplayed()),
      total(total) {}

void TuningProgress::clear() {
  if (isTerminal)
    llvm::errs() << "\r\x1b[K";
}

std::string TuningProgress::makeBar(double timePart) const {
  double part = std::max(timePart, double(tried) / double(total));
  auto done = static_cast<size_t>(std::min(part, 1.0) * kBarColumns);
  return "[" + std::string(done, '=') + std::string(kBarColumns - done, ' ') +
         "] ";
}

/// As the terminal says, which LLVM does not ask, or the environment.
static unsigned getColumns() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    return size.ws_col;
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  return columns > 1 ? columns : kUsualColumns;
}

void TuningProgress::print(llvm::StringRef line, double timePart) {
  if (!isTerminal) {
    llvm::errs() << "tune " << line << '\n';
    return;
  }
  clear();
  // A line that wraps could not be written over.
  std::string text = makeBar(timePart) + line.str();
  llvm::errs() << llvm::StringRef(text).take_front(getColumns() - 1);
}

void TuningProgress::warn(const TuningCandidate &candidate) {
  clear();
  llvm::WithColor::warning() << "--tune: " << candidate.getLabel()
                             << " is dropped: " << candidate.dropped << '\n';
}

void TuningProgress::add(const TuningCandidate &candidate, double timePart) {
  if (!isShown)
    return;
  // The results of a run are on the standard output.
  llvm::outs().flush();
  ++tried;
  if (!candidate.dropped.empty())
    return warn(candidate);
  bool isBest = best == 0 || candidate.microseconds < best;
  best = isBest ? candidate.microseconds : best;
  print(llvm::formatv("{0} of {1}: {2:f1} us, best {3:f1} us, {4}", tried,
                      total, candidate.microseconds, best, candidate.getLabel())
            .str(),
        timePart);
}
