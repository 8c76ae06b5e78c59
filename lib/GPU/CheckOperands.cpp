//===- CheckOperands.cpp - What a kernel can be made for ------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMCHECKGPUOPERANDS
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

/// Whether all threads of a kernel, and what launches it, share this memory.
static bool isDeviceMemory(Attribute space) {
  if (!space)
    return true;
  if (auto number = dyn_cast<IntegerAttr>(space))
    return number.getInt() == 1;
  auto named = dyn_cast<gpu::AddressSpaceAttr>(space);
  return named && named.getValue() == gpu::AddressSpace::Global;
}

static LogicalResult checkMemory(Operation *op, StringRef name, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || isDeviceMemory(memref.getMemorySpace()))
    return success();
  return op->emitOpError("expected ")
         << name << " in the default or the global memory space of a GPU, got "
         << memref;
}

/// Bufferization takes tensors of the same shape with another encoding, or with
/// none, for other types, and copies between them inside kernels.
static LogicalResult checkEncoding(Operation *op, StringRef name, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return success();
  return op->emitOpError("expected ")
         << name << " without an encoding for a GPU, got "
         << tensor.getEncoding() << " in " << tensor;
}

static LogicalResult checkOperands(norm::RowwiseOpInterface op) {
  for (OpOperand &operand : op->getOpOperands()) {
    StringRef name = op.getOperandName(operand.getOperandNumber());
    Type type = operand.get().getType();
    if (failed(checkMemory(op, name, type)) ||
        failed(checkEncoding(op, name, type)))
      return failure();
  }
  return success();
}

static LogicalResult check(Operation *op) {
  if (auto rowwise = dyn_cast<norm::RowwiseOpInterface>(op))
    return checkOperands(rowwise);
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
    return checkMemory(op, "buffer", toTensor.getBuffer().getType());
  return success();
}

namespace {
struct NormCheckGPUOperands
    : rudnn::impl::NormCheckGPUOperandsBase<NormCheckGPUOperands> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk(
        [](Operation *op) -> WalkResult { return check(op); });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
