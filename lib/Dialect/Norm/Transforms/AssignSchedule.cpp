//===- AssignSchedule.cpp - A schedule for each norm op -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReplaySchedule.h"
#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Schedules.h"
#include "rudnn/Dialect/Norm/Transforms/Transforms.h"
#include "rudnn/Support/Diagnostics.h"

#include "llvm/TargetParser/Host.h"

namespace rudnn::norm {
#define GEN_PASS_DEF_NORMASSIGNSCHEDULE
#include "rudnn/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace rudnn::norm

using namespace mlir;
using namespace rudnn::norm;

namespace {

struct NormAssignSchedule
    : rudnn::norm::impl::NormAssignScheduleBase<NormAssignSchedule> {
  using NormAssignScheduleBase::NormAssignScheduleBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto error = [&] { return emitError(UnknownLoc::get(context)); };
    if (vectorBits != 128 && vectorBits != 256 && vectorBits != 512)
      return error() << "expected vector-bits to be 128, 256 or 512, got "
                     << int64_t(vectorBits);
    if (!findGPUChip(chip))
      return emitUnknownGPUChip(chip, error);
    for (auto [name, value] : {std::pair("cache-bytes", int64_t(cacheBytes)),
                               {"tuning-driver", tuningDriver},
                               {"tuning-threads", tuningThreads},
                               {"tuning-rows", tuningRows}})
      if (value < 0)
        return error() << "expected " << name << " to be 0 or more, got "
                       << value;
    Schedule any;
    return overrideSchedule(set, any, error);
  }

  /// A norm op becomes kernels, so it can't be part of one. Functions of nested
  /// modules are not lowered with the module's own.
  LogicalResult checkPlace(RowwiseOpInterface op) {
    for (Operation *parent = op->getParentOp();
         parent && parent != getOperation(); parent = parent->getParentOp())
      if (isa<ModuleOp>(parent) ||
          parent->getName().getDialectNamespace() == "gpu")
        return op->emitOpError("expected to stand outside of kernels and "
                               "nested modules, got it inside '")
               << parent->getName() << "'";
    return success();
  }

  /// A schedule must be for a device of the kind that is lowered for.
  LogicalResult checkDevice(Operation *op, const Schedule &schedule) const {
    bool isGPU = target == ScheduleTarget::GPU;
    if (schedule.isGPU() == isGPU)
      return success();
    return rudnn::emitShortOpError(op)
           << "has a schedule for " << (isGPU ? "a CPU" : "a GPU")
           << " (threads = " << schedule.threads << "), expected "
           << (isGPU ? "threads > 0" : "threads = 0");
  }

  /// A schedule that an op has must be for the machine that is lowered for: the
  /// op itself knows the widest limits only.
  LogicalResult checkTarget(RowwiseOpInterface op,
                            const Schedule &schedule) const {
    if (failed(checkDevice(op, schedule)))
      return failure();
    if (!schedule.isGPU())
      return success();
    auto error = [&] {
      return op->emitOpError("schedule for ") << chip << ": ";
    };
    return verifySchedule(op, schedule, error, *findGPUChip(chip));
  }

  /// What has been tiled or lowered already, too.
  LogicalResult checkRowPrograms() {
    WalkResult result = getOperation()->walk([&](Operation *op) -> WalkResult {
      auto schedule =
          op->getAttrOfType<ScheduleAttr>(NormDialect::kScheduleAttrName);
      return schedule ? checkDevice(op, schedule.getValue()) : success();
    });
    return failure(result.wasInterrupted());
  }

