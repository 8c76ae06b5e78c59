//===- Driver.cpp - the CUDA driver, loaded at run time -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace rudnn::cuda;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static void printAndExit(const char *message) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", message);
  std::_Exit(3);
}

static void (*errorHandler)(const char *) = printAndExit;

void rudnn::cuda::setErrorHandler(void (*handler)(const char *)) {
  errorHandler = handler ? handler : printAndExit;
}

void rudnn::cuda::fail(const std::string &message) {
  errorHandler(message.c_str());
  std::abort();
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// What is open; never closed, since compiled code may still use it when the
/// process ends.
struct State {
  Driver driver;
  int device = 0;
  void *stream = nullptr;
  bool isOpen = false;
};
} // namespace

static std::vector<Symbol *> &getSymbols() {
  static auto *symbols = new std::vector<Symbol *>;
  return *symbols;
}

Symbol::Symbol(const char *name) : name(name) { getSymbols().push_back(this); }

static State &getState() {
  static auto *state = new State;
  return *state;
}

std::string rudnn::cuda::describe(Status status) {
  const char *message = nullptr;
  getState().driver.getErrorString.tryCall(status, &message);
  return (message ? message : "unknown error") +
         (" (" + std::to_string(status) + ")");
}

void rudnn::cuda::check(Status status, const std::string &subject,
                        const char *what) {
  if (status != 0)
    fail((subject.empty() ? "" : subject + ": ") + what + ": " +
         describe(status));
}

/// Returns what is missing.
static std::optional<std::string> loadSymbols() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return "no CUDA driver: " + std::string(dlerror());
  for (Symbol *symbol : getSymbols()) {
    symbol->address = dlsym(library, symbol->name);
    if (!symbol->address)
      return "the CUDA driver is too old: it has no " +
             std::string(symbol->name);
  }
  return std::nullopt;
}

std::optional<std::string> rudnn::cuda::openDriver() {
  State &state = getState();
  if (state.isOpen)
    return std::nullopt;
  if (auto missing = loadSymbols())
    return missing;
  Driver &driver = state.driver;
  Status status = driver.init.tryCall(0);
  if (status == 0)
    status = driver.getDevice.tryCall(&state.device, 0);
  if (status != 0)
    return "no GPU: " + describe(status);
  void *context = nullptr;
  driver.retainContext(&context, state.device);
  driver.setContext(context);
  driver.createStream(&state.stream, StreamNonBlocking);
  state.isOpen = true;
  return std::nullopt;
}

const Driver &rudnn::cuda::getDriver() {
  if (auto missing = openDriver())
    fail(*missing);
  return getState().driver;
}

void *rudnn::cuda::getStream() {
  getDriver();
  return getState().stream;
}

std::optional<std::string> rudnn::cuda::open(DeviceInfo &info) {
  if (auto missing = openDriver())
    return missing;
  const Driver &driver = getDriver();
  int device = getState().device;
  auto get = [&](DeviceAttribute attribute) {
    int value = 0;
    driver.getDeviceAttribute(&value, attribute, device);
    return value;
  };
  char name[256] = "";
  driver.getDeviceName(name, sizeof(name), device);
  info.name = name;
  info.capability = 10 * get(CapabilityMajor) + get(CapabilityMinor);
  info.cacheBytes = get(L2CacheSize);
  driver.getVersion(&info.driverVersion);
  return std::nullopt;
}
