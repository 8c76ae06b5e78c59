//===- TuningCache.cpp - Measured schedules in a file ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Tuning/TuningCache.h"

#include "rudnn/Support/WriteFile.h"
#include "rudnn/Tuning/TuningKey.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include <mutex>

using namespace llvm;
using namespace rudnn;
using namespace rudnn::tuning;

static constexpr StringLiteral kFormat = "rudnn-tuning-cache";
static constexpr int64_t kVersion = 1;
/// More than people can measure, and no more than is read in a moment.
static constexpr uint64_t kMostBytes = 64 << 20;
static constexpr int64_t kMostLevels = 100;
/// How long another process may take to write a few lines.
static constexpr std::chrono::seconds kPatience{10};

static Error fail(StringRef path, const Twine &message) {
  return createStringError("tuning cache '" + path + "': " + message);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error checkFormat(StringRef path, const json::Object *root) {
  if (!root || root->getString("format") != kFormat)
    return fail(path, "expected \"format\": \"" + kFormat +
                          "\", this is something else");
  std::optional<int64_t> version = root->getInteger("version");
  if (version != kVersion)
    return fail(path, "expected version " + Twine(kVersion) + ", got " +
                          (version ? std::to_string(*version) : "none"));
  if (!root->getArray("entries"))
    return fail(path, "expected a list of entries");
  return Error::success();
}

/// Pipes and devices may have no end.
static Error checkFile(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status))
    return fail(path, code.message());
  if (!sys::fs::is_regular_file(status))
    return fail(path, "expected a regular file");
  if (status.getSize() > kMostBytes)
    return fail(path, "expected at most " + Twine(kMostBytes) + " bytes, got " +
                          Twine(status.getSize()));
  return Error::success();
}

/// LLVM's parser calls itself for each level of the text.
static Error checkDepth(StringRef path, StringRef text) {
  int64_t depth = 0;
  bool isQuoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (isQuoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted)
      depth +=
          StringRef("[{").contains(text[i]) - StringRef("]}").contains(text[i]);
    if (depth > kMostLevels)
      return fail(path, "expected at most " + Twine(kMostLevels) +
                            " levels of lists and objects");
  }
  return Error::success();
}

Expected<TuningCache> TuningCache::read(StringRef path) {
  if (Error error = checkFile(path))
    return std::move(error);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail(path, buffer.getError().message());
  return parse((*buffer)->getBuffer(), path);
}

Expected<TuningCache> TuningCache::parse(StringRef text, StringRef path) {
  if (Error error = checkDepth(path, text))
    return std::move(error);
  auto value = json::parse(text);
  if (!value)
    return fail(path, toString(value.takeError()));
  if (Error error = checkFormat(path, value->getAsObject()))
    return std::move(error);
  TuningCache cache;
  cache.root = std::move(*value->getAsObject());
  return std::move(cache);
}

std::optional<Measurement> TuningCache::find(const json::Object &key) const {
  for (const json::Value &value : *root.getArray("entries")) {
    const json::Object *entry = value.getAsObject();
    if (!entry || !matches(*entry, key))
      continue;
    // Text that is no schedule is found out by who parses it.
    Measurement measurement;
    measurement.schedule = entry->getString("schedule").value_or("").str();
    measurement.microseconds = entry->getNumber("microseconds").value_or(0);
    measurement.margin = entry->getNumber("margin");
    return measurement;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

TuningCache TuningCache::createEmpty() {
  TuningCache cache;
  cache.root = json::Object{
      {"format", kFormat}, {"version", kVersion}, {"entries", json::Array()}};
  return cache;
}

/// Whether an entry is for `key` and no other.
static bool hasKey(const json::Object &entry, const json::Object &key) {
  return all_of(key, [&](const auto &field) {
    const json::Value *value = entry.get(field.first);
    return value && *value == field.second;
  });
}

void TuningCache::insert(json::Object entry, const json::Object &key) {
  for (json::Value &value : getEntries())
    if (const json::Object *old = value.getAsObject();
        old && hasKey(*old, key)) {
      value = std::move(entry);
      return;
    }
  getEntries().push_back(std::move(entry));
}

static json::Object makeEntry(const json::Object &key,
                              const Measurement &measurement) {
  json::Object entry = key;
  entry["schedule"] = measurement.schedule;
  entry["microseconds"] = measurement.microseconds;
  if (measurement.margin)
    entry["margin"] = *measurement.margin;
  entry["information"] = json::Object(measurement.information);
  return entry;
}

/// A file that its owner made read-only is one also for who may write all
/// files, and though the folder lets it be replaced.
static bool isReadOnly(StringRef path) {
  ErrorOr<sys::fs::perms> permissions = sys::fs::getPermissions(path);
  return permissions && (!(*permissions & sys::fs::all_write) ||
                         sys::fs::access(path, sys::fs::AccessMode::Write));
}

/// Reads the file again, for others may have written it meanwhile.
Error TuningCache::replace(StringRef path, const json::Object &key,
                           const Measurement &measurement) {
  TuningCache cache = createEmpty();
  if (sys::fs::exists(path)) {
    auto old = read(path);
    if (!old)
      return old.takeError();
    cache = std::move(*old);
  }
  cache.insert(makeEntry(key, measurement), key);
  auto write = [&](raw_ostream &os) {
    os << formatv("{0:2}\n", json::Value(std::move(cache.root)));
    return Error::success();
  };
  if (Error error = writeFile(path, write))
    return fail(path, toString(std::move(error)));
  return Error::success();
}

/// The file to replace. Links stay; what they lead to is replaced.
static Expected<std::string> findTarget(StringRef path) {
  SmallString<128> target;
  std::error_code code = sys::fs::real_path(path, target);
  bool isNew = code == std::errc::no_such_file_or_directory &&
               !sys::fs::is_symlink_file(path);
  if (isNew) {
    target = path;
    // Not "-", which is the standard output elsewhere.
    code = sys::fs::make_absolute(target);
  }
  if (code)
    return fail(path, code.message());
  if (isNew)
    return target.str().str();
  // Now, for the file beside it that is locked stays.
  if (Error error = checkFile(target))
    return std::move(error);
  if (isReadOnly(target))
    return fail(path, "it is read-only");
  return target.str().str();
}

Error TuningCache::record(StringRef path, const json::Object &key,
                          const Measurement &measurement) {
  auto found = findTarget(path);
  if (!found)
    return found.takeError();
  const std::string &target = *found;
  // The system's locks are held by processes, not by threads, and end with
  // them. The file that is locked stays: if one took it away, another could
  // hold a lock on what nobody else finds.
  static std::mutex threads;
  std::lock_guard<std::mutex> guard(threads);
  std::string lockPath = target + ".lock";
  int file = -1;
  if (std::error_code code = sys::fs::openFileForReadWrite(
          lockPath, file, sys::fs::CD_OpenAlways, sys::fs::OF_None))
    return fail(path, lockPath + ": " + code.message());
  scope_exit close(
      [&] { (void)sys::Process::SafelyCloseFileDescriptor(file); });
  if (std::error_code code = sys::fs::tryLockFile(file, kPatience))
    return fail(path, lockPath + ": expected a lock within " +
                          Twine(kPatience.count()) +
                          " s, others may have it: " + code.message());
  // Closing it unlocks it.
  return replace(target, key, measurement);
}
