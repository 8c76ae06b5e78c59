//===- AllocateDeviceMemory.cpp - Buffers of host code on the GPU ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunction.h"

#include "rudnn/CUDA/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMALLOCATEDEVICEMEMORY
#include "rudnn/CUDA/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

static bool hasBuffer(ValueRange values) {
  return llvm::any_of(values.getTypes(), llvm::IsaPred<BaseMemRefType>);
}

static bool isPlain(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getLayout().isIdentity();
}

/// Whether it is known that a buffer has no elements.
static bool isEmpty(Value buffer) {
  return llvm::is_contained(cast<MemRefType>(buffer.getType()).getShape(), 0);
}

/// Whether an op uses buffers without touching on the host what is in them.
/// What it calls or contains is looked at by itself.
static bool leavesMemoryAlone(Operation *op) {
  if (isa<gpu::LaunchFuncOp, gpu::MemcpyOp, func::CallOp>(op))
    return true;
  if (isa<MemoryEffectOpInterface>(op))
    return isMemoryEffectFree(op);
  return op->hasTrait<OpTrait::IsTerminator>() ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

namespace {
/// Rewrites the ops of host code, one after the other.
class Rewriter {
public:
  explicit Rewriter(MLIRContext *context) : rewriter(context) {}

  LogicalResult rewrite(Operation *op);

private:
  /// Builds an op that depends on all before it and that all behind it wait
  /// for. `build` gets a list of the token that it depends on.
  template <typename OpT>
  OpT insert(Operation *where, function_ref<OpT(Type, ValueRange)> build);

  LogicalResult rewriteAlloc(memref::AllocOp op);
  LogicalResult rewriteDealloc(memref::DeallocOp op);
  LogicalResult rewriteCopy(memref::CopyOp op);
  LogicalResult rewriteFill(linalg::FillOp op);
  LogicalResult rewriteLoad(memref::LoadOp op);
  LogicalResult rewriteStore(memref::StoreOp op);

  /// A place for one element in the memory of the host.
  Value allocateOnHost(Operation *user, Type element);
  /// Calls a function of the runtime that copies an element of `user`'s buffer
  /// from or to the host.
  LogicalResult copyElement(Operation *user, StringRef name, Value host,
                            Value buffer, ValueRange indices);

  IRRewriter rewriter;
};
} // namespace

template <typename OpT>
OpT Rewriter::insert(Operation *where,
                     function_ref<OpT(Type, ValueRange)> build) {
  rewriter.setInsertionPoint(where);
  Location loc = where->getLoc();
  Type token = gpu::AsyncTokenType::get(rewriter.getContext());
  auto begin = gpu::WaitOp::create(rewriter, loc, token, ValueRange());
  OpT op = build(token, begin.getAsyncToken());
  gpu::WaitOp::create(rewriter, loc, Type(), op.getAsyncToken());
  return op;
}

LogicalResult Rewriter::rewriteAlloc(memref::AllocOp op) {
  auto alloc = insert<gpu::AllocOp>(op, [&](Type token, ValueRange before) {
    return gpu::AllocOp::create(rewriter, op.getLoc(), op.getType(), token,
                                before, op.getDynamicSizes(),
                                op.getSymbolOperands());
  });
  rewriter.replaceOp(op, alloc.getMemref());
  return success();
}

LogicalResult Rewriter::rewriteDealloc(memref::DeallocOp op) {
  insert<gpu::DeallocOp>(op, [&](Type token, ValueRange before) {
    return gpu::DeallocOp::create(rewriter, op.getLoc(), token, before,
                                  op.getMemref());
  });
  rewriter.eraseOp(op);
  return success();
}

/// Launches threads that write an element of `target` each, whatever its
/// layout: what `build` makes for the element's indices.
static void launchPerElement(ImplicitLocOpBuilder &b, Value target,
                             function_ref<Value(ValueRange)> build) {
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, b.getLoc(), target);
  Value one = arith::ConstantIndexOp::create(b, 1), count = one;
  for (OpFoldResult size : sizes)
    count = arith::MulIOp::create(
        b, count, getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
  Value threads = arith::ConstantIndexOp::create(b, 256);
  Value blocks = arith::CeilDivUIOp::create(b, count, threads);
  auto launch = gpu::LaunchOp::create(b, blocks, one, one, threads, one, one);
  b.setInsertionPointToStart(&launch.getBody().front());
  Value first = arith::MulIOp::create(b, launch.getBlockIds().x, threads);
  Value position = arith::AddIOp::create(b, first, launch.getThreadIds().x);
  Value isElement =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, count);
  auto write = scf::IfOp::create(b, isElement);
  gpu::TerminatorOp::create(b);
  b.setInsertionPointToStart(write.thenBlock());
  ValueRange indices =
      affine::AffineDelinearizeIndexOp::create(b, position, sizes).getResults();
  memref::StoreOp::create(b, build(indices), target, indices);
}

LogicalResult Rewriter::rewriteCopy(memref::CopyOp op) {
  Value source = op.getSource(), target = op.getTarget();
  if (!isa<MemRefType>(source.getType()) || !isa<MemRefType>(target.getType()))
    return op.emitOpError("cannot be done by the GPU: expected buffers of "
                          "known rank, got ")
           << source.getType() << " and " << target.getType();
  if (isEmpty(target)) {
    // Nothing to copy.
  } else if (isPlain(source) && isPlain(target)) {
    insert<gpu::MemcpyOp>(op, [&](Type token, ValueRange before) {
      return gpu::MemcpyOp::create(rewriter, op.getLoc(), token, before, target,
                                   source);
    });
  } else {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    launchPerElement(b, target, [&](ValueRange indices) -> Value {
      return memref::LoadOp::create(b, source, indices);
    });
  }
  rewriter.eraseOp(op);
  return success();
}

