//===- Program.cpp - what a module asks of its caller ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Program.h"

#include "AccessAnalysis.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

/// What the rstd of a backward is made with when nothing else says.
static constexpr double kDefaultEpsilon = 1e-6;

std::string Argument::getName() const {
  std::string name = "argument " + std::to_string(index);
  return role.empty() ? name : name + " (" + role + ")";
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::optional<ElementType> convertElementType(Type type) {
  if (type.isF32())
    return ElementType::F32;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF64())
    return ElementType::F64;
  if (type.isSignlessInteger(8))
    return ElementType::I8;
  if (type.isSignlessInteger(16))
    return ElementType::I16;
  if (type.isSignlessInteger(32))
    return ElementType::I32;
  if (type.isSignlessInteger(64))
    return ElementType::I64;
  return std::nullopt;
}

static llvm::Expected<ArrayType> convertType(Type type, const Twine &name) {
  auto refused = [&] {
    return badInput(name +
                    ": expected a ranked tensor or strided memref of "
                    "f32, f16, bf16, f64 or i8 to i64, got " +
                    print(type));
  };
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || isa<VectorType>(type))
    return refused();
  std::optional<ElementType> element =
      convertElementType(shaped.getElementType());
  if (!element)
    return refused();
  ArrayType array;
  array.type = *element;
  array.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  array.isTensor = isa<TensorType>(type);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity())
    return array;
  SmallVector<int64_t> strides;
  if (failed(memref.getStridesAndOffset(strides, array.offset)))
    return refused();
  array.hasLayout = true;
  array.strides.assign(strides.begin(), strides.end());
  return array;
}

/// Whether strides, offset and memory space of two types agree is MLIR's
/// business; here a cast is a cast.
static Value stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CastOp, memref::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<unsigned> rudnn::runner::traceToArgument(Value value,
                                                       func::FuncOp entry) {
  while (true) {
    value = stripCasts(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != &entry.getBody().front())
        return std::nullopt;
      return argument.getArgNumber();
    }
    auto result = cast<OpResult>(value);
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!op || !op.getTiedOpOperand(result))
      return std::nullopt;
    value = op.getTiedOpOperand(result)->get();
  }
}

/// Names the arguments after the norm operands they are, and finds those that
/// have to hold the rstd of others.
static void describeByNormOps(Program &program) {
  func::FuncOp entry = program.entry;
  entry.walk([&](norm::RowwiseOpInterface op) {
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<unsigned> index = traceToArgument(operand.get(), entry);
      if (index && program.arguments[*index].role.empty())
        program.arguments[*index].role =
            op.getOperandName(operand.getOperandNumber()).str();
    }
  });
  entry.walk([&](norm::RMSNormBackwardOp op) {
    std::optional<unsigned> x = traceToArgument(op.getX(), entry);
    std::optional<unsigned> rstd = traceToArgument(op.getRstd(), entry);
    if (x && rstd)
      program.arguments[*rstd].rstdOf = RstdOf{*x, kDefaultEpsilon};
  });
}

static std::string getResultRole(Value value) {
  auto result = dyn_cast<OpResult>(stripCasts(value));
  if (!result)
    return "";
  auto rowwise = dyn_cast<norm::RowwiseOpInterface>(result.getOwner());
  auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
  if (!rowwise || !op)
    return "";
  OpOperand *init = op.getTiedOpOperand(result);
  return rowwise.getOperandName(init->getOperandNumber()).str();
}

static void describeResults(Program &program) {
  SmallVector<func::ReturnOp> returns;
  program.entry.walk([&](func::ReturnOp op) { returns.push_back(op); });
  if (returns.size() != 1)
    return;
  for (auto [result, value] :
       llvm::zip_equal(program.results, returns.front().getOperands()))
    result.role = getResultRole(value);
}

static llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    auto entry = module.lookupSymbol<func::FuncOp>(name);
    if (!entry)
      return badInput("--entry: the module has no function @" + name);
    if (entry.isDeclaration())
      return badInput("--entry: function @" + name + " has no body");
    return entry;
  }
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      candidates.push_back(function);
  if (candidates.empty())
    return badInput("the module has no public function with a body");
  if (candidates.size() == 1)
    return candidates.front();
  std::string names;
  for (func::FuncOp function : candidates)
    names += (names.empty() ? "@" : ", @") + function.getName().str();
  return badInput("the module has several public functions (" + names +
                  "): choose one by --entry");
}

llvm::Expected<Program> rudnn::runner::analyze(ModuleOp module,
                                               StringRef entryName) {
  auto entry = findEntry(module, entryName);
  if (!entry)
    return entry.takeError();
  Program program;
  program.entry = *entry;
  for (BlockArgument value : entry->getArguments()) {
    unsigned index = value.getArgNumber();
    auto type = convertType(value.getType(), "argument " + Twine(index));
    if (!type)
      return type.takeError();
    program.arguments.push_back(
        {index, *type, analyzeAccess(value), "", std::nullopt});
  }
  for (auto [i, resultType] : llvm::enumerate(entry->getResultTypes())) {
    auto type = convertType(resultType, "result " + Twine(i));
    if (!type)
      return type.takeError();
    program.results.push_back({*type, ""});
  }
  describeByNormOps(program);
  describeResults(program);
  return program;
}
