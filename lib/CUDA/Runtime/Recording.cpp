//===- Recording.cpp - launches to be done again and again ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Pool.h"

using namespace rudnn::cuda;

Recording::Recording(const std::function<void()> &record) {
  const Driver &driver = getDriver();
  driver.beginCapture(getStream(), CaptureRelaxed);
  Pool::get().beginRecording();
  record();
  Pool::get().endRecording();
  driver.endCapture(getStream(), &graph);
  driver.instantiateGraph(&executable, graph, 0);
}

Recording::~Recording() {
  getDriver().destroyExecutable(executable);
  getDriver().destroyGraph(graph);
  Pool::get().dropRecording();
}

void Recording::play() const {
  getDriver().launchGraph(executable, getStream());
}

void rudnn::cuda::abandonRecording() {
  if (!Pool::get().isRecording())
    return;
  Pool::get().endRecording();
  void *graph = nullptr;
  // The driver may have ended it already.
  if (getDriver().endCapture.tryCall(getStream(), &graph) == 0 && graph)
    getDriver().destroyGraph(graph);
  Pool::get().dropRecording();
}

static void *createEvent() {
  void *event = nullptr;
  getDriver().createEvent(&event, 0);
  return event;
}

double rudnn::cuda::time(const std::function<void()> &work) {
  static void *begin = createEvent(), *end = createEvent();
  const Driver &driver = getDriver();
  driver.recordEvent(begin, getStream());
  work();
  driver.recordEvent(end, getStream());
  synchronize();
  float milliseconds = 0;
  driver.getElapsedTime(&milliseconds, begin, end);
  return 1000.0 * milliseconds;
}
