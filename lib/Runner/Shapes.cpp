//===- Shapes.cpp - the sizes of a run ------------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Shapes.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Runner/Failure.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;
using norm::OperandRole;

namespace {

/// An axis of the value that an operand goes back to: an argument, or anything
/// that is not traced further.
using Axis = std::pair<const void *, int64_t>;

class Solver {
public:
  Solver(const Program &program, const SizeSources &sources)
      : program(program), sources(sources) {}

  llvm::Expected<std::vector<Shape>> solve() {
    if (llvm::Error error = checkGiven())
      return std::move(error);
    func::FuncOp entry = program.entry;
    entry.walk([&](norm::RowwiseOpInterface op) { unify(op); });
    recordKnownSizes();
    for (const Argument &argument : program.arguments)
      if (llvm::Error error = resolve(argument))
        return std::move(error);
    return std::move(shapes);
  }

private:
  const void *getRoot(Value value) {
    if (std::optional<unsigned> index = traceToArgument(value, program.entry))
      return getKey(*index);
    return value.getAsOpaquePointer();
  }

  const void *getKey(unsigned argument) {
    func::FuncOp entry = program.entry;
    return entry.getArgument(argument).getAsOpaquePointer();
  }

  /// Files must fit the types of their arguments.
  llvm::Error checkGiven() {
    for (auto &[index, shape] : sources.given) {
      const Argument &argument = program.arguments[index];
      if (succeeded(verifyCompatibleShape(argument.type.shape, shape)))
        continue;
      return badInput(argument.getName() + ": expected shape " +
                      formatShape(argument.type.shape) + ", got " +
                      formatShape(shape));
    }
    return llvm::Error::success();
  }

  /// Makes the axes equal that an op needs to be equal.
  void unify(norm::RowwiseOpInterface op) {
    const void *rows = getRoot(op.getRows());
    int64_t rank = cast<ShapedType>(op.getRows().getType()).getRank();
    lastAxes.push_back({rows, rank - 1});
    for (OpOperand &operand : op->getOpOperands()) {
      const void *root = getRoot(operand.get());
      auto type = cast<ShapedType>(operand.get().getType());
      bool perColumn = op.getOperandRole(operand.getOperandNumber()) ==
                       OperandRole::PerColumn;
      for (int64_t axis = 0; axis < type.getRank(); ++axis) {
        Axis own(root, axis), other(rows, perColumn ? rank - 1 : axis);
        classes.unionSets(own, other);
        if (!type.isDynamicDim(axis))
          setSize(own, type.getDimSize(axis));
      }
    }
  }

  void recordKnownSizes() {
    for (const Argument &argument : program.arguments) {
      auto given = sources.given.find(argument.index);
      ArrayRef<int64_t> shape = given == sources.given.end()
                                    ? ArrayRef<int64_t>(argument.type.shape)
                                    : ArrayRef<int64_t>(given->second);
      for (auto [axis, size] : llvm::enumerate(shape))
        if (!ShapedType::isDynamic(size))
          setSize({getKey(argument.index), axis}, size);
    }
  }

  /// The first size an axis is given stays: a contradiction shows when the
  /// shapes are compared.
  void setSize(Axis axis, int64_t size) { known.push_back({axis, size}); }

  std::optional<int64_t> findSize(Axis axis) {
    for (auto &[other, size] : known)
      if (isSame(other, axis))
        return size;
    return std::nullopt;
  }

  bool isSame(Axis a, Axis b) { return classes.isEquivalent(a, b); }

  /// Whether an axis runs along rows: a norm op says so, or, where none does,
  /// it is the last of several.
  bool isColumnAxis(Axis axis, int64_t rank) {
    if (llvm::any_of(lastAxes, [&](Axis last) { return isSame(last, axis); }))
      return true;
    return !classes.contains(axis) && rank > 1 && axis.second == rank - 1;
  }

  llvm::Error resolve(const Argument &argument) {
    auto given = sources.given.find(argument.index);
    if (given != sources.given.end()) {
      shapes.push_back(given->second);
      return llvm::Error::success();
    }
    Shape shape = argument.type.shape;
    for (auto [number, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      Axis axis(getKey(argument.index), number);
      std::optional<int64_t> found = findSize(axis);
      bool isColumn = isColumnAxis(axis, shape.size());
      if (!found)
        found = isColumn ? sources.columns : sources.rows;
      if (!found)
        return badInput(argument.getName() + ": axis " + Twine(number) +
                        " of " + formatShape(argument.type.shape) +
                        " has no size: give " +
                        (isColumn ? "--cols" : "--rows") + " or --input");
      size = *found;
    }
    shapes.push_back(shape);
    return llvm::Error::success();
  }

  const Program &program;
  const SizeSources &sources;
  llvm::EquivalenceClasses<Axis> classes;
  SmallVector<std::pair<Axis, int64_t>> known;
  SmallVector<Axis> lastAxes;
  std::vector<Shape> shapes;
};

/// Compares each operand of an op that is an argument with the shape that the
/// rows ask of it, if they are an argument too.
llvm::Error checkOperands(norm::RowwiseOpInterface op, const Program &program,
                          ArrayRef<Shape> shapes) {
  std::optional<unsigned> rows = traceToArgument(op.getRows(), program.entry);
  if (!rows)
    return llvm::Error::success();
  ArrayRef<int64_t> rowShape = shapes[*rows];
  std::string what =
      program.arguments[*rows].getName() + " of shape " + formatShape(rowShape);
  if (rowShape.back() == 0)
    return badInput(op->getName().getStringRef() +
                    ": expected a last axis of size >= 1, got " + what);
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> index =
        traceToArgument(operand.get(), program.entry);
    if (!index)
      continue;
    OperandRole role = op.getOperandRole(operand.getOperandNumber());
    ArrayRef<int64_t> expected = role == OperandRole::Rows ? rowShape
                                 : role == OperandRole::PerRow
                                     ? rowShape.drop_back()
                                     : rowShape.take_back();
    if (expected == ArrayRef<int64_t>(shapes[*index]))
      continue;
    return badInput(op->getName().getStringRef() + ": expected " +
                    op.getOperandName(operand.getOperandNumber()) +
                    " of shape " + formatShape(expected) + " for " + what +
                    ", got " + program.arguments[*index].getName() +
                    " of shape " + formatShape(shapes[*index]));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<Shape>>
rudnn::runner::resolveShapes(const Program &program,
                             const SizeSources &sources) {
  auto shapes = Solver(program, sources).solve();
  if (!shapes)
    return shapes.takeError();
  llvm::Error error = llvm::Error::success();
  func::FuncOp entry = program.entry;
  entry.walk([&](norm::RowwiseOpInterface op) {
    error = checkOperands(op, program, *shapes);
    return error ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (error)
    return std::move(error);
  return shapes;
}
