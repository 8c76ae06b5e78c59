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

/// By distance from the first one, else in the order they have.
static std::vector<norm::Schedule>
sortByDistance(ArrayRef<norm::Schedule> schedules) {
  std::map<int64_t, std::vector<norm::Schedule>> near;
  for (const norm::Schedule &schedule : schedules)
    near[getDistance(schedule, schedules.front())].push_back(schedule);
  std::vector<norm::Schedule> sorted;
  for (auto &[distance, group] : near)
    llvm::append_range(sorted, group);
  return sorted;
}

llvm::Error TuningProblem::enumerate(const TuningSpace &space,
                                     StringRef entry) {
  OwningOpRef<ModuleOp> module(op->getParentOfType<ModuleOp>().clone());
  auto passes = PassManager::on<ModuleOp>(op->getContext());
  buildPrepareStage(passes);
  if (failed(passes.run(*module)))
    return badInput("the module cannot be lowered");
  // A result that nobody uses is gone, and perhaps the op with it.
  auto found = findOp(module->lookupSymbol<func::FuncOp>(entry));
  if (!found)
    return found.takeError();
  schedules = sortByDistance(space.enumerate(*found));
  key = tuning::makeTuningKey(*found, space.machine);
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
  if (llvm::Error error = problem.enumerate(space, entry.getName()))
    return std::move(error);
  return std::move(problem);
}

std::string TuningProblem::format(const norm::Schedule &schedule) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  Operation *operation = norm::RowwiseOpInterface(op);
  os << norm::ScheduleAttr::get(operation->getContext(), schedule);
  return text;
}

std::string TuningProblem::apply(const norm::Schedule &schedule) {
  op.setScheduleAttr(norm::ScheduleAttr::get(op.getContext(), schedule));
  std::string text;
  llvm::raw_string_ostream os(text);
  op->getParentOfType<ModuleOp>().print(os);
  return text;
}
