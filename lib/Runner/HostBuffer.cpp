//===- HostBuffer.cpp - memory for one argument ---------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/HostBuffer.h"

#include "rudnn/Runner/Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace rudnn::runner;

static constexpr char kCanary = static_cast<char>(0xA5);

/// Canary bytes of a guarded buffer, at least; enough for a vector register.
static constexpr int64_t kCanaryBytes = 64;

namespace {

/// A protected page and what to say when it is touched.
struct GuardPage {
  char *begin;
  char *end;
  std::string message;
};

std::vector<GuardPage> &getGuardPages() {
  static std::vector<GuardPage> pages;
  return pages;
}

/// Signals that compiled code may raise, and who took them before.
struct Fault {
  int signal;
  struct sigaction previous;
};
Fault faults[] = {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}};

const char *(*describeFault)() = nullptr;

void print(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  (void)written;
}

[[noreturn]] void fail(const char *message) {
  print(message);
  if (const char *more = describeFault ? describeFault() : nullptr) {
    print(", ");
    print(more);
  }
  print("\n");
  _exit(static_cast<int>(ExitCode::CheckFailed));
}

/// Runs in a signal handler: only reads memory and calls write and _exit.
void onFault(int signal, siginfo_t *info, void *) {
  if (signal == SIGFPE)
    fail("error: an integer was divided by zero, or the smallest by -1");
  auto *address = static_cast<char *>(info->si_addr);
  for (const GuardPage &page : getGuardPages())
    if (address >= page.begin && address < page.end)
      fail(page.message.c_str());
  // Not ours: the same fault again, now for the handler that was there.
  for (const Fault &fault : faults)
    if (fault.signal == signal)
      sigaction(signal, &fault.previous, nullptr);
}

void installHandler() {
  static bool installed = false;
  if (std::exchange(installed, true))
    return;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  for (Fault &fault : faults)
    sigaction(fault.signal, &action, &fault.previous);
}

} // namespace

HostBuffer::~HostBuffer() {
  if (!pages)
    return;
  if (guarded)
    llvm::erase_if(getGuardPages(), [&](const GuardPage &page) {
      return page.begin == pages + numBytes;
    });
  int64_t pageSize = llvm::sys::Process::getPageSizeEstimate();
  munmap(pages, numBytes + (guarded ? pageSize : 0));
}

void HostBuffer::swap(HostBuffer &other) {
  std::swap(name, other.name);
  std::swap(pages, other.pages);
  std::swap(numBytes, other.numBytes);
  std::swap(data, other.data);
  std::swap(size, other.size);
  std::swap(guarded, other.guarded);
}

llvm::Expected<HostBuffer> HostBuffer::create(std::string name, int64_t size,
                                              const Placement &placement) {
  int64_t pageSize = llvm::sys::Process::getPageSizeEstimate();
  int64_t slack = placement.misalignment +
                  (placement.guard ? kCanaryBytes + placement.alignment : 0);
  HostBuffer buffer;
  int64_t wanted;
  if (llvm::AddOverflow(size, slack + 2 * pageSize, wanted))
    return badInput(name + " has " + llvm::Twine(size) +
                    " bytes: more than there is");
  buffer.numBytes = llvm::alignTo(size + slack + 1, pageSize);
  buffer.guarded = placement.guard;
  void *pages =
      mmap(nullptr, buffer.numBytes + (placement.guard ? pageSize : 0),
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return badInput(name + ": cannot allocate " + llvm::Twine(size) +
                    " bytes: " + std::strerror(errno));
  // Large pages where the system has them: a benchmark should see the memory,
  // not the page tables.
  madvise(pages, buffer.numBytes, MADV_HUGEPAGE);
  buffer.name = std::move(name);
  buffer.pages = static_cast<char *>(pages);
  buffer.size = size;
  buffer.data = buffer.pages + placement.misalignment;
  if (!placement.guard)
    return std::move(buffer);
  char *end = buffer.pages + buffer.numBytes;
  // The data end at the protected page, or just short of it where that is what
  // puts their beginning at the alignment (plus the misalignment) asked for.
  auto begin = llvm::alignDown(
      reinterpret_cast<uintptr_t>(end - size - placement.misalignment),
      placement.alignment);
  buffer.data = reinterpret_cast<char *>(begin) + placement.misalignment;
  std::memset(buffer.pages, kCanary, buffer.data - buffer.pages);
  std::memset(buffer.data + size, kCanary, end - buffer.data - size);
  if (mprotect(end, pageSize, PROT_NONE) != 0)
    return deviceFailed("cannot protect a page: " +
                        llvm::Twine(std::strerror(errno)));
  installHandler();
  getGuardPages().push_back(
      {end, end + pageSize,
       "error: " + buffer.name + ": access past the end of the buffer"});
  return std::move(buffer);
}

void rudnn::runner::setFaultDescription(const char *(*describe)()) {
  describeFault = describe;
}

bool HostBuffer::isCanaryIntact() const {
  if (!guarded)
    return true;
  auto isCanary = [](char byte) { return byte == kCanary; };
  return std::all_of(static_cast<const char *>(pages), (const char *)data,
                     isCanary) &&
         std::all_of((const char *)data + size,
                     static_cast<const char *>(pages) + numBytes, isCanary);
}
