//===- Jit.cpp - from module text to a callable function ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Jit.h"

#include "CodeCache.h"
#include "LoadedCode.h"
#include "ResultTracker.h"
#include "RuntimeSymbols.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

namespace {

/// Milliseconds since it was made or last read.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> passed = now - start;
    start = now;
    return passed.count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

} // namespace

static llvm::Expected<OwningOpRef<ModuleOp>>
parse(MLIRContext &context, const llvm::SourceMgr &sources) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return badInput("the module does not parse");
  return std::move(module);
}

/// Whether code that a JIT made can call a function of this name that it does
/// not define.
static bool isDefinedElsewhere(StringRef name, const CompileRequest &request) {
  auto process = llvm::sys::DynamicLibrary::getPermanentLibrary(nullptr);
  if (process.getAddressOfSymbol(name.str().c_str()))
    return true;
  llvm::orc::ExecutionSession session(
      llvm::cantFail(llvm::orc::SelfExecutorProcessControl::Create()));
  llvm::DataLayout layout;
  llvm::orc::MangleAndInterner intern(session, layout);
  bool known = getRuntimeSymbols(intern).contains(intern(name)) ||
               (request.getDeviceSymbols &&
                request.getDeviceSymbols(intern).contains(intern(name)));
  llvm::cantFail(session.endSession());
  return known;
}

/// A function that is called must be defined somewhere. The JIT would say so
/// too, as a failure of its own.
static llvm::Error checkDeclarations(ModuleOp module,
                                     const CompileRequest &request) {
  StringRef hasWrapper = LLVM::LLVMDialect::getEmitCWrapperAttrName();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isDeclaration() ||
        SymbolTable::symbolKnownUseEmpty(function, module))
      continue;
    std::string name = function.getName().str();
    if (function->hasAttr(hasWrapper))
      name = "_mlir_ciface_" + name;
    if (!isDefinedElsewhere(name, request))
      return badInput("function @" + function.getName() +
                      " is called and has no body");
  }
  return llvm::Error::success();
}

/// Runs the passes, and finds out what became of the function's results.
static llvm::Expected<std::vector<ReturnedResult>>
lower(ModuleOp module, const CompileRequest &request) {
  auto entry = module.lookupSymbol<func::FuncOp>(request.entry);
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                 UnitAttr::get(module.getContext()));
  ResultHistory history = tagResults(entry);
  // Anchored, or a pipeline on builtin.module would look for modules inside.
  auto passes = PassManager::on<ModuleOp>(module.getContext());
  passes.addInstrumentation(
      std::make_unique<ResultTracker>(request.entry, history));
  request.buildPipeline(passes);
  if (failed(passes.run(module)))
    return badInput("the module cannot be lowered");
  return history.resolve();
}

llvm::Expected<CompiledFunction>
CompiledFunction::create(MLIRContext &context, const CompileRequest &request) {
  auto compiled = compile(context, request);
  if (compiled)
    compiled->load();
  return compiled;
}

CompiledFunction::CompiledFunction() = default;
CompiledFunction::CompiledFunction(CompiledFunction &&other) = default;

CompiledFunction::~CompiledFunction() {
  if (end)
    end();
}

template <typename FunctionT>
static llvm::Error find(LoadedCode &code, StringRef name,
                        FunctionT *&function) {
  auto address = code.find(name);
  if (!address)
    return address.takeError();
  function = reinterpret_cast<FunctionT *>(*address);
  return llvm::Error::success();
}

llvm::Error CompiledFunction::use(std::unique_ptr<LoadedCode> loaded,
                                  const CompileRequest &request) {
  code = std::move(loaded);
  release = request.release;
  // Of what the engine adds to the C interface, that takes all in one list.
  std::string packed = "_mlir__mlir_ciface_" + request.entry;
  if (llvm::Error error = find(*code, packed, function))
    return error;
  if (llvm::Error error = find(*code, kBeginSymbol, begin))
    return error;
  return find(*code, kEndSymbol, end.function);
}

void CompiledFunction::load() {
  Stopwatch watch;
  begin();
  times.codegen += watch.lap();
}

static llvm::Error cannotGenerate(llvm::Error error) {
  return deviceFailed("cannot generate code: " +
                      llvm::toString(std::move(error)));
}

llvm::Error CompiledFunction::compileModule(MLIRContext &context,
                                            const CompileRequest &request) {
  Stopwatch watch;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(request.source),
                             llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(
      sources, &context,
      request.diagnostics ? *request.diagnostics : llvm::errs());
  auto module = parse(context, sources);
  if (!module)
    return module.takeError();
  if (llvm::Error error = checkDeclarations(**module, request))
    return error;
  times.parse = watch.lap();
  auto lowered = lower(**module, request);
  if (!lowered)
    return lowered.takeError();
  results = std::move(*lowered);
  times.passes = watch.lap();
  auto made = LoadedCode::create(**module, request);
  if (!made)
    return cannotGenerate(made.takeError());
  if (llvm::Error error = use(std::move(*made), request))
    return cannotGenerate(std::move(error));
  times.codegen = watch.lap();
  return llvm::Error::success();
}

