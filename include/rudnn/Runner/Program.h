//===- Program.h - what a module asks of its caller -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads off the function to be run, before anything is lowered: the types of
// its arguments and results, which arguments it reads and writes, and how the
// shapes of its norm ops tie the sizes of arguments together.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_RUNNER_PROGRAM_H
#define RUDNN_RUNNER_PROGRAM_H

#include "rudnn/Reference/View.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace rudnn::runner {

/// What a function does with the memory of an argument.
enum class Access {
  None,
  Read,
  /// Written without being read; what was there does not matter.
  Write,
  /// Both, or not known to be neither.
  ReadWrite
};

/// An argument that holds the rstd of another one.
struct RstdOf {
  unsigned x;
  double epsilon;
};

/// A tensor or memref type as the runner sees it; mlir::ShapedType::kDynamic
/// stands for sizes, strides and offsets that the type leaves open.
struct ArrayType {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  /// Row-major without gaps if the type has no layout of its own.
  bool hasLayout = false;
  llvm::SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
  bool isTensor = false;
};

struct Argument {
  unsigned index;
  ArrayType type;
  Access access;
  /// The part it plays in the first norm op that takes it, such as "gamma";
  /// empty if there is none.
  std::string role;
  /// Set if it serves as the rstd of a backward whose x is an argument.
  std::optional<RstdOf> rstdOf;

  /// "argument 1 (gamma)"
  std::string getName() const;
};

struct Result {
  ArrayType type;
  /// "y", "dx"...: the init of the norm op it comes from; empty if it comes
  /// from another op.
  std::string role;
};

/// The function to be run. Refers to the module it was made from.
struct Program {
  mlir::func::FuncOp entry;
  std::vector<Argument> arguments;
  std::vector<Result> results;
};

/// Finds the function named `entry`, or the only public one with a body if that
/// is empty, and describes it. Refuses arguments and results that are not
/// ranked tensors or strided memrefs of the types of ElementType.
llvm::Expected<Program> analyze(mlir::ModuleOp module, llvm::StringRef entry);

/// The argument of `entry` that a value is, perhaps cast, or was written over
/// as a destination; none for other values.
std::optional<unsigned> traceToArgument(mlir::Value value,
                                        mlir::func::FuncOp entry);

} // namespace rudnn::runner

#endif // RUDNN_RUNNER_PROGRAM_H
