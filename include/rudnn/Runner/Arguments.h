//===- Arguments.h - memory and data of the arguments -----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_ARGUMENTS_H
#define RUDNN_RUNNER_ARGUMENTS_H

#include "rudnn/Runner/HostBuffer.h"
#include "rudnn/Runner/Program.h"
#include "rudnn/Runner/RandomData.h"
#include "rudnn/Runner/Shapes.h"

#include <map>
#include <set>

namespace rudnn::runner {

/// Where the data of the arguments come from and how they lie in memory. Maps
/// and sets go by argument number.
struct DataOptions {
  std::optional<int64_t> rows;
  std::optional<int64_t> columns;
  /// .npy files.
  std::map<unsigned, std::string> files;
  uint64_t seed = 0;
  /// What x, and arguments that no norm op takes, are filled with.
  Fill fill = Fill::Normal;
  std::map<unsigned, Fill> fills;
  /// Protected pages and canary bytes around each argument, which has at least
  /// this alignment, in bytes (before it is misaligned).
  bool guard = false;
  int64_t guardAlignment = 1;
  /// Arguments whose base address is off by one element.
  std::set<unsigned> misaligned;
  /// Strides and offsets, in elements, for those that a memref leaves open;
  /// without an entry: no gaps, no offset.
  std::map<unsigned, Shape> strides;
  std::map<unsigned, int64_t> offsets;
};

/// One argument in memory.
class ArgumentBuffer {
public:
  /// Allocates the argument for the given sizes, zeroed.
  static llvm::Expected<ArgumentBuffer> create(const Argument &argument,
                                               llvm::ArrayRef<int64_t> shape,
                                               const DataOptions &options);

  /// Another one like this, with the same bytes.
  llvm::Expected<ArgumentBuffer> clone() const;

  const Argument &getArgument() const { return *argument; }
  const View &getView() const { return view; }
  const HostBuffer &getStorage() const { return storage; }

  /// Distance of the first element from the beginning of the storage.
  int64_t getOffset() const { return offset; }

  bool isRead() const;
  bool isWritten() const;

  /// Sets what a run is going to overwrite to bytes of 0xFF: NaN, or -1.
  void poison();

private:
  llvm::Error allocate();

  const Argument *argument = nullptr;
  View view;
  int64_t offset = 0;
  Placement placement;
  HostBuffer storage;
};

/// Allocates all arguments and fills those that are read: from files, or with
/// random data; an rstd is made to fit its x. The others are poisoned.
llvm::Expected<std::vector<ArgumentBuffer>>
createArguments(const Program &program, const DataOptions &options);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_ARGUMENTS_H
