//===- EmulateKernels.cpp - Launches to calls of the emulator -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmulator.h"

#include "rudnn/CPU/MemorySpaces.h"
#include "rudnn/Emulator/Passes.h"
#include "rudnn/Emulator/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMEMULATEKERNELS
#include "rudnn/Emulator/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// Turns one launch into a call.
class LaunchEmulator {
public:
  LaunchEmulator(gpu::LaunchFuncOp launch, const EmulatedKernel &kernel,
                 RuntimeCalls &calls)
      : launch(launch), kernel(kernel), calls(calls), b(launch),
        loc(launch.getLoc()), ptr(LLVM::LLVMPointerType::get(b.getContext())) {}

  void run();

private:
  /// The fields of a RuDNNEmulatorLaunch, in order, of 8 bytes each.
  SmallVector<Value> getFields();
  /// Stores values as a struct that lives as long as the function.
  Value store(ValueRange values, LLVM::LLVMStructType type);
  Value packArguments();
  Value getAddress(func::FuncOp function);
  Value getResumeFunction();
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value cast(Value value, Type type) {
    return value.getType() == type
               ? value
               : UnrealizedConversionCastOp::create(b, loc, type, value)
                     .getResult(0);
  }

  gpu::LaunchFuncOp launch;
  const EmulatedKernel &kernel;
  RuntimeCalls &calls;
  OpBuilder b;
  Location loc;
  Type ptr;
};

} // namespace

