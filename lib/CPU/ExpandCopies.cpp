//===- ExpandCopies.cpp - Copies between layouts as loops -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMEXPANDCOPIES
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;

namespace {
struct NormExpandCopies : rudnn::impl::NormExpandCopiesBase<NormExpandCopies> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](memref::CopyOp copy) {
      auto isPlain = [](Value buffer) {
        auto type = dyn_cast<MemRefType>(buffer.getType());
        return type && type.getLayout().isIdentity();
      };
      bool isRanked = isa<MemRefType>(copy.getSource().getType()) &&
                      isa<MemRefType>(copy.getTarget().getType());
      if (!isRanked || (isPlain(copy.getSource()) && isPlain(copy.getTarget())))
        return;
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    });
  }
};
} // namespace
