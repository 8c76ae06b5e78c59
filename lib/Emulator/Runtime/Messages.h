//===- Messages.h - what a kernel did wrong ---------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_EMULATOR_RUNTIME_MESSAGES_H
#define RUDNN_LIB_EMULATOR_RUNTIME_MESSAGES_H

#include <cstdint>
#include <string>

namespace rudnn::emulator {

/// Sets what is done about an error; null: print it and exit with code 1.
void setErrorHandler(void (*handler)(const char *message));

/// "(1, 2, 3)"
std::string format(const int64_t *position);

} // namespace rudnn::emulator

#endif // RUDNN_LIB_EMULATOR_RUNTIME_MESSAGES_H