Value LaunchEmulator::store(ValueRange values, LLVM::LLVMStructType type) {
  OpBuilder entry(b.getContext());
  auto function = launch->getParentOfType<func::FuncOp>();
  entry.setInsertionPointToStart(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(entry, loc, b.getI64IntegerAttr(1));
  Value memory = LLVM::AllocaOp::create(entry, loc, ptr, type, one);
  Value packed = LLVM::PoisonOp::create(b, loc, type);
  for (auto [i, value] : llvm::enumerate(values))
    packed = LLVM::InsertValueOp::create(b, loc, packed,
                                         cast(value, type.getBody()[i]), i);
  LLVM::StoreOp::create(b, loc, packed, memory);
  return memory;
}

Value LaunchEmulator::getAddress(func::FuncOp function) {
  Value constant = func::ConstantOp::create(b, loc, function.getFunctionType(),
                                            function.getName());
  return cast(constant, ptr);
}

/// A function that resumes a thread; one for the module.
Value LaunchEmulator::getResumeFunction() {
  constexpr StringLiteral name = "rudnn_resume_thread";
  SymbolTable &symbols = calls.getSymbols();
  if (auto function = symbols.lookup<func::FuncOp>(name))
    return getAddress(function);
  auto function = func::FuncOp::create(loc, name, b.getFunctionType({ptr}, {}));
  function.setPrivate();
  symbols.insert(function);
  Block *block = function.addEntryBlock();
  OpBuilder inside = OpBuilder::atBlockEnd(block);
  LLVM::CoroResumeOp::create(inside, loc, block->getArgument(0));
  func::ReturnOp::create(inside, loc);
  return getAddress(function);
}

SmallVector<Value> LaunchEmulator::getFields() {
  LLVM::GlobalOp description = kernel.description;
  SmallVector<Value> fields{
      LLVM::AddressOfOp::create(b, loc, description),
      getAddress(kernel.function), getResumeFunction(),
      store(launch.getKernelOperands(), kernel.arguments)};
  auto addSizes = [&](gpu::KernelDim3 sizes) {
    for (Value size : {sizes.x, sizes.y, sizes.z}) {
      if (size.getType().isInteger(32))
        size = arith::ExtUIOp::create(b, loc, b.getI64Type(), size);
      fields.push_back(size);
    }
  };
  auto addConstants = [&](const std::array<int64_t, 3> &sizes) {
    for (int64_t size : sizes)
      fields.push_back(constant(size));
  };
  addSizes(launch.getGridSizeOperandValues());
  addSizes(launch.getBlockSizeOperandValues());
  if (launch.hasClusterSize())
    addSizes(launch.getClusterSizeOperandValues());
  else if (kernel.knownCluster[0] != 0)
    addConstants(kernel.knownCluster);
  else
    addConstants({1, 1, 1});
  addConstants(kernel.knownGrid);
  addConstants(kernel.knownBlock);
  addConstants(kernel.knownCluster);
  fields.push_back(constant(kernel.staticBytes));
  fields.push_back(constant(kernel.staticSpan));
  Value dynamicBytes = launch.getDynamicSharedMemorySize();
  fields.push_back(dynamicBytes ? arith::ExtUIOp::create(b, loc, b.getI64Type(),
                                                         dynamicBytes)
                                : constant(0));
  fields.push_back(constant(kernel.granule));
  return fields;
}

void LaunchEmulator::run() {
  SmallVector<Value> fields = getFields();
  assert(fields.size() * 8 == sizeof(RuDNNEmulatorLaunch));
  SmallVector<Type> types;
  for (Value field : fields)
    types.push_back(isa<LLVM::LLVMPointerType>(field.getType())
                        ? ptr
                        : Type(b.getI64Type()));
  Value memory =
      store(fields, LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  calls.call(b, loc, "rudnnEmulatorLaunch", {memory});
}

namespace {
struct NormEmulateKernels
    : rudnn::impl::NormEmulateKernelsBase<NormEmulateKernels> {
  void runOnOperation() override {
    if (failed(checkIsOnBuffers()) || failed(emulateKernels()) ||
        failed(emulateLaunches()))
      return signalPassFailure();
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      module.erase();
    getOperation()->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
    rudnn::dropMemorySpaces(getOperation());
  }

private:
  LogicalResult checkIsOnBuffers();
  LogicalResult emulateKernels();
  LogicalResult emulateLaunches();

  llvm::DenseMap<SymbolRefAttr, EmulatedKernel> kernels;
};
} // namespace

/// Loops on tensors have to be bufferized before; upstream's lowering of
/// scf.forall takes it for granted.
LogicalResult NormEmulateKernels::checkIsOnBuffers() {
  WalkResult result = getOperation().walk([](scf::ForallOp loop) {
    if (loop.getNumResults() == 0)
      return WalkResult::advance();
    emitError(loop.getLoc())
        << "expected loops on memrefs, got scf.forall with results of type "
        << loop.getResultTypes();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult NormEmulateKernels::emulateKernels() {
  kernels.clear();
  RuntimeCalls calls(getOperation());
  SmallVector<gpu::GPUFuncOp> found;
  for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
    for (Operation &op : *module.getBody()) {
      auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
      if (!kernel)
        return op.emitOpError("cannot be emulated");
      if (failed(checkCanBeEmulated(kernel)))
        return failure();
      found.push_back(kernel);
    }
  for (gpu::GPUFuncOp kernel : found) {
    auto name = SymbolRefAttr::get(
        kernel->getParentOfType<gpu::GPUModuleOp>().getNameAttr(),
        {FlatSymbolRefAttr::get(kernel.getNameAttr())});
    kernels[name] = emulateKernel(kernel, calls);
  }
  return success();
}

LogicalResult NormEmulateKernels::emulateLaunches() {
  RuntimeCalls calls(getOperation());
  SmallVector<Operation *> ops;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp>(op))
      return WalkResult::skip();
    if (op->getDialect() && isa<gpu::GPUDialect>(op->getDialect()))
      ops.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : ops) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    if (!launch && !isa<gpu::WaitOp>(op))
      return op->emitOpError("cannot be emulated: expected launches of "
                             "functions, and waits for them, only");
    if (!launch)
      continue;
    if (!launch->getParentOfType<func::FuncOp>())
      return launch.emitOpError(
          "cannot be emulated: expected it in a function");
    auto kernel = kernels.find(launch.getKernel());
    if (kernel == kernels.end())
      return launch.emitOpError("cannot be emulated: the module has no kernel ")
             << launch.getKernel();
    LaunchEmulator(launch, kernel->second, calls).run();
  }
  // Launches are over when they return: tokens have nobody to wait for.
  for (Operation *op : llvm::reverse(ops)) {
    if (!op->use_empty())
      return op->emitOpError("cannot be emulated: its token has other uses");
    op->erase();
  }
  return success();
}