  void runOnOperation() override {
    if (failed(checkRowPrograms()))
      return signalPassFailure();
    std::optional<ScheduleReplay> replay = openCache();
    WalkResult result =
        getOperation()->walk([&](RowwiseOpInterface op) -> WalkResult {
          if (isInRowProgram(op))
            return WalkResult::advance();
          if (failed(checkPlace(op)))
            return WalkResult::interrupt();
          if (op.getScheduleAttr())
            return checkTarget(op, op.getScheduleAttr().getValue());
          ScheduleAttr schedule = choose(op, replay);
          if (!schedule)
            return WalkResult::interrupt();
          op.setScheduleAttr(schedule);
          return WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  std::optional<ScheduleReplay> openCache() {
    if (tuningCache.empty())
      return std::nullopt;
    bool isGPU = target == ScheduleTarget::GPU;
    return ScheduleReplay(tuningCache, getMachine(), tuningRows,
                          isGPU ? findGPUChip(chip) : nullptr,
                          getOperation()->getLoc());
  }

  rudnn::tuning::Machine getMachine() const {
    rudnn::tuning::Machine machine{tuningDevice, chip, tuningDriver,
                                   tuningThreads};
    if (target == ScheduleTarget::CPU)
      machine.chip = tuningDevice.empty() ? llvm::sys::getHostCPUName().str()
                                          : std::string(tuningDevice);
    return machine;
  }

  /// What was measured: in the cache, or else, where nobody asks for anything,
  /// in the database.
  std::optional<Schedule>
  findMeasured(RowwiseOpInterface op,
               const std::optional<ScheduleReplay> &replay,
               const GivenFields &given) const {
    std::optional<Schedule> recorded = replay ? replay->find(op) : std::nullopt;
    if (recorded || !database || target == ScheduleTarget::CPU ||
        given.values != GivenFields().values)
      return recorded;
    return findShippedSchedule(op, getMachine(), tuningRows,
                               *findGPUChip(chip));
  }

  LogicalResult applyOptions(Schedule &schedule,
                             function_ref<InFlightDiagnostic()> error) const {
    struct FieldOption {
      StringRef name;
      int64_t value, chooses;
    };
    for (auto [name, value, chooses] : {FieldOption{"unroll", unroll, 0},
                                        {"parts", parts, -1},
                                        {"prefetch", prefetch, -1},
                                        {"nontemporal", nontemporal, -1}}) {
      if (value == chooses)
        continue;
      const ScheduleField &field = *findScheduleField(name);
      if (failed(verifyScheduleField(field, value, error)))
        return failure();
      schedule.*field.member = value;
    }
    return overrideSchedule(set, schedule, error);
  }

  /// Says why fields that are given do not go with how the choice cuts rows, or
  /// else with the choice.
  void explain(RowwiseOpInterface op, const GivenFields &given,
               const Schedule &chosen,
               function_ref<InFlightDiagnostic()> error) const {
    for (const Schedule &others : {takeRowCut(chosen), chosen}) {
      auto withNote = [&] {
        InFlightDiagnostic diag = error();
        diag.attachNote(op->getLoc())
            << "the other fields are those of "
            << ScheduleAttr::get(op->getContext(), others)
            << ", and no other choice that is known goes with the options";
        return diag;
      };
      Schedule schedule = given.over(others);
      // The number of blocks would have given way.
      if (!given.has(&Schedule::blocks))
        schedule.blocks = 0;
      if (failed(verifySchedule(op, schedule, withNote, *findGPUChip(chip))))
        return;
    }
  }

  Schedule chooseForTarget(RowwiseOpInterface op) const {
    return target == ScheduleTarget::GPU
               ? chooseGPUSchedule(ScheduleProblem(op), *findGPUChip(chip))
               : chooseCPUSchedule(op, {vectorBits, cacheBytes});
  }

  ScheduleAttr choose(RowwiseOpInterface op,
                      const std::optional<ScheduleReplay> &replay) const {
    auto error = [&] { return op->emitOpError("schedule from options: "); };
    GivenFields given;
    if (failed(applyOptions(given.values, error)))
      return {};
    bool isGPU = target == ScheduleTarget::GPU;
    const GPUChip &gpu = *findGPUChip(chip);
    std::optional<Schedule> recorded = findMeasured(op, replay, given);
    Schedule chosen = recorded ? *recorded : chooseForTarget(op);
    Schedule schedule = given.over(chosen);
    auto attr = ScheduleAttr::getChecked(error, op->getContext(), schedule);
    if (!attr || failed(checkDevice(op, schedule)))
      return {};
    // What was measured is legal, and is to stay as it was.
    if (recorded == schedule)
      return attr;
    if (!isGPU)
      return succeeded(verifySchedule(op, schedule, error)) ? attr
                                                            : ScheduleAttr();
    std::optional<Schedule> settled = settleGPUSchedule(op, gpu, given, chosen);
    if (settled)
      return ScheduleAttr::get(op->getContext(), *settled);
    explain(op, given, chosen, error);
    return {};
  }
};

} // namespace
