//===- HostBuffer.h - memory for one argument -------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_HOSTBUFFER_H
#define RUDNN_RUNNER_HOSTBUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace rudnn::runner {

/// Where in its pages a buffer lies.
struct Placement {
  /// Bytes from an address aligned to a page (or, guarded, to `alignment`).
  int64_t misalignment = 0;
  /// That of a guarded buffer, in bytes: at least the elements' natural one.
  int64_t alignment = 1;
  /// End at a page that cannot be touched, with canary bytes before the data.
  bool guard = false;
};

/// Bytes of its own pages. A guarded buffer ends where a protected page begins
/// (up to the misalignment); an access to that page ends the process with exit
/// code 1 and a message that names the buffer.
class HostBuffer {
public:
  HostBuffer() = default;
  HostBuffer(HostBuffer &&other) { swap(other); }
  HostBuffer &operator=(HostBuffer &&other) {
    swap(other);
    return *this;
  }
  ~HostBuffer();

  /// Allocates `size` bytes, zeroed. `name` is for messages.
  static llvm::Expected<HostBuffer> create(std::string name, int64_t size,
                                           const Placement &placement);

  char *getData() const { return data; }
  int64_t getSize() const { return size; }
  llvm::MutableArrayRef<char> getBytes() const {
    return llvm::MutableArrayRef<char>(data, size);
  }

  /// Whether the canary bytes around the data are as they were made.
  bool isCanaryIntact() const;

private:
  void swap(HostBuffer &other);

  std::string name;
  char *pages = nullptr;
  int64_t numBytes = 0; // Of pages, without the protected one.
  char *data = nullptr;
  int64_t size = 0;
  bool guarded = false;
};

/// Sets what tells more about an access to a protected page: who made it, or
/// null if that is not known. It is called in a signal handler.
void setFaultDescription(const char *(*describe)());

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_HOSTBUFFER_H
