//===- ThreadsToCoroutines.cpp - Let emulated threads wait ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "rudnn/Emulator/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMTHREADSTOCOROUTINES
#include "rudnn/Emulator/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// Makes one function a coroutine of LLVM's switched-resume kind: it returns
/// its handle when it first suspends.
class CoroutineMaker {
public:
  explicit CoroutineMaker(LLVM::LLVMFuncOp function)
      : function(function), b(function.getContext()), loc(function.getLoc()),
        ptr(LLVM::LLVMPointerType::get(b.getContext())), i1(b.getI1Type()) {}

  void run(LLVM::LLVMFuncOp allocate);

private:
  void begin(LLVM::LLVMFuncOp allocate);
  void createEnd();
  void suspendAfter(LLVM::CallOp call);

  LLVM::LLVMFuncOp function;
  OpBuilder b;
  Location loc;
  Type ptr, i1;
  Value handle;
  Block *end = nullptr;
};

} // namespace

/// Allocates the frame at the function's entry.
void CoroutineMaker::begin(LLVM::LLVMFuncOp allocate) {
  Block &entry = function.getBody().front();
  b.setInsertionPointToStart(&entry);
  Type token = LLVM::LLVMTokenType::get(b.getContext());
  Type i64 = b.getI64Type();
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value null = LLVM::ZeroOp::create(b, loc, ptr);
  Value id = LLVM::CoroIdOp::create(b, loc, token, zero, null, null, null);
  Value size = LLVM::CoroSizeOp::create(b, loc, i64);
  Value alignment = LLVM::CoroAlignOp::create(b, loc, i64);
  Value memory =
      LLVM::CallOp::create(b, loc, allocate,
                           ValueRange{function.getArgument(1), size, alignment})
          .getResult();
  handle = LLVM::CoroBeginOp::create(b, loc, ptr, id, memory);
}

/// Where control leaves the coroutine: suspended, finished, or given up. The
/// frame's memory is the emulator's, and is not freed.
void CoroutineMaker::createEnd() {
  OpBuilder::InsertionGuard guard(b);
  end = b.createBlock(&function.getBody(), function.getBody().end());
  Value isUnwinding = LLVM::ConstantOp::create(b, loc, i1, false);
  Value none = LLVM::NoneTokenOp::create(
      b, loc, LLVM::LLVMTokenType::get(b.getContext()));
  LLVM::CoroEndOp::create(b, loc, LLVM::LLVMVoidType::get(b.getContext()),
                          handle, isUnwinding, none);
  LLVM::ReturnOp::create(b, loc, handle);
}

void CoroutineMaker::suspendAfter(LLVM::CallOp call) {
  Block *before = call->getBlock();
  Block *after = before->splitBlock(std::next(call->getIterator()));
  b.setInsertionPointToEnd(before);
  Type token = LLVM::LLVMTokenType::get(b.getContext());
  Value state = LLVM::CoroSaveOp::create(b, loc, token, handle);
  Value isFinal = LLVM::ConstantOp::create(b, loc, i1, false);
  Value outcome =
      LLVM::CoroSuspendOp::create(b, loc, b.getI8Type(), state, isFinal);
  // Anything but zero: suspended now, or destroyed.
  LLVM::SwitchOp::create(b, loc, outcome, end, ValueRange(),
                         ArrayRef<APInt>{APInt(8, 0)}, BlockRange{after},
                         ArrayRef<ValueRange>{ValueRange()});
}

void CoroutineMaker::run(LLVM::LLVMFuncOp allocate) {
  SmallVector<LLVM::CallOp> waits;
  SmallVector<LLVM::ReturnOp> returns;
  function.walk([&](Operation *op) {
    if (auto exit = dyn_cast<LLVM::ReturnOp>(op))
      returns.push_back(exit);
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (call && call.getCallee() &&
        llvm::is_contained({kBarrier, kShuffle, kClusterWait},
                           *call.getCallee()))
      waits.push_back(call);
  });
  begin(allocate);
  createEnd();
  for (LLVM::CallOp call : waits)
    suspendAfter(call);
  for (LLVM::ReturnOp exit : returns) {
    b.setInsertionPoint(exit);
    LLVM::BrOp::create(b, loc, end);
    exit.erase();
  }
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(ptr, function.getFunctionType().getParams()));
  function.setPassthroughAttr(
      b.getArrayAttr(b.getStringAttr("presplitcoroutine")));
  function->removeAttr(kThreadFunctionAttr);
}

namespace {
struct NormThreadsToCoroutines
    : rudnn::impl::NormThreadsToCoroutinesBase<NormThreadsToCoroutines> {
  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(kThreadFunctionAttr))
        functions.push_back(function);
    if (functions.empty())
      return;
    LLVM::LLVMFuncOp allocate = declareAllocate();
    for (LLVM::LLVMFuncOp function : functions)
      CoroutineMaker(function).run(allocate);
  }

private:
  LLVM::LLVMFuncOp declareAllocate() {
    auto b = OpBuilder::atBlockBegin(getOperation().getBody());
    Type ptr = LLVM::LLVMPointerType::get(&getContext());
    Type i64 = b.getI64Type();
    return LLVM::LLVMFuncOp::create(
        b, getOperation().getLoc(), "rudnnEmulatorAllocateFrame",
        LLVM::LLVMFunctionType::get(ptr, {ptr, i64, i64}));
  }
};
} // namespace
