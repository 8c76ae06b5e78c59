//===- ResultTracker.h - follow results through a pipeline ------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization drops a function result that is one of the arguments. The
// tracker tags the results, watches the function between the passes, and can
// tell in the end which results are left, in which order, and which arguments
// hold the others.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_RESULTTRACKER_H
#define RUDNN_LIB_RUNNER_RESULTTRACKER_H

#include "rudnn/Runner/Jit.h"

#include "mlir/Pass/PassInstrumentation.h"

#include <map>

namespace rudnn::runner {

/// What was seen; outlives the pass manager.
struct ResultHistory {
  /// Argument that each result was last seen to be, by number of the result.
  std::map<int64_t, unsigned> arguments;
  /// Numbers of the results that the function had when last seen, in order.
  std::vector<int64_t> remaining;
  /// Ranks of all results, from the original function.
  std::vector<unsigned> ranks;
  /// Whether the function was seen with tags on all of its results.
  bool isTagged = true;

  /// How each original result comes back; an error if that cannot be told.
  llvm::Expected<std::vector<ReturnedResult>> resolve() const;
};

/// Tags the results of the function, and begins its history.
ResultHistory tagResults(mlir::func::FuncOp function);

/// Watches the function of a name in the module that a pass manager runs on.
class ResultTracker : public mlir::PassInstrumentation {
public:
  ResultTracker(std::string function, ResultHistory &history)
      : function(std::move(function)), history(history) {}
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::string function;
  ResultHistory &history;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_RESULTTRACKER_H
