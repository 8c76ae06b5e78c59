//===- TuningProblem.cpp - what there is to choose from -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuningProblem.h"

#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Runner/Failure.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <map>

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

static llvm::Expected<norm::RowwiseOpInterface> findOp(func::FuncOp entry) {
  SmallVector<norm::RowwiseOpInterface> ops;
  entry.walk([&](norm::RowwiseOpInterface op) { ops.push_back(op); });
  if (ops.size() == 1)
    return ops.front();
  return badInput("--tune: expected one norm op in @" + entry.getName() +
                  ", got " + Twine(ops.size()));
}

/// In how many fields two schedules differ.
static int64_t getDistance(const norm::Schedule &a, const norm::Schedule &b) {
  return llvm::count_if(norm::getScheduleFields(), [&](const auto &field) {
    return a.*field.member != b.*field.member;
  });
}

/// What `schedule` is called.
static std::vector<std::string> findNames(const norm::Schedule &schedule,
                                          ArrayRef<norm::NamedSchedule> named) {
  std::vector<std::string> names;
  for (const norm::NamedSchedule &other : named)
    if (!other.name.empty() && other.schedule == schedule)
      names.push_back(other.name);
  return names;
}

/// The first one, those with names, and the others by distance from the first;
/// else in the order they have.
static std::vector<TuningProblem::Choice>
sortChoices(ArrayRef<norm::Schedule> schedules,
            ArrayRef<norm::NamedSchedule> named) {
  std::map<std::pair<bool, int64_t>, std::vector<TuningProblem::Choice>> ranks;
  for (const norm::Schedule &schedule : schedules) {
    TuningProblem::Choice choice{schedule, findNames(schedule, named)};
    int64_t distance = getDistance(schedule, schedules.front());
    bool isOther = distance != 0 && choice.names.empty();
    ranks[{isOther, distance}].push_back(std::move(choice));
  }
  std::vector<TuningProblem::Choice> sorted;
  for (auto &[rank, group] : ranks)
    llvm::append_range(sorted, group);
  return sorted;
}

llvm::Error TuningProblem::isolate(func::FuncOp entry) {
  alone = cast<ModuleOp>(entry->getParentOp()).clone();
  for (auto function : alone->getOps<func::FuncOp>())
    function.setVisibility(function.getName() == entry.getName()
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  auto passes = PassManager::on<ModuleOp>(op->getContext());
  passes.addPass(createSymbolDCEPass());
  if (failed(passes.run(*alone)))
    return badInput("the module cannot be lowered");
  auto found = findOp(alone->lookupSymbol<func::FuncOp>(entry.getName()));
  if (!found)
    return found.takeError();
  opAlone = *found;
  return llvm::Error::success();
}

llvm::Error TuningProblem::enumerate(const TuningSpace &space,
                                     StringRef entry) {
  OwningOpRef<ModuleOp> module(alone->clone());
  auto passes = PassManager::on<ModuleOp>(op->getContext());
  buildPrepareStage(passes);
  if (failed(passes.run(*module)))
    return badInput("the module cannot be lowered");
  // A result that nobody uses is gone, and perhaps the op with it.
  auto found = findOp(module->lookupSymbol<func::FuncOp>(entry));
  if (!found)
    return found.takeError();
  choices = sortChoices(space.enumerate(*found),
                        space.getNamed ? space.getNamed(*found)
                                       : std::vector<norm::NamedSchedule>());
  key = tuning::makeTuningKey(*found, space.machine, space.rows);
  return llvm::Error::success();
}

llvm::Expected<TuningProblem> TuningProblem::create(const Program &program,
                                                    const TuningSpace &space) {
  func::FuncOp entry = program.entry;
  auto op = findOp(entry);
  if (!op)
    return op.takeError();
  TuningProblem problem;
  problem.op = *op;
  // What it has is not what it would be given.
  problem.op.setScheduleAttr(nullptr);
  if (llvm::Error error = problem.isolate(entry))
    return std::move(error);
  if (llvm::Error error = problem.enumerate(space, entry.getName()))
    return std::move(error);
  return std::move(problem);
}

double TuningProblem::getUsualBudget() const {
  bool isBackward =
      isa<norm::RMSNormBackwardOp>(norm::RowwiseOpInterface(op).getOperation());
  return isBackward ? 40 : 20;
}

std::string TuningProblem::format(const norm::Schedule &schedule) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *operation = norm::RowwiseOpInterface(op);
  os << norm::ScheduleAttr::get(operation->getContext(), schedule);
  return text;
}

/// Gives `op` the schedule, and returns the text of its module then.
static std::string printWith(norm::RowwiseOpInterface op,
                             const norm::Schedule &schedule) {
  op.setScheduleAttr(norm::ScheduleAttr::get(op.getContext(), schedule));
  std::string text;
  llvm::raw_string_ostream os(text);
  op->getParentOfType<ModuleOp>().print(os);
  return text;
}

std::string TuningProblem::makeCandidate(const norm::Schedule &schedule) {
  return printWith(opAlone, schedule);
}

std::string TuningProblem::apply(const norm::Schedule &schedule) {
  return printWith(op, schedule);
}
