//===- Repeat.h - running a function again ----------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_REPEAT_H
#define RUDNN_LIB_RUNNER_REPEAT_H

#include "Outputs.h"

namespace rudnn::runner {

std::vector<const ArgumentBuffer *>
getPointers(llvm::ArrayRef<ArgumentBuffer> arguments);

/// Copies of the arguments that are written, as they are now.
llvm::Expected<std::vector<ArgumentBuffer>>
cloneWritten(llvm::ArrayRef<ArgumentBuffer> arguments);

/// Makes such copies what the arguments are.
void restoreWritten(llvm::ArrayRef<ArgumentBuffer> arguments,
                    llvm::ArrayRef<ArgumentBuffer> copies);

/// The arguments, but for those that are written the copies of them.
std::vector<const ArgumentBuffer *>
replaceWritten(llvm::ArrayRef<ArgumentBuffer> arguments,
               llvm::ArrayRef<ArgumentBuffer> copies);

/// In which elements the bits of two runs' outputs differ: a sentence for each
/// output in which there are any.
std::vector<std::string> findDifferences(llvm::ArrayRef<Output> expected,
                                         llvm::ArrayRef<Output> got);

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_REPEAT_H
