//===- AllocateSharedMemory.cpp - Places in shared memory -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/Support/MathExtras.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMALLOCATESHAREDMEMORY
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

/// What a block may have of static shared memory, on every chip.
static constexpr uint64_t maxStaticBytes = 48 << 10;
/// For the widest access. Dynamic shared memory is aligned to no more.
static constexpr uint64_t minAlignment = 16;

namespace {
/// An allocation, and its place among those of its kernel.
struct Buffer {
  memref::AllocOp alloc;
  uint64_t offset; ///< in bytes
  uint64_t alignment;
};

/// The buffers of one kernel.
class KernelMemory {
public:
  explicit KernelMemory(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  /// Finds the allocations; fails on one that has no size.
  LogicalResult collect();
  /// Whether all of them may be static, beside the kernel's attributions.
  bool fitsStatic() const { return attributed + end <= maxStaticBytes; }
  void makeStatic();
  LogicalResult makeDynamic(ArrayRef<gpu::LaunchFuncOp> launches);

private:
  gpu::GPUFuncOp kernel;
  SmallVector<Buffer> buffers;
  uint64_t attributed = 0; ///< bytes of attributions
  uint64_t end = 0;        ///< bytes of allocations and the gaps between them
};
} // namespace

/// The size of a buffer, if it is static.
static std::optional<uint64_t> getBytes(Operation *op, MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !(element.isIntOrIndexOrFloat() || isa<VectorType>(element)))
    return std::nullopt;
  return type.getNumElements() *
         DataLayout::closest(op).getTypeSize(element).getFixedValue();
}

LogicalResult KernelMemory::collect() {
  for (BlockArgument attribution : kernel.getWorkgroupAttributions())
    attributed += llvm::alignTo(
        getBytes(kernel, cast<MemRefType>(attribution.getType())).value_or(0),
        minAlignment);
  WalkResult result = kernel.getBody().walk([&](memref::AllocOp alloc) {
    if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()))
      return WalkResult::advance();
    std::optional<uint64_t> bytes = getBytes(alloc, alloc.getType());
    if (!bytes)
      return WalkResult(alloc.emitOpError("expected a buffer of static size "
                                          "and plain layout in shared memory, "
                                          "got ")
                        << alloc.getType());
    uint64_t alignment =
        std::max(alloc.getAlignment().value_or(1), minAlignment);
    uint64_t offset = llvm::alignTo(end, alignment);
    buffers.push_back({alloc, offset, alignment});
    end = offset + *bytes;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Puts `place` where the result of `alloc` is used.
static void replaceAllocation(memref::AllocOp alloc, Value place) {
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  alloc.replaceAllUsesWith(place);
  alloc.erase();
}

void KernelMemory::makeStatic() {
  Builder b(kernel.getContext());
  for (const Buffer &buffer : buffers) {
    unsigned index = kernel.getNumWorkgroupAttributions();
    memref::AllocOp alloc = buffer.alloc;
    BlockArgument place =
        kernel.addWorkgroupAttribution(alloc.getType(), alloc.getLoc());
    kernel.setWorkgroupAttributionAttr(index,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       b.getI64IntegerAttr(buffer.alignment));
    replaceAllocation(alloc, place);
  }
}

LogicalResult KernelMemory::makeDynamic(ArrayRef<gpu::LaunchFuncOp> launches) {
  WalkResult result = kernel.getBody().walk([&](gpu::DynamicSharedMemoryOp op) {
    return WalkResult(
        op.emitOpError("expected no dynamic shared memory beside ")
        << end << " bytes of buffers, more than the " << maxStaticBytes
        << " that may be static");
  });
  if (result.wasInterrupted())
    return failure();
  auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                              &kernel.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  Value memory = gpu::DynamicSharedMemoryOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                         MemRefLayoutAttrInterface(), space));
  for (const Buffer &buffer : buffers) {
    memref::AllocOp alloc = buffer.alloc;
    if (buffer.alignment > minAlignment)
      return alloc.emitOpError("expected an alignment of at most ")
             << minAlignment << " bytes in dynamic shared memory, got "
             << buffer.alignment;
    Value offset = arith::ConstantIndexOp::create(b, buffer.offset);
    replaceAllocation(alloc, memref::ViewOp::create(b, alloc.getType(), memory,
                                                    offset, ValueRange()));
  }
  for (gpu::LaunchFuncOp launch : launches) {
    OpBuilder host(launch);
    Value bytes =
        arith::ConstantIntOp::create(host, launch.getLoc(), int64_t(end), 32);
    launch.getDynamicSharedMemorySizeMutable().assign(bytes);
  }
  return success();
}

namespace {
struct NormAllocateSharedMemory
    : rudnn::impl::NormAllocateSharedMemoryBase<NormAllocateSharedMemory> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        if (failed(allocate(module, kernel)))
          return signalPassFailure();
  }

  LogicalResult allocate(gpu::GPUModuleOp module, gpu::GPUFuncOp kernel) {
    KernelMemory memory(kernel);
    if (failed(memory.collect()))
      return failure();
    if (memory.fitsStatic()) {
      memory.makeStatic();
      return success();
    }
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (launch.getKernelModuleName() == module.getNameAttr() &&
          launch.getKernelName() == kernel.getNameAttr())
        launches.push_back(launch);
    });
    return memory.makeDynamic(launches);
  }
};
} // namespace
