//===- Jit.h - from module text to a callable function ----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_JIT_H
#define RUDNN_RUNNER_JIT_H

#include "rudnn/Runner/Arguments.h"
#include "rudnn/Runner/Program.h"

#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace rudnn::runner {

/// How a result of the original function comes back from the compiled one.
struct ReturnedResult {
  unsigned rank;
  /// The argument it was written over, in which case nothing is returned.
  std::optional<unsigned> argument;
};

/// Milliseconds of each step from text to function.
struct CompileTimes {
  double parse = 0;
  double passes = 0;
  double codegen = 0;
  /// Whether the code comes from a cache; parse and passes are 0 then.
  bool isCached = false;
  double total() const { return parse + passes + codegen; }
};

/// A result in memory; frees what compiled code allocated for it.
class ResultValue {
public:
  ResultValue(View view, void *allocated, void (*release)(void *) = std::free)
      : view(std::move(view)), allocated(allocated), release(release) {}
  ResultValue(ResultValue &&other)
      : view(std::move(other.view)), allocated(other.allocated),
        release(other.release) {
    other.allocated = nullptr;
  }
  ResultValue &operator=(ResultValue &&) = delete;
  ~ResultValue() { release(allocated); }
  const View &getView() const { return view; }
  /// What is freed in the end; null for memory that is not its own.
  void *getAllocated() const { return allocated; }
  void disown() { allocated = nullptr; }

private:
  View view;
  void *allocated;
  void (*release)(void *); ///< takes null
};

/// An argument as the function gets it: in its own memory or in a copy.
struct PlacedArgument {
  const ArgumentBuffer *buffer;
  char *storage;

  PlacedArgument(const ArgumentBuffer *buffer, char *storage)
      : buffer(buffer), storage(storage) {}
  PlacedArgument(const ArgumentBuffer *buffer)
      : PlacedArgument(buffer, buffer->getStorage().getData()) {}
};

/// How to lower a module, and for what.
struct CompileRequest {
  llvm::MemoryBufferRef source;
  std::string entry;
  /// Adds the passes from the module as written to the LLVM dialect.
  std::function<void(mlir::OpPassManager &)> buildPipeline;
  /// What LLVM calls -mcpu and -mattr; empty: the host's.
  std::string cpu, features;
  unsigned optLevel = 2;
  /// What the code calls besides what getRuntimeSymbols gives.
  llvm::orc::SymbolMap (*getDeviceSymbols)(llvm::orc::MangleAndInterner) =
      nullptr;
  /// Frees what the code allocated.
  void (*release)(void *) = std::free;
  /// Where code is kept in files for other processes; empty: nowhere.
  std::string cacheDirectory;
  /// All that `buildPipeline` depends on, as text, so that a change of it is
  /// seen. Only needed with a cache.
  std::string pipeline;
  /// Where errors in the module, and remarks, go; null: the standard error.
  llvm::raw_ostream *diagnostics = nullptr;
};

class CodeCache;
class LoadedCode;

/// A compiled function and all it needs to run.
class CompiledFunction {
public:
  CompiledFunction(CompiledFunction &&other);
  ~CompiledFunction();

  static llvm::Expected<CompiledFunction> create(mlir::MLIRContext &context,
                                                 const CompileRequest &request);

  /// The first of two steps of that: makes code. May be done by several threads
  /// at the same time, each with a context of its own, which is not needed
  /// afterwards.
  static llvm::Expected<CompiledFunction>
  compile(mlir::MLIRContext &context, const CompileRequest &request);
  /// The second: loads kernels, if there are any.
  void load();

  /// Runs the function on arguments in memory. Results have the element types
  /// of `program`.
  std::vector<ResultValue> call(const Program &program,
                                llvm::ArrayRef<PlacedArgument> arguments);

  const CompileTimes &getTimes() const { return times; }

private:
  /// Called once, by the last owner.
  struct End {
    void (*function)() = nullptr;

    End() = default;
    End(End &&other) : function(std::exchange(other.function, nullptr)) {}
    explicit operator bool() const { return function; }
    void operator()() const { function(); }
  };

  CompiledFunction();
  /// Takes code, and finds the functions in it.
  llvm::Error use(std::unique_ptr<LoadedCode> loaded,
                  const CompileRequest &request);
  /// Makes code of the module.
  llvm::Error compileModule(mlir::MLIRContext &context,
                            const CompileRequest &request);
  /// Whether the cache has the code.
  bool loadCached(const CodeCache &cache, const CompileRequest &request);

  std::unique_ptr<LoadedCode> code;
  void (*function)(void **) = nullptr;
  void (*begin)() = nullptr;
  End end;
  std::vector<ReturnedResult> results;
  void (*release)(void *) = nullptr;
  CompileTimes times;
};

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_JIT_H
