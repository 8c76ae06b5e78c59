//===- Runner.cpp - lower, run, check and time a module -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Runner.h"

#include "Device.h"
#include "Outputs.h"
#include "ReferenceRun.h"
#include "Repeat.h"
#include "Tuner.h"
#include "rudnn/Runner/Guard.h"
#include "rudnn/Runner/Npy.h"
#include "rudnn/Runner/Report.h"
#include "rudnn/Tuning/TuningCache.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

namespace {

/// One invocation of the tool, step by step.
class Session {
public:
  /// What it does is told to `os`, and progress to the standard error.
  Session(const RunOptions &options, MLIRContext &context,
          llvm::raw_ostream &os, bool showsProgress)
      : options(options), context(context), report(os),
        showsProgress(showsProgress) {}

  llvm::Error run();
  /// Does no more than that.
  llvm::Expected<TuningResult> runTuning();
  bool isGood() const { return report.isGood(); }

private:
  llvm::Error load();
  void describe(const CompileRequest &request);
  llvm::Error open();
  /// Gives the norm op the fastest schedule; the source is then the module with
  /// that.
  llvm::Error tune();
  /// The same without what follows from it.
  llvm::Error measureSchedules(TuningProblem &problem,
                               const TuningBudget &budget);
  /// An error in the tuning cache is a warning.
  void record(const TuningProblem &problem);
  llvm::Error compile();
  llvm::Error execute();
  void callFunction();
  llvm::Error compareWithReference();
  llvm::Error compareWithFiles();
  /// Calls the function on `initial`, what it writes as it was before the first
  /// call; returns how the results differ.
  llvm::Expected<std::vector<std::string>>
  callAgain(ArrayRef<ArgumentBuffer> initial);
  llvm::Error repeat(ArrayRef<ArgumentBuffer> initial);
  llvm::Error measure();
  llvm::Error writeOutputs();
  llvm::Error writeReport();

  const RunOptions &options;
  MLIRContext &context;
  Report report;
  bool showsProgress;
  std::unique_ptr<Device> device;
  std::unique_ptr<llvm::MemoryBuffer> source;
  OwningOpRef<ModuleOp> module;
  Program program;
  std::vector<ArgumentBuffer> arguments;
  std::optional<TuningResult> tuned;
  std::optional<CompiledFunction> compiled;
  ReferenceRun reference;
  std::vector<ResultValue> results;
  std::vector<Output> outputs;
};

} // namespace

/// The rows of what is normalised.
static int64_t countRows(ArrayRef<ArgumentBuffer> arguments) {
  for (const ArgumentBuffer &argument : arguments)
    if (argument.getArgument().role == "x")
      return std::max<int64_t>(argument.getView().getNumRows(), 1);
  return 0;
}

llvm::Error Session::load() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.path);
  if (!buffer)
    return badInput(options.path + ": " + buffer.getError().message());
  source = std::move(*buffer);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*source),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return badInput(options.path + ": the module does not parse");
  auto analyzed = analyze(*module, options.entry);
  if (!analyzed)
    return analyzed.takeError();
  program = std::move(*analyzed);
  auto created = createArguments(program, options.data);
  if (!created)
    return created.takeError();
  arguments = std::move(*created);
  device->expectRows(countRows(arguments));
  return checkExpected(program, options);
}

void Session::describe(const CompileRequest &request) {
  report.addModule(options.path, program.entry.getName());
  device->describe(report, request);
  report.addSeed(options.data.seed);
  for (const ArgumentBuffer &argument : arguments)
    report.addArgument(argument, describeSource(argument, options.data));
}

llvm::Error Session::measureSchedules(TuningProblem &problem,
                                      const TuningBudget &budget) {
  auto request = device->makeRequest(source->getMemBufferRef(), program);
  if (!request)
    return request.takeError();
  describe(*request);
  if (llvm::Error error = reference.run(*module, source->getMemBufferRef(),
                                        program, arguments, "--tune"))
    return error;
  // A candidate may end the process.
  llvm::outs().flush();
  auto result = runner::tune(problem,
                             {*device, program, arguments, reference, *request,
                              context.getDialectRegistry(), showsProgress},
                             budget);
  if (!result)
    return result.takeError();
  tuned = std::move(*result);
  return llvm::Error::success();
}

