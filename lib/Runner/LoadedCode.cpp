//===- LoadedCode.cpp - Code in memory, ready to be called ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedCode.h"

#include "RuntimeSymbols.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Target/TargetMachine.h"

using namespace rudnn;
using namespace rudnn::runner;

//===----------------------------------------------------------------------===//
// Made of a module
//===----------------------------------------------------------------------===//

/// Moves what `list` is to run into a function of that name.
static void moveIntoFunction(llvm::Module &module, llvm::StringRef list,
                             llvm::StringRef name) {
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(module.getContext()), /*isVarArg=*/false);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  llvm::IRBuilder<> b(
      llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::GlobalVariable *global = module.getGlobalVariable(list);
  if (global) {
    // In a module of MLIR all have one priority.
    for (auto element :
         llvm::make_range(llvm::orc::CtorDtorIterator(global, /*End=*/false),
                          llvm::orc::CtorDtorIterator(global, /*End=*/true)))
      b.CreateCall(element.Func);
    global->eraseFromParent();
  }
  b.CreateRetVoid();
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const CompileRequest &request) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  if (!request.cpu.empty()) {
    builder->setCPU(request.cpu);
    builder->getFeatures() = llvm::SubtargetFeatures(request.features);
  }
  builder->setCodeGenOptLevel(
      static_cast<llvm::CodeGenOptLevel>(std::min(request.optLevel, 3u)));
  return builder->createTargetMachine();
}

static llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
createEngine(mlir::ModuleOp module, const CompileRequest &request) {
  auto machine = createTargetMachine(request);
  if (!machine)
    return machine.takeError();
  auto optimize = mlir::makeOptimizingTransformer(
      request.optLevel, /*sizeLevel=*/0, machine->get());
  auto transform = [&](llvm::Module *llvmModule) {
    moveIntoFunction(*llvmModule, "llvm.global_ctors", kBeginSymbol);
    moveIntoFunction(*llvmModule, "llvm.global_dtors", kEndSymbol);
    return optimize(llvmModule);
  };
  mlir::ExecutionEngineOptions options;
  // Nobody watches this process by perf or gdb unless they ask for it.
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  options.enableObjectDump = !request.cacheDirectory.empty();
  options.transformer = transform;
  options.jitCodeGenOptLevel =
      static_cast<llvm::CodeGenOptLevel>(std::min(request.optLevel, 3u));
  auto engine =
      mlir::ExecutionEngine::create(module, options, std::move(*machine));
  if (engine)
    (*engine)->registerSymbols(getRuntimeSymbols);
  if (engine && request.getDeviceSymbols)
    (*engine)->registerSymbols(request.getDeviceSymbols);
  return engine;
}

namespace {
class MadeCode : public LoadedCode {
public:
  explicit MadeCode(std::unique_ptr<mlir::ExecutionEngine> engine)
      : engine(std::move(engine)) {}

  llvm::Expected<void *> find(llvm::StringRef name) override {
    return engine->lookup(name);
  }

  llvm::Expected<std::string> getObject() override {
    llvm::SmallString<128> path;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("rudnn", "o", path))
      return llvm::createStringError(error, error.message());
    llvm::FileRemover remover(path);
    engine->dumpToObjectFile(path);
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError(buffer.getError(),
                                     buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

private:
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

//===----------------------------------------------------------------------===//
// Loaded from an object
//===----------------------------------------------------------------------===//

class KnownCode : public LoadedCode {
public:
  explicit KnownCode(std::unique_ptr<llvm::orc::LLJIT> jit)
      : jit(std::move(jit)) {}

  llvm::Expected<void *> find(llvm::StringRef name) override {
    auto address = jit->lookup(name);
    if (!address)
      return address.takeError();
    return address->toPtr<void *>();
  }

  llvm::Expected<std::string> getObject() override {
    return llvm::createStringError("the code was loaded from an object");
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};
} // namespace

llvm::Expected<std::unique_ptr<LoadedCode>>
LoadedCode::create(mlir::ModuleOp module, const CompileRequest &request) {
  auto engine = createEngine(module, request);
  if (!engine)
    return engine.takeError();
  return std::make_unique<MadeCode>(std::move(*engine));
}

llvm::Expected<std::unique_ptr<LoadedCode>>
LoadedCode::load(llvm::StringRef object, const CompileRequest &request) {
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  llvm::orc::MangleAndInterner intern((*jit)->getExecutionSession(),
                                      (*jit)->getDataLayout());
  llvm::orc::SymbolMap symbols = getRuntimeSymbols(intern);
  if (request.getDeviceSymbols)
    for (const auto &symbol : request.getDeviceSymbols(intern))
      symbols.insert(symbol);
  if (llvm::Error error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  if (llvm::Error error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(object, "cached")))
    return std::move(error);
  return std::make_unique<KnownCode>(std::move(*jit));
}
