//===- KernelEmulator.cpp - a kernel as a function of one thread ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmulator.h"

#include "OpEmulator.h"

#include "rudnn/CPU/MemorySpaces.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rudnn;

namespace {

/// Workgroup memory larger than this is aligned to as much where nothing else
/// is said, as LLVM does for large variables.
constexpr int64_t kLargeAlignment = 16;

/// Moves one kernel into a function.
class KernelEmulator {
public:
  KernelEmulator(gpu::GPUFuncOp kernel, RuntimeCalls &calls)
      : kernel(kernel), calls(calls), b(kernel.getContext()),
        loc(kernel.getLoc()), converter(kernel.getContext()) {}

  EmulatedKernel run();

private:
  void describeSizes();
  void describeWorkgroupAccess(Operation *op);
  void createDescription(StringRef text);
  void createFunction();
  void unpackArguments();
  void placeWorkgroupMemory();
  void placePrivateMemory();
  int64_t getAlignment(unsigned attribution, int64_t bytes,
                       int64_t elementBytes);

  gpu::GPUFuncOp kernel;
  RuntimeCalls &calls;
  OpBuilder b;
  Location loc;
  LLVMTypeConverter converter;
  EmulatedKernel emulated;
  Block *entry = nullptr;
  Value arguments, thread;
  /// Arguments of the entry block that are not replaced yet.
  size_t nextArgument = 2;
};

} // namespace

static void readSizes(Operation *op, StringRef name,
                      std::array<int64_t, 3> &sizes) {
  if (auto known = op->getAttrOfType<DenseI32ArrayAttr>(name))
    if (known.size() == 3)
      llvm::copy(known.asArrayRef(), sizes.begin());
}

void KernelEmulator::describeSizes() {
  readSizes(kernel, NVVM::NVVMDialect::getClusterDimAttrName(),
            emulated.knownCluster);
  readSizes(kernel, kernel.getKnownGridSizeAttrName(), emulated.knownGrid);
  readSizes(kernel, kernel.getKnownBlockSizeAttrName(), emulated.knownBlock);
  readSizes(kernel, kernel.getKnownClusterSizeAttrName(),
            emulated.knownCluster);
}

/// Races are looked for in units of the smallest element accessed.
void KernelEmulator::describeWorkgroupAccess(Operation *op) {
  auto take = [&](Type type) {
    if (std::optional<int64_t> bytes = getElementBytes(type))
      emulated.granule = std::min(emulated.granule, *bytes);
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return take(getElementTypeOrSelf(load.getType()));
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return take(getElementTypeOrSelf(store.getValue().getType()));
  if (isMemoryEffectFree(op))
    return; // Makes views, of bytes for instance, but accesses nothing.
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      if (isWorkgroup(type))
        take(type.getElementType());
}

/// A string of the runtime's, with a zero at its end.
void KernelEmulator::createDescription(StringRef text) {
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  std::string name =
      (module.getName() + "_" + kernel.getName() + "_description").str();
  SmallString<0> terminated(text);
  terminated.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), terminated.size());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(module);
  emulated.description = LLVM::GlobalOp::create(
      b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
      b.getStringAttr(terminated));
  calls.getSymbols().insert(emulated.description);
}

void KernelEmulator::createFunction() {
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(convertToPackedType(type));
  emulated.arguments = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  Type ptr = LLVM::LLVMPointerType::get(b.getContext());
  emulated.function = func::FuncOp::create(
      loc, (module.getName() + "_" + kernel.getName()).str(),
      b.getFunctionType({ptr, ptr}, {}));
  emulated.function.setPrivate();
  emulated.function->setAttr(kThreadFunctionAttr, b.getUnitAttr());
  calls.getSymbols().insert(emulated.function, module->getIterator());
  emulated.function.getBody().takeBody(kernel.getBody());
  entry = &emulated.function.getBody().front();
  arguments = entry->insertArgument(0u, ptr, loc);
  thread = entry->insertArgument(1u, ptr, loc);
  b.setInsertionPointToStart(entry);
}

