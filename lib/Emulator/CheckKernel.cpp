//===- CheckKernel.cpp - what can be emulated -----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmulator.h"

#include "rudnn/Support/Diagnostics.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rudnn;

/// Ops that become calls, or nothing.
static bool isEmulated(Operation *op) {
  return isa<gpu::BarrierOp, gpu::BlockDimOp, gpu::BlockIdOp,
             gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp, gpu::ClusterDimOp,
             gpu::ClusterIdOp, gpu::DynamicSharedMemoryOp, gpu::GridDimOp,
             gpu::LaneIdOp, gpu::NumSubgroupsOp, gpu::ReturnOp, gpu::ShuffleOp,
             gpu::SubgroupIdOp, gpu::SubgroupSizeOp, gpu::ThreadIdOp,
             nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
             nvgpu::DeviceAsyncWaitOp, NVVM::ClusterArriveOp,
             NVVM::ClusterWaitOp, NVVM::CpAsyncCommitGroupOp,
             NVVM::CpAsyncWaitGroupOp, NVVM::GriddepcontrolOp, NVVM::MapaOp>(
      op);
}

/// Ops whose accesses are checked.
static bool isCheckedAccess(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
             vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
             vector::MaskedStoreOp, LLVM::LoadOp, LLVM::StoreOp>(op);
}

/// Ops of no dialect of the GPU that touch no memory.
static bool isHarmless(Operation *op) {
  if (isa<gpu::GPUDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect>(
          op->getDialect()) ||
      isa<LLVM::InlineAsmOp, LLVM::CallOp, LLVM::CallIntrinsicOp>(op))
    return false;
  return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         isMemoryEffectFree(op) ||
         isa<cf::AssertOp, memref::AllocaOp, memref::AssumeAlignmentOp,
             memref::PrefetchOp>(op);
}

static LogicalResult checkMemRef(Operation *op, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || getElementBytes(memref.getElementType()))
    return success();
  return op->emitOpError("cannot be emulated: expected memrefs of index, or of "
                         "integers or floats of whole bytes, got ")
         << type;
}

static LogicalResult checkOp(Operation *op) {
  if (!isEmulated(op) && !isCheckedAccess(op) && !isHarmless(op))
    return op->emitOpError("cannot be emulated");
  for (Value operand : op->getOperands())
    if (isCheckedAccess(op) || isa<nvgpu::DeviceAsyncCopyOp>(op))
      if (failed(checkMemRef(op, operand.getType())))
        return failure();
  if (auto rmw = dyn_cast<memref::AtomicRMWOp>(op))
    if (isWorkgroup(rmw.getMemRefType()))
      return op->emitOpError("cannot be emulated on workgroup memory");
  if (auto masked = dyn_cast<vector::MaskedLoadOp>(op))
    if (masked.getVectorType().getRank() != 1)
      return op->emitOpError("cannot be emulated: expected a 1-D vector, got ")
             << masked.getVectorType();
  if (auto masked = dyn_cast<vector::MaskedStoreOp>(op))
    if (masked.getVectorType().getRank() != 1)
      return op->emitOpError("cannot be emulated: expected a 1-D vector, got ")
             << masked.getVectorType();
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    Type type = shuffle.getValue().getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
      return op->emitOpError("cannot be emulated: expected an integer or float "
                             "of at most 64 bits, got ")
             << type;
  }
  for (Value result : op->getResults())
    if (isa<nvgpu::DeviceAsyncTokenType>(result.getType()))
      for (Operation *user : result.getUsers())
        if (!isEmulated(user))
          return user->emitOpError("cannot be emulated: takes a token of "
                                   "asynchronous copies, expected groups and "
                                   "waits only to do so");
  if (isa<memref::MemorySpaceCastOp>(op)) {
    auto from = dyn_cast<MemRefType>(op->getOperand(0).getType());
    auto to = dyn_cast<MemRefType>(op->getResult(0).getType());
    if (!from || !to || isWorkgroup(from) != isWorkgroup(to))
      return op->emitOpError("cannot be emulated: hides a memory space");
  }
  return success();
}

LogicalResult rudnn::checkCanBeEmulated(gpu::GPUFuncOp kernel) {
  if (!kernel.isKernel())
    return emitShortOpError(kernel)
           << "cannot be emulated: expected kernels only, with calls inlined";
  for (Type type : kernel.getArgumentTypes())
    if (!convertToPackedType(type))
      return emitShortOpError(kernel)
             << "cannot be emulated: has an argument of type " << type;
  for (BlockArgument memory : kernel.getWorkgroupAttributions())
    if (failed(checkMemRef(kernel, memory.getType())) ||
        !cast<MemRefType>(memory.getType()).hasStaticShape())
      return emitShortOpError(kernel)
             << "cannot be emulated: has workgroup memory of "
                "type "
             << memory.getType();
  WalkResult result = kernel.getBody().walk([](Operation *op) {
    return failed(checkOp(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
