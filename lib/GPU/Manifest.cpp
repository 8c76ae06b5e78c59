//===- Manifest.cpp - How to launch a kernel, as JSON ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include "KernelAccess.h"
#include "LaunchFormula.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace rudnn;
namespace json = llvm::json;

template <typename T> static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return text;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A size, stride or offset; null if it is dynamic.
static json::Value getKnown(int64_t value) {
  return ShapedType::isDynamic(value) ? json::Value(nullptr)
                                      : json::Value(value);
}

static json::Array getKnown(ArrayRef<int64_t> values) {
  json::Array array;
  for (int64_t value : values)
    array.push_back(getKnown(value));
  return array;
}

/// The 8-byte parameters that a buffer is passed as.
static json::Array getDescriptorWords(int64_t rank) {
  json::Array words{"pointer", "pointer", "offset"};
  for (StringRef word : {"size", "stride"})
    for (int64_t axis = 0; axis < rank; ++axis)
      words.push_back((word + Twine(axis)).str());
  return words;
}

static json::Object describeBuffer(MemRefType type, DictionaryAttr attributes) {
  auto [strides, offset] = type.getStridesAndOffset();
  json::Object object{{"kind", "buffer"},
                      {"type", print(type.getElementType())},
                      {"shape", getKnown(type.getShape())},
                      {"strides", getKnown(strides)},
                      {"offset", getKnown(offset)},
                      {"parameters", getDescriptorWords(type.getRank())}};
  if (!attributes)
    return object;
  if (auto access = attributes.getAs<StringAttr>("norm.access"))
    object["access"] = access.getValue();
  if (auto alignment = attributes.getAs<IntegerAttr>("norm.alignment"))
    object["alignment"] = alignment.getInt();
  return object;
}