/// Lets `value`, of a type of the LLVM dialect, stand for the next argument.
static void replaceNext(OpBuilder &b, Block *entry, size_t &next, Value value) {
  BlockArgument argument = entry->getArgument(next++);
  if (value.getType() != argument.getType())
    value = UnrealizedConversionCastOp::create(b, argument.getLoc(),
                                               argument.getType(), value)
                .getResult(0);
  argument.replaceAllUsesWith(value);
}

void KernelEmulator::unpackArguments() {
  Value packed = LLVM::LoadOp::create(b, loc, emulated.arguments, arguments);
  for (size_t i = 0; i < emulated.arguments.getBody().size(); ++i)
    replaceNext(b, entry, nextArgument,
                LLVM::ExtractValueOp::create(b, loc, packed, i));
}

int64_t KernelEmulator::getAlignment(unsigned attribution, int64_t bytes,
                                     int64_t elementBytes) {
  auto said = dyn_cast_or_null<IntegerAttr>(kernel.getWorkgroupAttributionAttr(
      attribution, LLVM::LLVMDialect::getAlignAttrName()));
  if (said && said.getInt() > 0)
    return said.getInt();
  return bytes > kLargeAlignment ? kLargeAlignment : elementBytes;
}

/// Lays out what the kernel declares: each aligned as it may count on and no
/// more, so that a wrong claim shows.
void KernelEmulator::placeWorkgroupMemory() {
  for (unsigned i = 0, end = kernel.getNumWorkgroupAttributions(); i < end;
       ++i) {
    auto type = cast<MemRefType>(entry->getArgument(nextArgument).getType());
    int64_t elementBytes = *getElementBytes(type.getElementType());
    int64_t bytes = type.getNumElements() * elementBytes;
    int64_t alignment = getAlignment(i, bytes, elementBytes);
    int64_t offset =
        llvm::alignTo(emulated.staticSpan, 2 * alignment) + alignment;
    emulated.staticBytes += bytes;
    emulated.staticSpan = offset + bytes;
    Value start = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(offset));
    Value pointer =
        calls.call(b, loc, "rudnnEmulatorGetWorkgroupMemory", {thread, start},
                   LLVM::LLVMPointerType::get(b.getContext()));
    auto plain = MemRefType::get(type.getShape(), type.getElementType());
    Value descriptor =
        MemRefDescriptor::fromStaticShape(b, loc, converter, plain, pointer);
    replaceNext(b, entry, nextArgument, descriptor);
  }
}

void KernelEmulator::placePrivateMemory() {
  while (nextArgument < entry->getNumArguments()) {
    auto type = cast<MemRefType>(entry->getArgument(nextArgument).getType());
    replaceNext(b, entry, nextArgument, memref::AllocaOp::create(b, loc, type));
  }
}

EmulatedKernel KernelEmulator::run() {
  describeSizes();
  kernel.getBody().walk([&](Operation *op) { describeWorkgroupAccess(op); });
  OpTable table(kernel, [](Operation *op) {
    return op->getNumRegions() == 0 &&
           (!isMemoryEffectFree(op) || isa<gpu::ShuffleOp, NVVM::MapaOp>(op));
  });
  createDescription(table.getDescription());
  createFunction();
  unpackArguments();
  placeWorkgroupMemory();
  placePrivateMemory();
  entry->eraseArguments(2, entry->getNumArguments() - 2);
  OpEmulator(calls, table, thread).run(emulated.function);
  return emulated;
}

Type rudnn::convertToPackedType(Type type) {
  LLVMTypeConverter converter(type.getContext());
  return converter.convertType(dropMemorySpaces(type));
}

EmulatedKernel rudnn::emulateKernel(gpu::GPUFuncOp kernel,
                                    RuntimeCalls &calls) {
  return KernelEmulator(kernel, calls).run();
}