llvm::Error Session::tune() {
  auto space = device->getTuningSpace(program);
  if (!space)
    return space.takeError();
  auto problem = TuningProblem::create(program, *space);
  if (!problem)
    return problem.takeError();
  TuningBudget budget{options.tuneBudget.value_or(problem->getUsualBudget())};
  if (llvm::Error error = measureSchedules(*problem, budget))
    return error;
  report.addTuning(*tuned);
  if (!tuned->winner)
    return llvm::make_error<Failure>(
        ExitCode::CheckFailed,
        "--tune: tuning failed, none of " +
            std::to_string(tuned->tried.size()) +
            " schedules compiled, ran and gave right results; nothing was "
            "recorded or replayed");
  if (!options.tuningCache.empty())
    record(*problem);
  source = llvm::MemoryBuffer::getMemBufferCopy(
      problem->apply(problem->getChoices()[*tuned->winner].schedule),
      options.path);
  return llvm::Error::success();
}

void Session::record(const TuningProblem &problem) {
  if (llvm::Error error =
          tuning::TuningCache::record(options.tuningCache, problem.getKey(),
                                      makeMeasurement(*tuned, arguments)))
    llvm::WithColor::warning()
        << llvm::toString(std::move(error)) << "; nothing was recorded\n";
  else
    report.addRecorded(options.tuningCache);
}

llvm::Error Session::compile() {
  auto request = device->makeRequest(source->getMemBufferRef(), program);
  if (!request)
    return request.takeError();
  auto function = CompiledFunction::create(context, *request);
  if (!function)
    return function.takeError();
  compiled.emplace(std::move(*function));
  if (!options.tune)
    describe(*request);
  report.addCompileTimes(compiled->getTimes());
  return llvm::Error::success();
}

llvm::Error Session::execute() {
  // First: it refuses operands that do not fit together before the compiled
  // code has touched any of them.
  if (options.check && !options.tune)
    if (llvm::Error error = reference.run(*module, source->getMemBufferRef(),
                                          program, arguments, "--check"))
      return error;
  std::vector<ArgumentBuffer> initial;
  if (options.repeat > 1) {
    auto copies = cloneWritten(arguments);
    if (!copies)
      return copies.takeError();
    initial = std::move(*copies);
  }
  callFunction();
  if (llvm::Error error = compareWithReference())
    return error;
  if (llvm::Error error = compareWithFiles())
    return error;
  return repeat(initial);
}

void Session::callFunction() {
  std::optional<Guard> guard;
  if (options.data.guard)
    guard.emplace(arguments);
  std::vector<const ArgumentBuffer *> pointers = getPointers(arguments);
  std::vector<std::string> violations;
  // The function may end the process, at a guard page or by a check of its own.
  llvm::outs().flush();
  results = device->call({*compiled, program}, pointers, violations);
  outputs = collectOutputs(program, results, pointers);
  report.addPeakMemory(getPeakMemory());
  device->describeWork(report);
  if (guard)
    llvm::append_range(violations, guard->findViolations());
  if (guard || !violations.empty())
    report.addGuard(violations);
}

llvm::Error Session::compareWithReference() {
  for (const Output &output : outputs)
    if (!options.check)
      report.addResult(output.name, output.view);
  if (!options.check)
    return llvm::Error::success();
  auto comparisons = reference.compare(outputs);
  if (!comparisons)
    return comparisons.takeError();
  for (const Comparison &comparison : *comparisons)
    report.addComparison(comparison);
  return llvm::Error::success();
}

