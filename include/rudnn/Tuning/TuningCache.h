//===- TuningCache.h - Measured schedules in a file -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is JSON: {"format": "rudnn-tuning-cache", "version": 1, "entries":
// [...]}. An entry is one object: the fields of its key (see TuningKey.h), then
// those of its measurement. What else stands in the file stays there.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_TUNING_TUNINGCACHE_H
#define RUDNN_TUNING_TUNINGCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace rudnn::tuning {

/// The fastest schedule of an op, and what is known of it.
struct Measurement {
  /// As text of the attribute.
  std::string schedule;
  double microseconds = 0;
  /// The part of the time of the chosen schedule that it saves; none if that
  /// one does not run.
  std::optional<double> margin;
  /// What else may be of use to who reads the file; nothing here does.
  llvm::json::Object information;
};

/// What a file held when it was read.
class TuningCache {
public:
  /// Fails, naming the file, if it is not there or is no cache of this version.
  static llvm::Expected<TuningCache> read(llvm::StringRef path);
  /// The same from the text of a file.
  static llvm::Expected<TuningCache> parse(llvm::StringRef text,
                                           llvm::StringRef path);

  /// The first entry with `key`.
  std::optional<Measurement> find(const llvm::json::Object &key) const;

  /// Writes `measurement` into the file, in place of the entry with that key or
  /// as a new one. The file is replaced as a whole, and what others write at
  /// the same time is kept. Fails, naming the file, and leaves it alone if that
  /// is not possible: it is no cache of this version, or may not be written.
  static llvm::Error record(llvm::StringRef path, const llvm::json::Object &key,
                            const Measurement &measurement);

private:
  static TuningCache createEmpty();
  static llvm::Error replace(llvm::StringRef path,
                             const llvm::json::Object &key,
                             const Measurement &measurement);
  llvm::json::Array &getEntries() { return *root.getArray("entries"); }
  void insert(llvm::json::Object entry, const llvm::json::Object &key);

  llvm::json::Object root;
};

} // namespace rudnn::tuning

#endif // RUDNN_TUNING_TUNINGCACHE_H