static FailureOr<json::Array> describeArguments(gpu::KernelMetadataAttr kernel,
                                                Location loc) {
  auto function = dyn_cast<FunctionType>(kernel.getFunctionType());
  if (!function)
    return emitError(loc) << "kernel " << kernel.getName()
                          << " has no description, expected that "
                             "norm-describe-kernels ran before its lowering";
  json::Array arguments;
  for (auto [index, type] : llvm::enumerate(function.getInputs())) {
    json::Object argument{{"kind", "scalar"},
                          {"type", print(type)},
                          {"parameters", json::Array{"value"}}};
    if (auto memref = dyn_cast<MemRefType>(type))
      argument = describeBuffer(memref, kernel.getArgAttrDict(index));
    argument["name"] = "arg" + std::to_string(index);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Appends the formulas of `values` to `array`.
static LogicalResult append(LaunchFormula &formula, ValueRange values,
                            json::Array &array) {
  for (Value value : values) {
    FailureOr<std::string> text = formula.get(value);
    if (failed(text))
      return failure();
    array.push_back(*text);
  }
  return success();
}

/// What must hold where `launch` is: the conditions of the branches round it,
/// and those that the function asserts before.
static LogicalResult addConditions(gpu::LaunchFuncOp launch,
                                   LaunchFormula &formula,
                                   json::Array &conditions,
                                   json::Array &asserted) {
  for (Operation *op = launch; !isa<FunctionOpInterface>(op);
       op = op->getParentOp()) {
    Block *block = op->getBlock();
    for (auto assertion : block->getOps<cf::AssertOp>())
      if (assertion->isBeforeInBlock(op) &&
          failed(append(formula, assertion.getArg(), asserted)))
        return failure();
    if (!block->getParent()->hasOneBlock())
      return launch.emitOpError("has no formula for when it is reached");
    Operation *parent = op->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      continue;
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      return launch.emitOpError("is in ")
             << parent->getName() << ", so that no formula says how often it "
             << "runs";
    FailureOr<std::string> text = formula.get(branch.getCondition());
    if (failed(text))
      return failure();
    bool isThen = block->getParent() == &branch.getThenRegion();
    conditions.push_back(isThen ? *text : "!" + *text);
  }
  return success();
}

/// The number of `alloc` among the allocations of its function.
static int64_t getScratchIndex(memref::AllocOp alloc) {
  int64_t index = 0;
  alloc->getParentOfType<FunctionOpInterface>().walk(
      [&](memref::AllocOp other) {
        if (other == alloc)
          return WalkResult::interrupt();
        ++index;
        return WalkResult::advance();
      });
  return index;
}

/// Where the value of an argument comes from.
static FailureOr<json::Object> describeOperand(Value operand,
                                               LaunchFormula &formula) {
  json::Object object;
  if (!isa<BaseMemRefType>(operand.getType())) {
    if (!operand.getType().isIntOrIndex())
      return object;
    FailureOr<std::string> value = formula.get(operand);
    if (failed(value))
      return failure();
    object["value"] = *value;
    return object;
  }
  Value root = getRootMemRef(operand);
  if (auto argument = dyn_cast<BlockArgument>(root))
    object["host_argument"] = argument.getArgNumber();
  auto alloc = root.getDefiningOp<memref::AllocOp>();
  if (!alloc)
    return object;
  object["scratch"] = getScratchIndex(alloc);
  json::Array sizes;
  auto dynamic = alloc.getDynamicSizes().begin();
  for (int64_t size : alloc.getType().getShape()) {
    if (!ShapedType::isDynamic(size))
      sizes.push_back(std::to_string(size));
    else if (failed(append(formula, *dynamic++, sizes)))
      return failure();
  }
  object["sizes"] = std::move(sizes);
  return object;
}

/// Adds `grid`, `block`, `cluster` and `shared_bytes` to `object`.
static LogicalResult addShape(gpu::LaunchFuncOp launch,
                              gpu::KernelMetadataAttr kernel,
                              LaunchFormula &formula, json::Object &object) {
  json::Array grid, block, cluster, shared;
  gpu::KernelDim3 blocks = launch.getGridSizeOperandValues();
  gpu::KernelDim3 threads = launch.getBlockSizeOperandValues();
  if (failed(append(formula, {blocks.x, blocks.y, blocks.z}, grid)) ||
      failed(append(formula, {threads.x, threads.y, threads.z}, block)))
    return failure();
  if (launch.hasClusterSize()) {
    gpu::KernelDim3 dims = launch.getClusterSizeOperandValues();
    if (failed(append(formula, {dims.x, dims.y, dims.z}, cluster)))
      return failure();
  } else {
    auto known = kernel.getAttr<DenseI32ArrayAttr>("cluster");
    for (int i = 0; i < 3; ++i)
      cluster.push_back(std::to_string(known ? known[i] : 1));
  }
  Value bytes = launch.getDynamicSharedMemorySize();
  if (!bytes)
    shared.push_back("0");
  else if (failed(append(formula, bytes, shared)))
    return failure();
  object["grid"] = std::move(grid);
  object["block"] = std::move(block);
  object["cluster"] = std::move(cluster);
  object["shared_bytes"] = std::move(shared.front());
  return success();
}

/// How many launches stand before `launch` in its function.
static int64_t getPosition(gpu::LaunchFuncOp launch) {
  int64_t position = 0;
  launch->getParentOfType<FunctionOpInterface>()->walk(
      [&](gpu::LaunchFuncOp other) {
        if (other == launch)
          return WalkResult::interrupt();
        ++position;
        return WalkResult::advance();
      });
  return position;
}

static FailureOr<json::Object> describeLaunch(gpu::LaunchFuncOp launch,
                                              gpu::KernelMetadataAttr kernel) {
  LaunchFormula formula(launch);
  auto function = launch->getParentOfType<FunctionOpInterface>();
  json::Array hostTypes, operands, conditions, asserted;
  for (Type type : function.getArgumentTypes())
    hostTypes.push_back(print(type));
  for (Value operand : launch.getKernelOperands()) {
    FailureOr<json::Object> described = describeOperand(operand, formula);
    if (failed(described))
      return failure();
    operands.push_back(std::move(*described));
  }
  json::Object object;
  if (failed(addShape(launch, kernel, formula, object)) ||
      failed(addConditions(launch, formula, conditions, asserted)))
    return failure();
  object["host"] = function.getName();
  object["position"] = getPosition(launch);
  object["host_arguments"] = std::move(hostTypes);
  if (auto dependent = kernel.getAttr<BoolAttr>("dependent"))
    object["dependent"] = dependent.getValue();
  object["requires"] = std::move(asserted);
  object["condition"] = std::move(conditions);
  object["arguments"] = std::move(operands);
  return object;
}

//===----------------------------------------------------------------------===//
// Manifest
//===----------------------------------------------------------------------===//

FailureOr<json::Object>
rudnn::makeManifest(gpu::KernelMetadataAttr kernel, json::Array code,
                    ArrayRef<gpu::LaunchFuncOp> launches, Location loc) {
  FailureOr<json::Array> arguments = describeArguments(kernel, loc);
  if (failed(arguments))
    return failure();
  json::Array described;
  for (gpu::LaunchFuncOp launch : launches) {
    FailureOr<json::Object> object = describeLaunch(launch, kernel);
    if (failed(object))
      return failure();
    described.push_back(std::move(*object));
  }
  json::Object manifest{{"version", 1},
                        {"name", kernel.getName().getValue()},
                        {"code", std::move(code)},
                        {"arguments", std::move(*arguments)},
                        {"launches", std::move(described)}};
  if (Attribute schedule = kernel.getAttr("schedule"))
    manifest["schedule"] = print(schedule);
  json::Object usage;
  for (StringRef name : {"registers", "shared_bytes", "stack_bytes",
                         "spill_store_bytes", "spill_load_bytes"})
    if (auto value = kernel.getAttr<IntegerAttr>(name))
      usage[name] = value.getInt();
  if (!usage.empty())
    manifest["usage"] = std::move(usage);
  return manifest;
}