LogicalResult Rewriter::rewriteFill(linalg::FillOp op) {
  Value buffer = op.output(), value = op.value();
  if (!isa<MemRefType>(buffer.getType()))
    return success();
  Type type = value.getType();
  unsigned width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  if (isEmpty(buffer)) {
    // Nothing to fill.
  } else if (isPlain(buffer) && (width == 16 || width == 32)) {
    insert<gpu::MemsetOp>(op, [&](Type token, ValueRange before) {
      return gpu::MemsetOp::create(rewriter, op.getLoc(), token, before, buffer,
                                   value);
    });
  } else {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    launchPerElement(b, buffer, [&](ValueRange) { return value; });
  }
  rewriter.eraseOp(op);
  return success();
}

Value Rewriter::allocateOnHost(Operation *user, Type element) {
  auto function = user->getParentOfType<func::FuncOp>();
  rewriter.setInsertionPointToStart(&function.getBody().front());
  return memref::AllocaOp::create(rewriter, user->getLoc(),
                                  MemRefType::get({}, element));
}

/// The address of an element.
static Value getAddress(ImplicitLocOpBuilder &b, Value buffer,
                        ValueRange indices, Value elementBytes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
  Value position = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(indices, metadata.getStrides())) {
    Value distance = arith::MulIOp::create(b, index, stride);
    position = arith::AddIOp::create(b, position, distance);
  }
  Value bytes = arith::MulIOp::create(b, position, elementBytes);
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  return arith::AddIOp::create(b, base, bytes);
}

/// Refuses buffers of which the runtime can't find or copy an element.
static LogicalResult checkElements(Operation *user, MemRefType type) {
  if (!type.isStrided())
    return user->emitOpError("expected a buffer with strides, got ") << type;
  if (isa<IntegerType, IndexType, FloatType, ComplexType, VectorType>(
          type.getElementType()))
    return success();
  return user->emitOpError("expected a buffer of numbers, got ") << type;
}

LogicalResult Rewriter::copyElement(Operation *user, StringRef name, Value host,
                                    Value buffer, ValueRange indices) {
  ImplicitLocOpBuilder b(user->getLoc(), user);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  uint64_t size = DataLayout::closest(user).getTypeSize(element);
  Value bytes = arith::ConstantIndexOp::create(b, size);
  Value address = getAddress(b, buffer, indices, bytes);
  Value hostAddress = memref::ExtractAlignedPointerAsIndexOp::create(b, host);
  SmallVector<Value> arguments = {hostAddress, address, bytes};
  if (failed(rudnn::declareRuntimeFunction(user->getParentOfType<ModuleOp>(),
                                           name,
                                           ValueRange(arguments).getTypes())))
    return failure();
  func::CallOp::create(b, name, TypeRange(), arguments);
  return success();
}

LogicalResult Rewriter::rewriteLoad(memref::LoadOp op) {
  if (failed(checkElements(op, op.getMemRefType())))
    return failure();
  Value host = allocateOnHost(op, op.getType());
  if (failed(copyElement(op, "rudnnReadElement", host, op.getMemRef(),
                         op.getIndices())))
    return failure();
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<memref::LoadOp>(op, host, ValueRange());
  return success();
}

LogicalResult Rewriter::rewriteStore(memref::StoreOp op) {
  if (failed(checkElements(op, op.getMemRefType())))
    return failure();
  Value host = allocateOnHost(op, op.getValue().getType());
  rewriter.setInsertionPoint(op);
  memref::StoreOp::create(rewriter, op.getLoc(), op.getValue(), host,
                          ValueRange());
  if (failed(copyElement(op, "rudnnWriteElement", host, op.getMemRef(),
                         op.getIndices())))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult Rewriter::rewrite(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::AllocOp op) { return rewriteAlloc(op); })
      .Case([&](memref::DeallocOp op) { return rewriteDealloc(op); })
      .Case([&](memref::CopyOp op) { return rewriteCopy(op); })
      .Case([&](linalg::FillOp op) { return rewriteFill(op); })
      .Case([&](memref::LoadOp op) { return rewriteLoad(op); })
      .Case([&](memref::StoreOp op) { return rewriteStore(op); })
      .Case([&](memref::GetGlobalOp op) {
        return op.emitOpError("gives a kernel memory of the host: expected the "
                              "buffer as an argument of the function");
      })
      .Default([&](Operation *op) -> LogicalResult {
        if (!(hasBuffer(op->getOperands()) || hasBuffer(op->getResults())) ||
            leavesMemoryAlone(op))
          return success();
        return op->emitOpError("touches a buffer of the GPU on the host: "
                               "expected kernels, allocations and copies only");
      });
}

namespace {
struct NormAllocateDeviceMemory
    : rudnn::impl::NormAllocateDeviceMemoryBase<NormAllocateDeviceMemory> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        // What is in a launch, the GPU does already.
        if (!op->getParentOfType<gpu::LaunchOp>())
          ops.push_back(op);
      });
    Rewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (failed(rewriter.rewrite(op)))
        return signalPassFailure();
  }
};
} // namespace
