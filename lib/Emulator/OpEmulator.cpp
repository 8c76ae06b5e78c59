//===- OpEmulator.cpp - what one thread does, op by op --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEmulator.h"

#include "rudnn/Emulator/Runtime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn;

Value OpEmulator::constant(Location loc, int64_t value, unsigned width) {
  return arith::ConstantIntOp::create(b, loc, value, width);
}

Value OpEmulator::getNumber(Operation *op) {
  return constant(op->getLoc(), table.getNumber(op), 32);
}

/// Calls a function of the thread in place of the op.
void OpEmulator::call(Operation *op, StringRef name,
                      ArrayRef<Value> arguments) {
  SmallVector<Value> all{thread};
  llvm::append_range(all, arguments);
  calls.call(b, op->getLoc(), name, all);
  op->erase();
}

void OpEmulator::run(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) { ops.push_back(op); });
  // Users first, so that ops can go: tokens of copies have no values here.
  for (Operation *op : llvm::reverse(ops)) {
    b.setInsertionPoint(op);
    emulate(op);
  }
}

/// What RuDNNEmulatorGetIndex calls the value, and its dimension.
static std::optional<std::pair<RuDNNEmulatorIndex, gpu::Dimension>>
findIndex(Operation *op) {
  using Index = std::optional<std::pair<RuDNNEmulatorIndex, gpu::Dimension>>;
  auto named = [](RuDNNEmulatorIndex index) {
    return [index](auto op) -> Index {
      if constexpr (std::is_same_v<decltype(op), gpu::LaneIdOp> ||
                    std::is_same_v<decltype(op), gpu::SubgroupIdOp> ||
                    std::is_same_v<decltype(op), gpu::NumSubgroupsOp>)
        return std::make_pair(index, gpu::Dimension::x);
      else
        return std::make_pair(index, op.getDimension());
    };
  };
  return TypeSwitch<Operation *, Index>(op)
      .Case<gpu::ThreadIdOp>(named(RuDNNEmulatorThreadId))
      .Case<gpu::BlockIdOp>(named(RuDNNEmulatorBlockId))
      .Case<gpu::BlockDimOp>(named(RuDNNEmulatorBlockDim))
      .Case<gpu::GridDimOp>(named(RuDNNEmulatorGridDim))
      .Case<gpu::ClusterIdOp>(named(RuDNNEmulatorClusterId))
      .Case<gpu::ClusterBlockIdOp>(named(RuDNNEmulatorClusterBlockId))
      .Case<gpu::ClusterDimOp>(named(RuDNNEmulatorClusterDim))
      .Case<gpu::ClusterDimBlocksOp>(named(RuDNNEmulatorClusterDimBlocks))
      .Case<gpu::LaneIdOp>(named(RuDNNEmulatorLane))
      .Case<gpu::SubgroupIdOp>(named(RuDNNEmulatorWarp))
      .Case<gpu::NumSubgroupsOp>(named(RuDNNEmulatorNumWarps))
      .Default([](Operation *) { return std::nullopt; });
}

bool OpEmulator::emulateIndex(Operation *op) {
  Location loc = op->getLoc();
  Value value;
  if (isa<gpu::SubgroupSizeOp>(op))
    value = arith::ConstantIndexOp::create(b, loc, 32);
  else if (auto index = findIndex(op))
    value = calls.call(b, loc, "rudnnEmulatorGetIndex",
                       {thread, constant(loc, index->first, 32),
                        constant(loc, static_cast<int>(index->second), 32)},
                       b.getIndexType());
  else
    return false;
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

bool OpEmulator::emulateWait(Operation *op) {
  auto wait = [&](int64_t pending) {
    call(op, "rudnnEmulatorWaitForCopies",
         {constant(op->getLoc(), pending, 64)});
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](gpu::BarrierOp) {
        call(op, kBarrier, {getNumber(op)});
        return true;
      })
      .Case([&](NVVM::ClusterArriveOp) {
        call(op, "rudnnEmulatorClusterArrive", {getNumber(op)});
        return true;
      })
      .Case([&](NVVM::ClusterWaitOp) {
        call(op, kClusterWait, {getNumber(op)});
        return true;
      })
      // Kernels run one after the other.
      .Case([](NVVM::GriddepcontrolOp op) {
        op.erase();
        return true;
      })
      .Case<nvgpu::DeviceAsyncCreateGroupOp, NVVM::CpAsyncCommitGroupOp>(
          [&](Operation *) {
            call(op, "rudnnEmulatorCommitCopies", {});
            return true;
          })
      .Case([&](nvgpu::DeviceAsyncWaitOp group) {
        // Without a number the lowering to NVVM waits for all.
        wait(group.getNumGroups().value_or(0));
        return true;
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp group) {
        wait(group.getN());
        return true;
      })
      .Default([](Operation *) { return false; });
}

void OpEmulator::emulate(Operation *op) {
  if (emulateIndex(op) || emulateWait(op))
    return;
  for (const MemRefAccess &access : getAccesses(b, op))
    checker.check(b, op->getLoc(), access, table.getNumber(op));
  TypeSwitch<Operation *>(op)
      .Case([&](gpu::ShuffleOp op) { emulateShuffle(op); })
      .Case([&](gpu::DynamicSharedMemoryOp op) { emulateDynamicMemory(op); })
      .Case([&](nvgpu::DeviceAsyncCopyOp op) { emulateCopy(op); })
      .Case([&](NVVM::MapaOp op) { emulateMapa(op); })
      .Case([&](LLVM::LoadOp op) {
        checkPointer(op, op.getAddr(), op.getType(), op.getAlignment(),
                     /*isWrite=*/false);
      })
      .Case([&](LLVM::StoreOp op) {
        checkPointer(op, op.getAddr(), op.getValue().getType(),
                     op.getAlignment(), /*isWrite=*/true);
      })
      .Case([&](gpu::ReturnOp op) {
        calls.call(b, op.getLoc(), "rudnnEmulatorExit", {thread});
        func::ReturnOp::create(b, op.getLoc());
        op.erase();
      });
}

