//===- KernelAccess.cpp - Which arguments a kernel reads and writes -------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAccess.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace rudnn;

Value rudnn::getRootMemRef(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      memref = metadata.getSource();
    else
      break;
  }
  return memref;
}

ArrayRef<BlockArgument> rudnn::getKernelArguments(gpu::GPUFuncOp kernel) {
  return kernel.getBody().getArguments().take_front(kernel.getNumArguments());
}

/// Whether memory of the address space `number` may be global: the generic one
/// has it too.
static bool mayBeGlobal(int64_t number) {
  return number <= int64_t(NVVM::NVVMMemorySpace::Global);
}

bool rudnn::mayBeGlobal(BaseMemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto address = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return address.getValue() == gpu::AddressSpace::Global;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return !space || (number && ::mayBeGlobal(number.getInt()));
}

KernelAccess::KernelAccess(Region &body) : body(body) {
  body.walk([&](Operation *op) { addOp(op); });
}

bool KernelAccess::isKnown(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return argument.getOwner() == &body.front() ||
           !body.isAncestor(argument.getParentRegion());
  return isa<memref::AllocaOp>(root.getDefiningOp()) ||
         !body.isAncestor(root.getParentRegion());
}

void KernelAccess::addOperand(Value operand, bool reads, bool writes,
                              bool isAddressIfInteger) {
  Type type = operand.getType();
  if (auto memref = dyn_cast<BaseMemRefType>(type)) {
    Value root = getRootMemRef(operand);
    if (!mayBeGlobal(cast<BaseMemRefType>(root.getType())))
      return;
    if (isKnown(root)) {
      if (reads)
        read.insert(root);
      if (writes)
        written.insert(root);
      return;
    }
  } else if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    // Blocks of a cluster reach each other's shared memory by pointers.
    if (!::mayBeGlobal(pointer.getAddressSpace()))
      return;
  } else if (!isAddressIfInteger || !type.isInteger(64)) {
    return;
  }
  readAny |= reads;
  writeAny |= writes;
}

void KernelAccess::addOp(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      isMemoryEffectFree(op))
    return;
  // Assembly sees the numbers that it is given, other ops don't make an
  // address of them.
  bool isAssembly = isa<NVVM::InlinePtxOp, LLVM::InlineAsmOp>(op);
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  for (Value operand : op->getOperands()) {
    if (!interface) {
      addOperand(operand, true, true, isAssembly);
      continue;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (!effect.getValue() || effect.getValue() == operand)
        addOperand(operand, isa<MemoryEffects::Read>(effect.getEffect()),
                   isa<MemoryEffects::Write>(effect.getEffect()), isAssembly);
  }
}

void KernelAccess::addLaunch(gpu::LaunchFuncOp launch) {
  auto getRoot = [&](BlockArgument argument) {
    Value operand = launch.getKernelOperands()[argument.getArgNumber()];
    return isa<BaseMemRefType>(operand.getType()) ? getRootMemRef(operand)
                                                  : Value();
  };
  auto kernel = cast<gpu::GPUFuncOp>(body.getParentOp());
  ArrayRef<BlockArgument> arguments = getKernelArguments(kernel);
  for (BlockArgument argument : arguments)
    for (BlockArgument other : arguments)
      if (argument != other && written.contains(other) && getRoot(argument) &&
          getRoot(argument) == getRoot(other))
        written.insert(argument);
}

/// Whether `root` shares no memory with any other such buffer.
static bool isOwnBuffer(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return isa<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
  // Arguments of other blocks may be any of those of the function.
  Block *block = argument.getOwner();
  return block->isEntryBlock() &&
         isa<FunctionOpInterface>(block->getParentOp());
}

bool KernelAccess::mayWriteTo(const KernelAccess &other) const {
  bool touchesAny = other.readAny || other.writeAny;
  if (writeAny)
    return touchesAny || !other.read.empty() || !other.written.empty();
  if (written.empty())
    return false;
  auto meets = [&](Value theirs) {
    return llvm::any_of(written, [&](Value ours) {
      return ours == theirs || !isOwnBuffer(ours) || !isOwnBuffer(theirs);
    });
  };
  return touchesAny || llvm::any_of(other.read, meets) ||
         llvm::any_of(other.written, meets);
}
