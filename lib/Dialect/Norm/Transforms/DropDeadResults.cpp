//===- DropDeadResults.cpp - Shrink the masks of norm ops -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMDROPDEADRESULTS
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

/// Counts what is left of norm ops: ops and results.
struct Census {
  int64_t ops = 0, results = 0;

  explicit Census(Operation *root) {
    root->walk([&](RowwiseOpInterface op) {
      ++ops;
      results += op->getNumResults();
    });
  }
};

struct NormDropDeadResults
    : rudnn::norm::impl::NormDropDeadResultsBase<NormDropDeadResults> {
  using NormDropDeadResultsBase::NormDropDeadResultsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    RMSNormOp::getCanonicalizationPatterns(patterns, &getContext());
    RMSNormBackwardOp::getCanonicalizationPatterns(patterns, &getContext());
    Census before(getOperation());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    Census after(getOperation());
    numDropped += before.results - after.results;
    numErased += before.ops - after.ops;
    if (report)
      getOperation()->emitRemark()
          << "dropped " << before.results - after.results
          << " results and erased " << before.ops - after.ops << " norm ops";
  }
};

} // namespace