/// Values travel as 64 bits.
void OpEmulator::emulateShuffle(gpu::ShuffleOp op) {
  Location loc = op.getLoc();
  Type type = op.getValue().getType();
  Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
  Type i64 = b.getI64Type();
  Value value = op.getValue();
  if (type != bits)
    value = arith::BitcastOp::create(b, loc, bits, value);
  if (bits != i64)
    value = arith::ExtUIOp::create(b, loc, i64, value);
  calls.call(b, loc, kShuffle,
             {thread, getNumber(op),
              constant(loc, static_cast<int>(op.getMode()), 32), value,
              op.getOffset(), op.getWidth()});
  Value result = calls.call(b, loc, "rudnnEmulatorGetShuffled", {thread}, i64);
  if (bits != i64)
    result = arith::TruncIOp::create(b, loc, bits, result);
  if (type != bits)
    result = arith::BitcastOp::create(b, loc, type, result);
  op.getShuffleResult().replaceAllUsesWith(result);
  if (!op.getValid().use_empty()) {
    Value valid = calls.call(b, loc, "rudnnEmulatorIsShuffleValid", {thread},
                             b.getI32Type());
    op.getValid().replaceAllUsesWith(
        arith::TruncIOp::create(b, loc, b.getI1Type(), valid));
  }
  op.erase();
}

void OpEmulator::emulateDynamicMemory(gpu::DynamicSharedMemoryOp op) {
  Location loc = op.getLoc();
  LLVMTypeConverter converter(b.getContext());
  auto plain = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  Value pointer = calls.call(b, loc, "rudnnEmulatorGetDynamicMemory", {thread},
                             LLVM::LLVMPointerType::get(b.getContext()));
  Value size = calls.call(b, loc, "rudnnEmulatorGetIndex",
                          {thread, constant(loc, RuDNNEmulatorDynamicBytes, 32),
                           constant(loc, 0, 32)},
                          b.getIndexType());
  size = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  auto descriptor =
      MemRefDescriptor::poison(b, loc, converter.convertType(plain));
  descriptor.setAllocatedPtr(b, loc, pointer);
  descriptor.setAlignedPtr(b, loc, pointer);
  descriptor.setConstantOffset(b, loc, 0);
  descriptor.setSize(b, loc, 0, size);
  descriptor.setConstantStride(b, loc, 0, 1);
  op.getResult().replaceAllUsesWith(UnrealizedConversionCastOp::create(
                                        b, loc, op.getType(), Value(descriptor))
                                        .getResult(0));
  op.erase();
}

void OpEmulator::emulateCopy(nvgpu::DeviceAsyncCopyOp op) {
  Location loc = op.getLoc();
  int32_t number = table.getNumber(op);
  MemRefAccess target, source;
  target.memref = op.getDst();
  target.indices = op.getDstIndices();
  target.numElements = op.getDstElementsAttr();
  target.isWrite = true;
  source.memref = op.getSrc();
  source.indices = op.getSrcIndices();
  source.numElements = target.numElements;
  // The instruction wants both addresses aligned to what it writes.
  source.alignment = target.alignment =
      op.getDstElements().getSExtValue() *
      *getElementBytes(op.getDst().getType().getElementType());
  if (op.getSrcElements()) {
    source.numElements = op.getSrcElements();
    source.condition = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ne, op.getSrcElements(),
        arith::ConstantIndexOp::create(b, loc, 0));
  }
  checker.checkPlace(b, loc, target, number);
  checker.checkPlace(b, loc, source, number);
  call(op, "rudnnEmulatorCopyAsync",
       {getNumber(op), checker.getAddress(b, loc, target),
        checker.getBytes(b, loc, target), checker.getAddress(b, loc, source),
        checker.getBytes(b, loc, source)});
}

void OpEmulator::emulateMapa(Operation *op) {
  Location loc = op->getLoc();
  auto mapa = cast<NVVM::MapaOp>(op);
  Value address = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), mapa.getA());
  Value mapped =
      calls.call(b, loc, "rudnnEmulatorMapToBlock",
                 {thread, getNumber(op), address, mapa.getB()}, b.getI64Type());
  mapa.getRes().replaceAllUsesWith(
      LLVM::IntToPtrOp::create(b, loc, mapa.getRes().getType(), mapped));
  op->erase();
}

/// Pointers into workgroup memory know of no bounds but the block's.
void OpEmulator::checkPointer(Operation *op, Value pointer, Type type,
                              std::optional<uint64_t> alignment, bool isWrite) {
  unsigned space =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  bool isOwn = space == NVVM::NVVMMemorySpace::Shared;
  if (!isOwn && space != NVVM::NVVMMemorySpace::SharedCluster)
    return;
  Location loc = op->getLoc();
  DataLayout layout = DataLayout::closest(op);
  Value address = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), pointer);
  checker.checkAlignment(b, loc, address,
                         alignment.value_or(layout.getTypeABIAlignment(type)),
                         table.getNumber(op));
  StringRef name = isWrite ? "rudnnEmulatorWrite" : "rudnnEmulatorRead";
  calls.call(b, loc, isOwn ? name.str() : name.str() + "Cluster",
             {thread, getNumber(op), address,
              constant(loc, layout.getTypeSize(type), 64)});
}
