//===- Runner.cpp - lower, run, check and time a module -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Runner.h"

#include "CPUDevice.h"
#include "EmulatedDevice.h"
#include "Outputs.h"
#include "rudnn/Runner/Guard.h"
#include "rudnn/Runner/Npy.h"
#include "rudnn/Runner/Report.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

namespace {

/// One invocation of the tool, step by step.
class Session {
public:
  Session(const RunOptions &options, MLIRContext &context)
      : options(options), context(context), report(llvm::outs()) {}

  llvm::Error run();
  bool isGood() const { return report.isGood(); }

private:
  llvm::Error load();
  llvm::Expected<CompileRequest> makeRequest(std::string &description);
  llvm::Error compile();
  llvm::Error execute();
  llvm::Error runReference();
  llvm::Error compareWithFiles();
  llvm::Error measure();
  llvm::Error writeOutputs();

  std::vector<const ArgumentBuffer *>
  getPointers(ArrayRef<ArgumentBuffer> from);

  const RunOptions &options;
  MLIRContext &context;
  Report report;
  std::unique_ptr<llvm::MemoryBuffer> source;
  OwningOpRef<ModuleOp> module;
  Program program;
  std::vector<ArgumentBuffer> arguments;
  std::optional<CompiledFunction> compiled;
  // The reference run: its copies of what is written, and its results. Declared
  // in the order in which they depend on each other.
  std::vector<ArgumentBuffer> referenceCopies;
  std::optional<reference::Recorder> recorder;
  std::vector<ResultValue> referenceResults;
  std::vector<Output> referenceOutputs;
  std::vector<ResultValue> results;
  std::vector<Output> outputs;
};

} // namespace

static llvm::Error checkDevice(StringRef device) {
  if (device == "cpu" || device == "auto" || device == "reference" ||
      device == "emulate")
    return llvm::Error::success();
  if (device == "cuda")
    return deviceFailed("this build has no device '" + device +
                        "': it has cpu, emulate and reference");
  return badInput("--device: expected cpu, cuda, emulate, reference or auto, "
                  "got '" +
                  device + "'");
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
  return checkExpected(program, options);
}

llvm::Expected<CompileRequest> Session::makeRequest(std::string &description) {
  llvm::MemoryBufferRef text = source->getMemBufferRef();
  StringRef entry = program.entry.getName();
  if (options.device == "reference")
    return makeReferenceRequest(text, entry);
  if (options.device == "emulate")
    return makeEmulatorRequest(text, program, options, description);
  return makeCPURequest(text, entry, options, description);
}

llvm::Error Session::compile() {
  std::string description;
  auto request = makeRequest(description);
  if (!request)
    return request.takeError();
  auto function = CompiledFunction::create(context, *request);
  if (!function)
    return function.takeError();
  compiled.emplace(std::move(*function));
  report.addModule(options.path, program.entry.getName());
  report.addTarget(options.device == "auto" ? "cpu" : options.device,
                   request->cpu, description);
  report.addSeed(options.data.seed);
  for (const ArgumentBuffer &argument : arguments)
    report.addArgument(argument, describeSource(argument, options.data));
  report.addCompileTimes(compiled->getTimes());
  return llvm::Error::success();
}

std::vector<const ArgumentBuffer *>
Session::getPointers(ArrayRef<ArgumentBuffer> from) {
  std::vector<const ArgumentBuffer *> pointers;
  for (const ArgumentBuffer &argument : from)
    pointers.push_back(&argument);
  return pointers;
}

llvm::Error Session::runReference() {
  auto request =
      makeReferenceRequest(source->getMemBufferRef(), program.entry.getName());
  if (!request)
    return request.takeError();
  auto function = CompiledFunction::create(context, *request);
  if (!function)
    return badInput("the reference: " + llvm::toString(function.takeError()));
  recorder.emplace();
  // It reads the same inputs, but writes copies of its own.
  std::vector<const ArgumentBuffer *> pointers = getPointers(arguments);
  referenceCopies.reserve(arguments.size());
  for (auto [argument, pointer] : llvm::zip_equal(arguments, pointers)) {
    if (!argument.isWritten()) {
      recorder->addInput(argument.getView());
      continue;
    }
    auto copy = argument.clone();
    if (!copy)
      return copy.takeError();
    referenceCopies.push_back(std::move(*copy));
    pointer = &referenceCopies.back();
  }
  referenceResults = function->call(program, pointers);
  if (recorder->getError())
    return badInput(*recorder->getError());
  referenceOutputs = collectOutputs(program, referenceResults, pointers);
  return llvm::Error::success();
}

llvm::Error Session::execute() {
  // First: it refuses operands that do not fit together before the compiled
  // code has touched any of them.
  if (options.check)
    if (llvm::Error error = runReference())
      return error;
  std::optional<Guard> guard;
  if (options.data.guard)
    guard.emplace(arguments);
  std::vector<const ArgumentBuffer *> pointers = getPointers(arguments);
  // The function may end the process, at a guard page or by a check of its own.
  llvm::outs().flush();
  results = compiled->call(program, pointers);
  outputs = collectOutputs(program, results, pointers);
  report.addPeakMemory(getPeakMemory());
  if (guard)
    report.addGuard(guard->findViolations());
  double coarsest = getCoarsestRoundoff(*module);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (!options.check) {
      report.addResult(output.name, output.view);
      continue;
    }
    const View &reference = referenceOutputs[i].view;
    if (llvm::Error error =
            checkSameShape(output, reference, ExitCode::CheckFailed))
      return error;
    report.addComparison(
        compare(output.name, output.view,
                makeExpectation(reference, *recorder, coarsest)));
  }
  return compareWithFiles();
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

llvm::Error Session::measure() {
  std::vector<const ArgumentBuffer *> pointers = getPointers(arguments);
  auto measured = bench([&] { (void)compiled->call(program, pointers); },
                        countBytes(arguments, results), options.threads,
                        options.benchSeconds);
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

llvm::Error Session::run() {
  if (llvm::Error error = checkDevice(options.device))
    return error;
  if (options.bench && options.device == "emulate")
    return badInput("--bench: the time that device 'emulate' takes says "
                    "nothing of a GPU's");
  if (llvm::Error error = load())
    return error;
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
  Session session(effective, context);
  if (llvm::Error error = session.run())
    return runner::report(std::move(error));
  return session.isGood() ? ExitCode::Good : ExitCode::CheckFailed;
}
