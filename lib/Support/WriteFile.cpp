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

/// Fails, too, if not all that `write` wrote has arrived.
static Error writeAll(raw_fd_ostream &stream,
                      function_ref<Error(raw_ostream &)> write) {
  Error error = write(stream);
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return error ? std::move(error) : errorCodeToError(code);
}

static Error writeInPlace(StringRef path,
                          function_ref<Error(raw_ostream &)> write) {
  std::error_code code;
  raw_fd_ostream stream(path, code, sys::fs::CD_OpenExisting, sys::fs::FA_Write,
                        sys::fs::OF_None);
  if (code)
    return errorCodeToError(code);
  return writeAll(stream, write);
}

Error rudnn::writeFile(StringRef path,
                       function_ref<Error(raw_ostream &)> write) {
  if (path == "-")
    return write(outs());
  sys::fs::file_status old;
  bool isNew = bool(sys::fs::status(path, old));
  if (!isNew && !sys::fs::is_regular_file(old))
    return writeInPlace(path, write);
  // Not by writeToOutput, which ends the process when a disk is full.
  auto file = sys::fs::TempFile::create(path + ".temp-stream-%%%%%%",
                                        sys::fs::all_read | sys::fs::all_write);
  if (!file)
    return createFileError(path, file.takeError());
  if (!isNew)
    (void)sys::fs::setPermissions(file->FD, old.permissions());
  raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  if (Error error = writeAll(stream, write))
    return joinErrors(std::move(error), file->discard());
  return file->keep(path);
}
