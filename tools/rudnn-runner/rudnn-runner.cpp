//===- rudnn-runner.cpp - lower, run, check and time a module -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/InitAll.h"
#include "rudnn/Runner/Runner.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

#include <random>

using namespace llvm;
using namespace rudnn::runner;

static constexpr StringLiteral kOverview = R"(rudnn-runner
Lowers a module with norm ops, runs one of its functions, checks and times it.

Arguments come from .npy files or from random data; sizes that the types leave
open come from the files, or else from --rows and --cols. I counts arguments, or
results: those of the function, then the memrefs that it writes.

--tune tries schedules first and goes on with the fastest; --tuning-cache keeps it.

Exit codes: 0 good, 1 a check failed, 2 bad usage or bad input, 3 the device is
missing or failed.
)";

namespace {

/// The command line. Made in main, not global: another tool in the same binary
/// must not see these options.
struct Options {
  cl::OptionCategory category{"Runner options"};

  cl::opt<std::string> path{cl::Positional, cl::desc("FILE.mlir"),
                            cl::init("-"), cl::cat(category)};
  cl::opt<std::string> entry{
      "entry", cl::desc("Function to run (default: the only public one)"),
      cl::value_desc("NAME"), cl::cat(category)};
  cl::opt<std::string> device{
      "device",
      cl::desc("cpu (default), cuda, emulate, auto, or reference: what "
               "--check compares with"),
      cl::init("cpu"), cl::value_desc("NAME"), cl::cat(category)};
  cl::opt<std::string> mcpu{"mcpu",
                            cl::desc("CPU to compile for (default: this one)"),
                            cl::value_desc("NAME"), cl::cat(category)};
  cl::opt<std::string> pipelineOptions{
      "pipeline-options",
      cl::desc("Options of the pipeline norm-to-cpu, as \"unroll=2 ...\", or "
               "norm-to-gpu, as \"set=threads=128 ...\""),
      cl::value_desc("TEXT"), cl::cat(category)};
  cl::opt<int64_t> threads{
      "threads", cl::desc("Threads to run on (default 0: all there are)"),
      cl::init(0), cl::value_desc("N"), cl::cat(category)};
  cl::opt<bool> tune{
      "tune",
      cl::desc("Measure the schedules of the function's norm op, check their "
               "results, and go on with the fastest"),
      cl::cat(category)};
  cl::opt<double> tuneBudget{
      "tune-budget",
      cl::desc("Seconds that may take (default 20 for a forward, 40 for a "
               "backward)"),
      cl::init(0), cl::value_desc("T"), cl::cat(category)};
  cl::opt<std::string> compileCache{
      "compile-cache", cl::value_desc("folder"),
      cl::desc("Take the compiled function from this folder, or add it")};
  cl::opt<std::string> tuningCache{
      "tuning-cache",
      cl::desc("File with measured schedules to use, or with --tune to write "
               "the fastest to"),
      cl::value_desc("FILE"), cl::cat(category)};

  cl::opt<int64_t> rows{"rows", cl::desc("Size of dynamic leading axes"),
                        cl::init(-1), cl::value_desc("M"), cl::cat(category)};
  cl::opt<int64_t> columns{"cols", cl::desc("Size of a dynamic last axis"),
                           cl::init(-1), cl::value_desc("N"),
                           cl::cat(category)};
  cl::list<std::string> inputs{
      "input",
      cl::desc("Argument I from a file; may be repeated, as all of "
               "the I= options"),
      cl::value_desc("I=FILE.npy"), cl::cat(category)};
  cl::opt<uint64_t> seed{"seed",
                         cl::desc("Seed of random data (default: a new one)"),
                         cl::value_desc("S"), cl::cat(category)};
  std::string fillHelp =
      "What to fill x with, or argument I: " + getFillNames();
  cl::list<std::string> fills{"fill", cl::desc(fillHelp),
                              cl::value_desc("[I=]NAME"), cl::cat(category)};
  cl::list<std::string> strides{
      "strides", cl::desc("Dynamic strides of memref argument I, in elements"),
      cl::value_desc("I=S,S..."), cl::cat(category)};
  cl::list<std::string> offsets{
      "offset", cl::desc("Dynamic offset of memref argument I, in elements"),
      cl::value_desc("I=K"), cl::cat(category)};
  cl::list<unsigned> misaligned{
      "misalign", cl::desc("Put argument I one element off its alignment"),
      cl::value_desc("I"), cl::cat(category)};
  cl::opt<bool> guard{
      "guard",
      cl::desc("End each argument at a protected page, and check that nothing "
               "around the arguments, and no input, is written"),
      cl::cat(category)};

