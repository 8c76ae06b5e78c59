//===- CodeCache.cpp - Compiled functions in files ------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeCache.h"

#include "rudnn/Support/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

using namespace rudnn;
using namespace rudnn::runner;
using llvm::StringRef;

static constexpr llvm::StringLiteral kFormat = "rudnn-code";

/// What says that the compiler is another one: its file.
static std::string describeCompiler() {
  static int inThisFile;
  std::string path = llvm::sys::fs::getMainExecutable("rudnn", &inThisFile);
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return "";
  return path + " " + std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

CodeCache::CodeCache(const CompileRequest &request) {
  llvm::SHA256 hash;
  for (const std::string &part :
       {std::string(LLVM_VERSION_STRING), describeCompiler(),
        request.source.getBuffer().str(), request.entry, request.pipeline,
        request.cpu, request.features, std::to_string(request.optLevel)}) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  llvm::SmallString<128> file(request.cacheDirectory);
  llvm::sys::path::append(file, llvm::toHex(hash.final(), /*LowerCase=*/true) +
                                    ".rudnn");
  path = file.str();
}

static llvm::json::Array toJSON(llvm::ArrayRef<ReturnedResult> results) {
  llvm::json::Array list;
  for (const ReturnedResult &result : results) {
    llvm::json::Object object{{"rank", result.rank}};
    if (result.argument)
      object["argument"] = *result.argument;
    list.push_back(std::move(object));
  }
  return list;
}

static std::optional<std::vector<ReturnedResult>>
parseResults(const llvm::json::Array *list) {
  if (!list)
    return std::nullopt;
  std::vector<ReturnedResult> results;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *object = value.getAsObject();
    std::optional<int64_t> rank =
        object ? object->getInteger("rank") : std::nullopt;
    if (!rank)
      return std::nullopt;
    ReturnedResult result{static_cast<unsigned>(*rank), std::nullopt};
    if (std::optional<int64_t> argument = object->getInteger("argument"))
      result.argument = static_cast<unsigned>(*argument);
    results.push_back(result);
  }
  return results;
}

/// None if the text is no file of a cache, or not a whole one.
static std::optional<CachedCode> parse(StringRef text) {
  auto [header, object] = text.split('\n');
  auto value = llvm::json::parse(header);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *root = value->getAsObject();
  if (!root || root->getString("format") != kFormat ||
      root->getString("hash") != llvm::utohexstr(llvm::xxh3_64bits(object)))
    return std::nullopt;
  auto results = parseResults(root->getArray("results"));
  if (!results)
    return std::nullopt;
  return CachedCode{std::move(*results), object.str()};
}

std::optional<CachedCode> CodeCache::find() const {
  if (!llvm::sys::fs::exists(path))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    llvm::WithColor::warning() << "--compile-cache: " << path << ": "
                               << buffer.getError().message() << '\n';
    return std::nullopt;
  }
  std::optional<CachedCode> code = parse((*buffer)->getBuffer());
  if (!code)
    llvm::WithColor::warning() << "--compile-cache: " << path
                               << " is broken; the module is compiled\n";
  return code;
}

void CodeCache::store(const CachedCode &code) const {
  llvm::json::Object header{
      {"format", kFormat},
      {"hash", llvm::utohexstr(llvm::xxh3_64bits(StringRef(code.object)))},
      {"results", toJSON(code.results)}};
  auto write = [&](llvm::raw_ostream &os) {
    os << llvm::json::Value(std::move(header)) << '\n' << code.object;
    return llvm::Error::success();
  };
  StringRef directory = llvm::sys::path::parent_path(path);
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    llvm::WithColor::warning()
        << "--compile-cache: " << directory << ": " << error.message() << '\n';
  else if (llvm::Error failed = writeFile(path, write))
    llvm::WithColor::warning() << "--compile-cache: " << path << ": "
                               << llvm::toString(std::move(failed)) << '\n';
}