llvm::Error Session::compareWithFiles() {
  for (auto &[index, path] : options.expected) {
    const Output &output = outputs[index];
    auto array = NpyArray::read(path);
    if (!array)
      return badInput(output.name + ": " + path + ": " +
                      llvm::toString(array.takeError()));
    if (llvm::Error error =
            checkSameShape(output, array->getView(), ExitCode::BadInput))
      return error;
    double ulps = options.expectedUlps.value_or(
        output.view.type == ElementType::F32 ? 64 : 1);
    report.addComparison(compare(output.name + " against " + path, output.view,
                                 makeExpectation(array->getView(), ulps)));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
Session::callAgain(ArrayRef<ArgumentBuffer> initial) {
  std::vector<ArgumentBuffer> copies;
  for (const ArgumentBuffer &argument : initial) {
    auto copy = argument.clone();
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  std::vector<const ArgumentBuffer *> pointers =
      replaceWritten(arguments, copies);
  std::vector<std::string> violations;
  auto values = device->call({*compiled, program}, pointers, violations);
  return findDifferences(outputs, collectOutputs(program, values, pointers));
}

llvm::Error Session::repeat(ArrayRef<ArgumentBuffer> initial) {
  for (int64_t run = 2; run <= options.repeat; ++run) {
    auto differences = callAgain(initial);
    if (!differences)
      return differences.takeError();
    if (differences->empty() && run < options.repeat)
      continue;
    report.addRepeat(run, *differences);
    break;
  }
  return llvm::Error::success();
}

llvm::Error Session::measure() {
  int64_t bytes = countBytes(arguments, results);
  device->prepareTiming(getPointers(arguments), bytes);
  auto measured = device->bench({*compiled, program}, bytes);
  if (!measured)
    return measured.takeError();
  report.addBench(*measured);
  return llvm::Error::success();
}

llvm::Error Session::writeOutputs() {
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.outputDirectory))
    return badInput("--output-dir: " + options.outputDirectory + ": " +
                    error.message());
  for (auto [i, output] : llvm::enumerate(outputs)) {
    SmallString<128> path(options.outputDirectory);
    llvm::sys::path::append(path, "result-" + Twine(i) + ".npy");
    if (llvm::Error error = writeNpy(path, output.view))
      return badInput(path + ": " + llvm::toString(std::move(error)));
    report.addOutput(path);
  }
  return llvm::Error::success();
}

llvm::Error Session::open() {
  auto created = createDevice(options);
  if (!created)
    return created.takeError();
  device = std::move(*created);
  return load();
}

llvm::Expected<TuningResult> Session::runTuning() {
  if (llvm::Error error = open())
    return std::move(error);
  if (llvm::Error error = tune())
    return std::move(error);
  return std::move(*tuned);
}

llvm::Error Session::run() {
  if (llvm::Error error = open())
    return error;
  if (options.tune)
    if (llvm::Error error = tune()) {
      // A report that says what was wrong with all of them.
      if (report.isGood())
        return error;
      return llvm::joinErrors(std::move(error), writeReport());
    }
  if (llvm::Error error = compile())
    return error;
  if (llvm::Error error = execute())
    return error;
  // Results that may be wrong are not left behind as if they were right.
  if (!options.outputDirectory.empty() && report.isGood())
    if (llvm::Error error = writeOutputs())
      return error;
  // Last, for it runs on what the function wrote before.
  if (options.bench)
    if (llvm::Error error = measure())
      return error;
  return writeReport();
}

llvm::Error Session::writeReport() {
  if (options.json.empty())
    return llvm::Error::success();
  if (llvm::Error error = report.writeJSON(options.json))
    return badInput("--json: " + options.json + ": " +
                    llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// The alignment of memory that a GPU's driver allocates, in bytes.
static constexpr int64_t kDeviceAlignment = 256;

ExitCode rudnn::runner::run(const RunOptions &options, MLIRContext &context) {
  RunOptions effective = options;
  // Always guarded when emulated; where nobody asks for it, with buffers placed
  // as on the device, where kernels may count on it.
  if (options.device == "emulate" && !options.data.guard) {
    effective.data.guard = true;
    effective.data.guardAlignment = kDeviceAlignment;
  }
  Session session(effective, context, llvm::outs(), /*showsProgress=*/true);
  if (llvm::Error error = session.run())
    return runner::report(std::move(error));
  return session.isGood() ? ExitCode::Good : ExitCode::CheckFailed;
}

llvm::Expected<TuningResult> rudnn::runner::tune(const RunOptions &options,
                                                 MLIRContext &context) {
  RunOptions effective = options;
  effective.tune = true;
  return Session(effective, context, llvm::nulls(), /*showsProgress=*/false)
      .runTuning();
}
