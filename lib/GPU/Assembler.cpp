//===- Assembler.cpp - PTX to machine code by NVIDIA's tools --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;
using namespace rudnn;

namespace {
/// A directory for the files of one run of the tools; goes with this object.
struct ScratchDirectory {
  ScratchDirectory() = default;
  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;
  ~ScratchDirectory() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }

  std::error_code create() {
    return sys::fs::createUniqueDirectory("rudnn", path);
  }

  std::string getFile(StringRef name) const {
    SmallString<128> file(path);
    sys::path::append(file, name);
    return file.str().str();
  }

  SmallString<128> path;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding and running the tools
//===----------------------------------------------------------------------===//

static std::optional<std::string> findIn(StringRef prefix, StringRef tool) {
  SmallString<128> path(prefix);
  sys::path::append(path, "bin", tool);
  if (prefix.empty() || !sys::fs::can_execute(path))
    return std::nullopt;
  return path.str().str();
}

static Expected<std::string> findTool(StringRef tool, StringRef toolkit) {
  if (!toolkit.empty()) {
    if (auto path = findIn(toolkit, tool))
      return *path;
    return createStringError("toolkit '" + toolkit + "' has no bin/" + tool);
  }
  if (auto path = sys::findProgramByName(tool))
    return *path;
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (auto path = findIn(sys::Process::GetEnv(variable).value_or(""), tool))
      return *path;
  if (auto path = findIn("/usr/local/cuda", tool))
    return *path;
  return createStringError(
      "can't find " + tool +
      ": expected it in PATH, in bin of CUDA_ROOT, "
      "CUDA_HOME, CUDA_PATH or /usr/local/cuda, or toolkit=DIR");
}

/// Runs a tool, returns what it printed.
static Expected<std::string>
runTool(StringRef path, ArrayRef<std::string> command, StringRef log) {
  std::string message;
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), log, log};
  int status = sys::ExecuteAndWait(path, arguments, std::nullopt, redirects, 0,
                                   0, &message);
  ErrorOr<std::unique_ptr<MemoryBuffer>> output = MemoryBuffer::getFile(log);
  std::string text = output ? (*output)->getBuffer().rtrim().str() : "";
  if (status == 0)
    return text;
  return createStringError(sys::path::filename(path) +
                           " failed: " + (message.empty() ? text : message));
}

//===----------------------------------------------------------------------===//
// What ptxas reports
//===----------------------------------------------------------------------===//

/// The number in front of `what` in `line`, or 0.
static int64_t getNumberBefore(StringRef line, StringRef what) {
  size_t end = line.find(what);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.take_front(end).rtrim();
  int64_t number = 0;
  before.take_back(before.size() - before.find_last_not_of("0123456789") - 1)
      .getAsInteger(10, number);
  return number;
}

/// Reads the lines that "ptxas -v" prints for each kernel.
static void readLog(StringRef log, AssembledCode &code) {
  StringRef kernel;
  for (StringRef line : split(log, '\n')) {
    if (line.contains("Compiling entry function '")) {
      kernel = line.split('\'').second.split('\'').first;
      continue;
    }
    if (line.contains("warning"))
      code.warnings += (line.rtrim() + "\n").str();
    KernelUsage &usage = code.usage[kernel];
    if (line.contains("bytes stack frame")) {
      usage.stackBytes = getNumberBefore(line, " bytes stack frame");
      usage.spillStoreBytes = getNumberBefore(line, " bytes spill stores");
      usage.spillLoadBytes = getNumberBefore(line, " bytes spill loads");
    } else if (line.contains("Used ")) {
      usage.registers = getNumberBefore(line, " registers");
      usage.sharedBytes = getNumberBefore(line, " bytes smem");
    }
  }
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

static Error makeFatbin(const ScratchDirectory &scratch,
                        const AssemblerOptions &options) {
  Expected<std::string> tool = findTool("fatbinary", options.toolkit);
  if (!tool)
    return tool.takeError();
  StringRef chip = StringRef(options.chip).drop_front(strlen("sm_"));
  auto getImage = [&](StringRef kind, StringRef name) {
    return ("--image3=kind=" + kind + ",sm=" + chip +
            ",file=" + scratch.getFile(name))
        .str();
  };
  std::string elf = getImage("elf", "kernel.cubin");
  std::string ptx = getImage("ptx", "kernel.ptx");
  std::string create = "--create=" + scratch.getFile("kernel.fatbin");
  return runTool(*tool, {*tool, "-64", elf, ptx, create},
                 scratch.getFile("log"))
      .takeError();
}

/// Returns what ptxas printed.
static Expected<std::string> makeCubin(const ScratchDirectory &scratch,
                                       StringRef ptx,
                                       const AssemblerOptions &options) {
  Expected<std::string> tool = findTool("ptxas", options.toolkit);
  if (!tool)
    return tool.takeError();
  std::string source = scratch.getFile("kernel.ptx");
  if (Error error = writeToOutput(source, [&](raw_ostream &os) {
        os << ptx;
        return Error::success();
      }))
    return error;
  return runTool(*tool,
                 {*tool, "-v", "-arch", options.chip, "--opt-level",
                  std::to_string(options.optLevel), source, "-o",
                  scratch.getFile("kernel.cubin")},
                 scratch.getFile("log"));
}

Expected<AssembledCode> rudnn::assemblePTX(StringRef ptx,
                                           const AssemblerOptions &options) {
  ScratchDirectory scratch;
  if (std::error_code code = scratch.create())
    return createStringError(code, "can't make a temporary directory");
  Expected<std::string> log = makeCubin(scratch, ptx, options);
  if (!log)
    return log.takeError();
  if (options.fatbin)
    if (Error error = makeFatbin(scratch, options))
      return error;
  std::string path =
      scratch.getFile(options.fatbin ? "kernel.fatbin" : "kernel.cubin");
  ErrorOr<std::unique_ptr<MemoryBuffer>> object = MemoryBuffer::getFile(path);
  if (!object)
    return createStringError(object.getError(), "can't read " + path);
  AssembledCode code;
  code.object.assign((*object)->getBufferStart(), (*object)->getBufferEnd());
  readLog(*log, code);
  return code;
}