  cl::opt<bool> check{"check",
                      cl::desc("Compare each result with an f64 reference"),
                      cl::cat(category)};
  cl::list<std::string> expected{
      "expect", cl::desc("Compare result I with a file"),
      cl::value_desc("I=FILE.npy"), cl::cat(category)};
  cl::opt<double> expectedUlps{
      "expect-ulp",
      cl::desc("Tolerance of --expect in ulp (default 1, for f32 64); 0 asks "
               "for the same bits"),
      cl::init(-1), cl::value_desc("K"), cl::cat(category)};
  cl::opt<int64_t> repeat{
      "repeat", cl::desc("Run N times and compare the bits of the results"),
      cl::init(1), cl::value_desc("N"), cl::cat(category)};
  cl::opt<bool> bench{
      "bench", cl::desc("Time the function against a copy of as many bytes"),
      cl::cat(category)};
  cl::opt<double> benchSeconds{
      "bench-seconds", cl::desc("How long to measure (default 1)"), cl::init(1),
      cl::value_desc("T"), cl::cat(category)};
  cl::opt<std::string> outputDirectory{
      "output-dir", cl::desc("Write results there as result-I.npy"),
      cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<std::string> json{"json", cl::desc("Write the report as JSON"),
                            cl::value_desc("FILE"), cl::cat(category)};

  Expected<RunOptions> get() const;

private:
  Error getSizes(RunOptions &run) const;
  Error getFills(RunOptions &run) const;
  Error getLayouts(RunOptions &run) const;
};

} // namespace

/// Splits "I=VALUE".
static Expected<std::pair<unsigned, StringRef>> splitNumber(StringRef option,
                                                            StringRef text) {
  auto [number, value] = text.split('=');
  unsigned index;
  if (number.getAsInteger(10, index) || value.empty())
    return badInput("--" + option +
                    ": expected I=VALUE with a number I, got '" + text + "'");
  return std::make_pair(index, value);
}

/// Reads a list of "I=VALUE" options into a map; no I may come twice.
template <typename Value, typename Parse>
static Error readMap(StringRef option, ArrayRef<std::string> texts,
                     std::map<unsigned, Value> &map, Parse parse) {
  for (StringRef text : texts) {
    auto parts = splitNumber(option, text);
    if (!parts)
      return parts.takeError();
    Value value;
    if (!parse(parts->second, value))
      return badInput("--" + option + ": cannot read '" + parts->second + "'");
    if (!map.emplace(parts->first, std::move(value)).second)
      return badInput("--" + option + ": argument " + Twine(parts->first) +
                      " is given twice");
  }
  return Error::success();
}

static bool readPath(StringRef text, std::string &path) {
  path = text.str();
  return true;
}

static bool readStrides(StringRef text, Shape &strides) {
  for (StringRef part : llvm::split(text, ',')) {
    int64_t stride;
    if (part.getAsInteger(10, stride))
      return false;
    strides.push_back(stride);
  }
  return true;
}

Error Options::getSizes(RunOptions &run) const {
  auto read = [](const cl::opt<int64_t> &option, int64_t least,
                 std::optional<int64_t> &size) -> Error {
    if (option.getNumOccurrences() == 0)
      return Error::success();
    if (option < least)
      return badInput("--" + option.ArgStr + ": expected at least " +
                      Twine(least) + ", got " + Twine(option.getValue()));
    size = option;
    return Error::success();
  };
  if (Error error = read(rows, 0, run.data.rows))
    return error;
  return read(columns, 1, run.data.columns);
}

Error Options::getFills(RunOptions &run) const {
  auto parse = [](StringRef name, Fill &fill) {
    std::optional<Fill> parsed = parseFill(name);
    fill = parsed.value_or(Fill::Normal);
    return parsed.has_value();
  };
  std::vector<std::string> numbered;
  for (StringRef text : fills) {
    if (text.contains('='))
      numbered.push_back(text.str());
    else if (!parse(text, run.data.fill))
      return badInput("--fill: expected one of " + getFillNames() + ", got '" +
                      text + "'");
  }
  return readMap("fill", numbered, run.data.fills, parse);
}

Error Options::getLayouts(RunOptions &run) const {
  run.data.guard = guard;
  run.data.misaligned.insert(misaligned.begin(), misaligned.end());
  if (Error error = readMap("strides", strides, run.data.strides, readStrides))
    return error;
  return readMap("offset", offsets, run.data.offsets,
                 [](StringRef text, int64_t &offset) {
                   return !text.getAsInteger(10, offset);
                 });
}

Expected<RunOptions> Options::get() const {
  RunOptions run;
  run.path = path;
  run.entry = entry;
  run.device = device;
  run.mcpu = mcpu;
  run.pipelineOptions = pipelineOptions;
  run.threads = threads;
  run.tune = tune;
  if (tuneBudget.getNumOccurrences())
    run.tuneBudget = tuneBudget;
  run.tuningCache = tuningCache;
  run.compileCache = compileCache;
  run.check = check;
  run.repeat = repeat;
  run.bench = bench;
  run.benchSeconds = benchSeconds;
  run.outputDirectory = outputDirectory;
  run.json = json;
  run.data.seed =
      seed.getNumOccurrences() ? seed.getValue() : std::random_device()();
  if (threads < 0)
    return badInput("--threads: expected at least 0, got " + Twine(threads));
  if (repeat < 1)
    return badInput("--repeat: expected at least 1, got " + Twine(repeat));
  if (!(benchSeconds >= 0 && benchSeconds <= 3600))
    return badInput("--bench-seconds: expected 0 to 3600, got " +
                    std::to_string(benchSeconds));
  if (run.tuneBudget && !(tuneBudget > 0 && tuneBudget <= 86400))
    return badInput("--tune-budget: expected more than 0 and at most 86400, "
                    "got " +
                    std::to_string(tuneBudget));
  if (tuneBudget.getNumOccurrences() && !tune)
    return badInput("--tune-budget: expected --tune with it");
  if (expectedUlps.getNumOccurrences()) {
    if (!(expectedUlps >= 0))
      return badInput("--expect-ulp: expected a number >= 0, got " +
                      std::to_string(expectedUlps));
    run.expectedUlps = expectedUlps;
  }
  if (Error error = getSizes(run))
    return std::move(error);
  if (Error error = getFills(run))
    return std::move(error);
  if (Error error = getLayouts(run))
    return std::move(error);
  if (Error error = readMap("input", inputs, run.data.files, readPath))
    return std::move(error);
  if (Error error = readMap("expect", expected, run.expected, readPath))
    return std::move(error);
  return run;
}

/// Takes the options of the LLVM libraries off the command line, but for --help
/// and --version: some have names that ours have, and none is for users of this
/// tool.
static void removeLibraryOptions() {
  SmallVector<cl::Option *> options;
  for (auto &entry : cl::getRegisteredOptions()) {
    bool isGeneric = any_of(entry.second->Categories, [](auto *category) {
      return category->getName() == "Generic Options";
    });
    if (!isGeneric)
      options.push_back(entry.second);
  }
  for (cl::Option *option : options)
    option->removeArgument();
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  removeLibraryOptions();
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();

  Options options;
  cl::HideUnrelatedOptions(options.category);
  // Unlike its default, a wrong command line ends with our exit code.
  std::string message;
  raw_string_ostream errors(message);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &errors)) {
    errs() << message;
    return static_cast<int>(ExitCode::BadInput);
  }
  auto runOptions = options.get();
  if (!runOptions)
    return static_cast<int>(report(runOptions.takeError()));

  mlir::DialectRegistry registry;
  rudnn::registerAllDialects(registry);
  rudnn::registerAllExtensions(registry);
  rudnn::registerAllToLLVMIRTranslations(registry);
  mlir::MLIRContext context(registry);
  return static_cast<int>(run(*runOptions, context));
}
