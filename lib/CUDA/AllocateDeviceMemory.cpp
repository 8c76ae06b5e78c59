//===- AllocateDeviceMemory.cpp - Buffers of host code on the GPU ---------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CUDA/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// Whether an op uses buffers without touching what is in them. What it calls
/// or contains is looked at by itself.
static bool leavesMemoryAlone(Operation *op) {
  if (isa<MemoryEffectOpInterface>(op))
    return isMemoryEffectFree(op);
  return isa<gpu::LaunchFuncOp, func::CallOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() ||
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

LogicalResult Rewriter::rewriteCopy(memref::CopyOp op) {
  if (!isPlain(op.getSource()) || !isPlain(op.getTarget()))
    return op.emitOpError("cannot be done by the GPU: expected buffers of "
                          "identity layout, got ")
           << op.getSource().getType() << " and " << op.getTarget().getType();
  insert<gpu::MemcpyOp>(op, [&](Type token, ValueRange before) {
    return gpu::MemcpyOp::create(rewriter, op.getLoc(), token, before,
                                 op.getTarget(), op.getSource());
  });
  rewriter.eraseOp(op);
  return success();
}

LogicalResult Rewriter::rewriteFill(linalg::FillOp op) {
  Value buffer = op.output(), value = op.value();
  unsigned width = value.getType().isIntOrFloat()
                       ? value.getType().getIntOrFloatBitWidth()
                       : 0;
  if (!isPlain(buffer) || (width != 16 && width != 32))
    return op.emitOpError("cannot be done by the GPU: expected 16 or 32 bits "
                          "in a buffer of identity layout, got ")
           << buffer.getType();
  insert<gpu::MemsetOp>(op, [&](Type token, ValueRange before) {
    return gpu::MemsetOp::create(rewriter, op.getLoc(), token, before, buffer,
                                 value);
  });
  rewriter.eraseOp(op);
  return success();
}

LogicalResult Rewriter::rewrite(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](memref::AllocOp op) { return rewriteAlloc(op); })
      .Case([&](memref::DeallocOp op) { return rewriteDealloc(op); })
      .Case([&](memref::CopyOp op) { return rewriteCopy(op); })
      .Case([&](linalg::FillOp op) { return rewriteFill(op); })
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
      function.walk([&](Operation *op) { ops.push_back(op); });
    Rewriter rewriter(&getContext());
    for (Operation *op : ops)
      if (failed(rewriter.rewrite(op)))
        return signalPassFailure();
  }
};
} // namespace
