//===- WriteFile.h - Files that are whole or not there ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_SUPPORT_WRITEFILE_H
#define RUDNN_SUPPORT_WRITEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace rudnn {

/// Writes `path` by `write`, through a temporary file that replaces it at the
/// end and has its permissions. What stands there and is no regular file (a
/// pipe, a device) is written to as it is; "-" is the standard output.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

} // namespace rudnn

#endif // RUDNN_SUPPORT_WRITEFILE_H