bool CompiledFunction::loadCached(const CodeCache &cache,
                                  const CompileRequest &request) {
  Stopwatch watch;
  std::optional<CachedCode> cached = cache.find();
  if (!cached)
    return false;
  results = std::move(cached->results);
  auto loaded = LoadedCode::load(cached->object, request);
  llvm::Error error =
      loaded ? use(std::move(*loaded), request) : loaded.takeError();
  if (error) {
    llvm::WithColor::warning()
        << "--compile-cache: " << llvm::toString(std::move(error)) << '\n';
    return false;
  }
  times.codegen = watch.lap();
  times.isCached = true;
  return true;
}

llvm::Expected<CompiledFunction>
CompiledFunction::compile(MLIRContext &context, const CompileRequest &request) {
  CompiledFunction compiled;
  std::optional<CodeCache> cache;
  if (!request.cacheDirectory.empty())
    cache.emplace(request);
  if (cache && compiled.loadCached(*cache, request))
    return std::move(compiled);
  if (llvm::Error error = compiled.compileModule(context, request))
    return std::move(error);
  if (!cache)
    return std::move(compiled);
  auto object = compiled.code->getObject();
  if (object)
    cache->store({compiled.results, std::move(*object)});
  else
    llvm::WithColor::warning()
        << "--compile-cache: " << llvm::toString(object.takeError()) << '\n';
  return std::move(compiled);
}

/// A memref descriptor: allocated and aligned pointer, offset, sizes, strides.
using Descriptor = SmallVector<int64_t, 11>;

static constexpr size_t getDescriptorSize(unsigned rank) {
  return 3 + 2 * rank;
}

static Descriptor makeDescriptor(const PlacedArgument &argument) {
  int64_t base = reinterpret_cast<int64_t>(argument.storage);
  const ArgumentBuffer &buffer = *argument.buffer;
  Descriptor descriptor = {base, base, buffer.getOffset()};
  llvm::append_range(descriptor, buffer.getView().sizes);
  llvm::append_range(descriptor, buffer.getView().strides);
  return descriptor;
}

/// What an argument is when its memory is `argument.storage`.
static View getView(const PlacedArgument &argument) {
  View view = argument.buffer->getView();
  view.data = argument.storage +
              argument.buffer->getOffset() * int64_t(getSizeInBytes(view.type));
  return view;
}

static bool liesIn(const void *pointer, ArrayRef<PlacedArgument> arguments) {
  return llvm::any_of(arguments, [&](const PlacedArgument &argument) {
    const char *begin = argument.storage;
    return pointer >= begin &&
           pointer < begin + argument.buffer->getStorage().getSize();
  });
}

static ResultValue readDescriptor(const int64_t *fields, unsigned rank,
                                  ElementType type,
                                  ArrayRef<PlacedArgument> arguments,
                                  void (*release)(void *)) {
  View view;
  view.type = type;
  view.data =
      reinterpret_cast<char *>(fields[1]) + fields[2] * getSizeInBytes(type);
  view.sizes.assign(fields + 3, fields + 3 + rank);
  view.strides.assign(fields + 3 + rank, fields + 3 + 2 * rank);
  auto *allocated = reinterpret_cast<void *>(fields[0]);
  // An argument that comes back is still the caller's.
  if (liesIn(allocated, arguments))
    allocated = nullptr;
  return ResultValue(std::move(view), allocated, release);
}

/// A buffer returned as several results is to be freed once.
static bool owns(ArrayRef<ResultValue> values, const int64_t *fields) {
  return llvm::any_of(values, [&](const ResultValue &value) {
    return reinterpret_cast<int64_t>(value.getAllocated()) == fields[0];
  });
}

std::vector<ResultValue>
CompiledFunction::call(const Program &program,
                       ArrayRef<PlacedArgument> arguments) {
  std::vector<int64_t> returned;
  for (const ReturnedResult &result : results)
    if (!result.argument)
      returned.resize(returned.size() + getDescriptorSize(result.rank));
  std::vector<Descriptor> descriptors;
  for (const PlacedArgument &argument : arguments)
    descriptors.push_back(makeDescriptor(argument));

  // The C interface takes a pointer to each descriptor, the one to the results
  // first; a packed call a pointer to each of those.
  std::vector<void *> pointers;
  if (!returned.empty())
    pointers.push_back(returned.data());
  for (Descriptor &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  std::vector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(&pointer);
  function(packed.data());

  std::vector<ResultValue> values;
  const int64_t *fields = returned.data();
  for (auto [result, declared] : llvm::zip_equal(results, program.results)) {
    if (result.argument) {
      values.emplace_back(getView(arguments[*result.argument]), nullptr);
      continue;
    }
    bool isShared = owns(values, fields);
    values.push_back(readDescriptor(fields, result.rank, declared.type.type,
                                    arguments, release));
    if (isShared)
      values.back().disown();
    fields += getDescriptorSize(result.rank);
  }
  return values;
}
