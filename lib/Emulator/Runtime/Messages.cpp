//===- Messages.cpp - what a kernel did wrong -----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Cluster.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace rudnn::emulator;

static void printAndExit(const char *message) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", message);
  std::_Exit(1);
}

static void (*errorHandler)(const char *) = printAndExit;

void rudnn::emulator::setErrorHandler(void (*handler)(const char *)) {
  errorHandler = handler ? handler : printAndExit;
}

std::string rudnn::emulator::format(const int64_t *position) {
  return "(" + std::to_string(position[0]) + ", " +
         std::to_string(position[1]) + ", " + std::to_string(position[2]) + ")";
}

/// Line `number` of a text; the last line if it has not so many.
static std::string getLine(const char *text, int64_t number) {
  for (const char *end; number-- > 0 && (end = std::strchr(text, '\n'));)
    text = end + 1;
  return std::string(text, std::strcspn(text, "\n"));
}

std::string Cluster::describeOp(int32_t op) const {
  std::string line = getLine(current->description, op + 1);
  size_t tab = line.find('\t');
  std::string place = line.substr(tab + 1);
  std::string text = line.substr(0, tab);
  return place.empty() ? text : text + " (" + place + ")";
}

/// The thread, seen from another of its cluster.
std::string Cluster::describePosition(const Thread &thread) const {
  std::string text = "thread " + format(thread.position.data());
  if (blocksOfCluster > 1)
    text += " of block " + format(thread.block->position.data());
  return text;
}

std::string Cluster::describe(const Thread &thread) const {
  return "kernel @" + getLine(current->description, 0) + ", block " +
         format(thread.block->position.data()) + ", thread " +
         format(thread.position.data());
}

void Cluster::fail(const Thread *thread, const std::string &message) {
  std::string where = thread ? describe(*thread)
                             : "kernel @" + getLine(current->description, 0);
  errorHandler((where + ": " + message).c_str());
  std::abort();
}

static std::string describeHazard(Hazard hazard) {
  switch (hazard) {
  case Hazard::Unwritten:
    return "that nobody has written";
  case Hazard::CopyPending:
    return "that an asynchronous copy, not waited for, is to write";
  case Hazard::ReadAfterWrite:
  case Hazard::WriteAfterWrite:
    return "that another thread has written, with no barrier in between";
  case Hazard::WriteAfterRead:
    return "that another thread has read, with no barrier in between";
  case Hazard::None:
    break;
  }
  return "";
}

void Cluster::failAccess(Thread &thread, int32_t op, Hazard hazard,
                         const Access &before, const char *verb) {
  std::string message = std::string(verb) + " of workgroup memory " +
                        describeHazard(hazard) + "\n  at: " + describeOp(op);
  if (hazard != Hazard::Unwritten) {
    std::string other = before.thread == Access::kSeveral
                            ? "several threads"
                            : describePosition(threads[before.thread]);
    message += "\n  before, " + other + " at: " + describeOp(before.op);
  }
  fail(&thread, message);
}

/// Where a thread is that others wait for.
static const char *describeState(State state) {
  switch (state) {
  case State::AtBarrier:
    return "waits at a barrier";
  case State::AtShuffle:
    return "waits at a shuffle";
  case State::AtClusterBarrier:
    return "waits at the cluster's barrier";
  case State::Finished:
    return "has finished";
  case State::Ready:
    break;
  }
  return "runs";
}

void Cluster::failDivergent(const Thread &thread, const Thread &other,
                            const char *what) {
  std::string message =
      std::string("divergent ") + what + "\n  at: " + describeOp(thread.op) +
      "\n  " + describePosition(other) + " " + describeState(other.state);
  if (other.state != State::Finished)
    message += ": " + describeOp(other.op);
  fail(&thread, message);
}

/// No thread can run, and not all have finished: somebody waits at a barrier
/// that somebody else does not come to.
void Cluster::failStuck() {
  const Thread *waiting = nullptr;
  for (const Thread &thread : threads)
    if (thread.state == State::AtBarrier)
      waiting = &thread;
  if (waiting) {
    for (int64_t i = 0; i < threadsOfBlock; ++i)
      if (waiting->block->threads[i].state != State::AtBarrier)
        failDivergent(*waiting, waiting->block->threads[i], "barrier");
  }
  for (const Thread &thread : threads)
    if (thread.state == State::AtClusterBarrier)
      waiting = &thread;
  for (const Thread &thread : threads)
    if (thread.arrivals < waiting->arrivals)
      failDivergent(*waiting, thread, "cluster barrier");
  fail(waiting, "waits for threads that do not come");
}
