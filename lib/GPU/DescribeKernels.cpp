//===- DescribeKernels.cpp - What a caller of a kernel must know ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "KernelAccess.h"
#include "MemoryAccess.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/GPU/OverlapLaunches.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDESCRIBEKERNELS
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

/// The alignment in bytes that ops of `kernel` rely on, by the buffer.
static llvm::SmallDenseMap<Value, uint64_t>
getAlignments(gpu::GPUFuncOp kernel) {
  llvm::SmallDenseMap<Value, uint64_t> alignments;
  auto add = [&](Value memref, uint64_t alignment) {
    uint64_t &known = alignments[getRootMemRef(memref)];
    known = std::max(known, alignment);
  };
  kernel.getBody().walk([&](Operation *op) {
    if (std::optional<MemoryAccess> access = MemoryAccess::get(op))
      add(access->memref, access->alignment);
    if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
      add(copy.getSrc(), copy.getDstElements().getZExtValue() *
                             copy.getSrc().getType().getElementTypeBitWidth() /
                             8);
  });
  return alignments;
}

static StringRef getAccessName(const KernelAccess &access, Value argument) {
  if (access.mayRead(argument))
    return access.mayWrite(argument) ? "read_write" : "read";
  return access.mayWrite(argument) ? "write" : "none";
}

/// What a launch must know that isn't an argument.
static SmallVector<NamedAttribute> getLaunchAttributes(gpu::GPUFuncOp kernel) {
  Builder b(kernel.getContext());
  SmallVector<NamedAttribute> attributes;
  auto add = [&](StringRef name, Attribute value) {
    if (value)
      attributes.push_back(b.getNamedAttr(name, value));
  };
  StringRef cluster = NVVM::NVVMDialect::getClusterDimAttrName();
  add("cluster", kernel->hasAttr(cluster) ? kernel->getAttr(cluster)
                                          : kernel.getKnownClusterSizeAttr());
  add("dependent", b.getBoolAttr(waitsForPrevious(kernel)));
  add("schedule", kernel->getAttr(norm::NormDialect::kScheduleAttrName));
  return attributes;
}

static gpu::KernelMetadataAttr describe(gpu::GPUFuncOp kernel) {
  KernelAccess access(kernel);
  llvm::SmallDenseMap<Value, uint64_t> alignments = getAlignments(kernel);
  Builder b(kernel.getContext());
  SmallVector<Attribute> arguments;
  for (BlockArgument argument : getKernelArguments(kernel)) {
    SmallVector<NamedAttribute> attributes;
    if (isa<BaseMemRefType>(argument.getType())) {
      attributes.push_back(b.getNamedAttr(
          "norm.access", b.getStringAttr(getAccessName(access, argument))));
      attributes.push_back(b.getNamedAttr(
          "norm.alignment", b.getI64IntegerAttr(alignments.lookup(argument))));
    }
    arguments.push_back(b.getDictionaryAttr(attributes));
  }
  return gpu::KernelMetadataAttr::get(
      kernel.getNameAttr(), kernel.getFunctionType(), b.getArrayAttr(arguments),
      b.getDictionaryAttr(getLaunchAttributes(kernel)));
}

namespace {
struct NormDescribeKernels
    : rudnn::impl::NormDescribeKernelsBase<NormDescribeKernels> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        if (kernel.isKernel())
          kernel->setAttr(norm::NormDialect::kKernelAttrName, describe(kernel));
  }
};
} // namespace
