//===- ReplaySchedule.cpp - Schedules from a tuning cache -----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReplaySchedule.h"
#include "rudnn/Dialect/Norm/Transforms/Schedules.h"
#include "rudnn/Tuning/Database.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"

#include <thread>

using namespace mlir;
using namespace rudnn;
using namespace rudnn::norm;

ScheduleReplay::ScheduleReplay(StringRef path, tuning::Machine machine,
                               int64_t rows, const GPUChip *chip, Location loc)
    : path(path), machine(std::move(machine)), rows(rows), chip(chip) {
  auto read = tuning::TuningCache::read(path);
  if (read)
    cache = std::move(*read);
  else
    emitWarning(loc) << llvm::toString(read.takeError())
                     << "; schedules are chosen";
}

/// None, and the reason, for text that is no schedule, or none for the op or
/// the chip, which is null for a CPU.
static std::optional<Schedule> parse(RowwiseOpInterface op, StringRef text,
                                     const GPUChip *chip, std::string &reason) {
  // Other attributes may be as deep as the parser's stack.
  if (!text.starts_with("#norm.schedule<")) {
    reason = "expected a #norm.schedule";
    return std::nullopt;
  }
  // What the parser and the verifier have against the text is no error here;
  // what other threads say is none of ours.
  ScopedDiagnosticHandler handler(
      op->getContext(),
      [&, thread = std::this_thread::get_id()](Diagnostic &diag) {
        if (thread != std::this_thread::get_id())
          return failure();
        if (reason.empty())
          reason = diag.str();
        return success();
      });
  auto attr =
      dyn_cast_if_present<ScheduleAttr>(parseAttribute(text, op->getContext()));
  if (!attr)
    return std::nullopt;
  if (attr.isGPU() != (chip != nullptr)) {
    reason = "it is for another kind of device";
    return std::nullopt;
  }
  auto error = [&] { return emitError(op->getLoc()); };
  if (failed(verifySchedule(op, attr.getValue(), error,
                            chip ? *chip : getLargestGPUChip())))
    return std::nullopt;
  return attr.getValue();
}

std::optional<Schedule> ScheduleReplay::find(RowwiseOpInterface op) const {
  if (!cache)
    return std::nullopt;
  Location loc = op->getLoc();
  auto found = cache->find(tuning::makeTuningKey(op, machine, rows));
  if (!found) {
    emitRemark(loc) << "tuning cache '" << path << "' has no entry for this '"
                    << op->getName() << "' on " << tuning::describe(machine)
                    << "; its schedule is chosen";
    return std::nullopt;
  }
  std::string reason;
  std::optional<Schedule> schedule = parse(op, found->schedule, chip, reason);
  if (!schedule)
    emitWarning(loc) << "tuning cache '" << path << "' has '" << found->schedule
                     << "' for this '" << op->getName()
                     << "', which it cannot have: " << reason
                     << "; its schedule is chosen";
  else
    emitRemark(loc) << "schedule from tuning cache '" << path << "', measured "
                    << llvm::formatv("{0:f1}", found->microseconds).str()
                    << " us";
  return schedule;
}

std::optional<Schedule>
rudnn::norm::findShippedSchedule(RowwiseOpInterface op,
                                 const tuning::Machine &machine, int64_t rows,
                                 const GPUChip &chip) {
  auto found = tuning::findInDatabase(tuning::makeTuningKey(op, machine, rows));
  if (!found)
    return std::nullopt;
  std::string reason;
  return parse(op, found->schedule, &chip, reason);
}
