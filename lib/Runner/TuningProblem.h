//===- TuningProblem.h - what there is to choose from -----------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_RUNNER_TUNINGPROBLEM_H
#define RUDNN_LIB_RUNNER_TUNINGPROBLEM_H

#include "rudnn/Dialect/Norm/Transforms/Schedules.h"
#include "rudnn/Runner/Program.h"
#include "rudnn/Tuning/TuningKey.h"

#include <functional>

namespace rudnn::runner {

/// What a device can say about schedules.
struct TuningSpace {
  tuning::Machine machine;
  /// How many rows there are.
  int64_t rows = 0;
  /// All that are worth a try, the chosen one first.
  std::function<std::vector<norm::Schedule>(norm::RowwiseOpInterface)>
      enumerate;
  /// Some of them, with names.
  std::function<std::vector<norm::NamedSchedule>(norm::RowwiseOpInterface)>
      getNamed;
};

/// The one norm op of a function, and its schedules. Refers to the module of
/// the program.
class TuningProblem {
public:
  /// Fails if the function has no norm op, or several.
  static llvm::Expected<TuningProblem> create(const Program &program,
                                              const TuningSpace &space);

  struct Choice {
    norm::Schedule schedule;
    std::vector<std::string> names;
  };
  /// The chosen one, then those with names, then those that differ from it in
  /// one field, in two ...: most often the fastest is near.
  llvm::ArrayRef<Choice> getChoices() const { return choices; }
  /// How long people wait for its tuning, in seconds.
  double getUsualBudget() const;
  /// What the result is good for.
  const llvm::json::Object &getKey() const { return key; }

  /// The schedule as the text of an attribute.
  std::string format(const norm::Schedule &schedule) const;
  /// The text of a module where the op has the schedule, with nothing but what
  /// its function needs.
  std::string makeCandidate(const norm::Schedule &schedule);
  /// Gives the op the schedule, and returns the text of the module then.
  std::string apply(const norm::Schedule &schedule);

private:
  /// Copies what the function needs.
  llvm::Error isolate(mlir::func::FuncOp entry);
  /// Looks at the op as norm-assign-schedule would see it.
  llvm::Error enumerate(const TuningSpace &space, llvm::StringRef entry);

  norm::RowwiseOpInterface op;
  mlir::OwningOpRef<mlir::ModuleOp> alone;
  norm::RowwiseOpInterface opAlone; ///< in that one
  std::vector<Choice> choices;
  llvm::json::Object key;
};

} // namespace rudnn::runner

#endif // RUDNN_LIB_RUNNER_TUNINGPROBLEM_H
