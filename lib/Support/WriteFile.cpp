//===- WriteFile.cpp - Files that are whole or not there -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

Error rudnn::writeFile(StringRef path,
                       function_ref<Error(raw_ostream &)> write) {
  sys::fs::file_status status;
  std::error_code missing = sys::fs::status(path, status);
  if (missing || sys::fs::is_regular_file(status))
    return writeToOutput(path, write);
  std::error_code code;
  raw_fd_ostream stream(path, code, sys::fs::CD_OpenExisting, sys::fs::FA_Write,
                        sys::fs::OF_None);
  if (code)
    return errorCodeToError(code);
  if (Error error = write(stream))
    return error;
  stream.close();
  code = stream.error();
  stream.clear_error();
  return errorCodeToError(code);
}
