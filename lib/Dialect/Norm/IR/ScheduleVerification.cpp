//===- ScheduleVerification.cpp - Which schedules an op has ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rudnn::norm;
using llvm::formatv;

static int64_t getBytes(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

ScheduleProblem::ScheduleProblem(RowwiseOpInterface op)
    : sumsRows(op.reducesRows()) {
  auto shape = cast<ShapedType>(op.getRows().getType()).getShape();
  columns = shape.back();
  rows = 1;
  for (int64_t size : shape.drop_back())
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(rows, size, rows)) {
      rows = ShapedType::kDynamic;
      break;
    }
  narrowest = cast<ShapedType>(op.getRows().getType()).getElementType();
  auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = cast<ShapedType>(operand.get().getType()).getElementType();
    bool isInit = destination.isDpsInit(&operand);
    OperandRole role = op.getOperandRole(operand.getOperandNumber());
    if (role == OperandRole::PerColumn && !isInit)
      gammaBytes = getBytes(element);
    if (role != OperandRole::Rows)
      continue;
    writesRows |= isInit;
    numInputs += !isInit;
    inputBytes += isInit ? 0 : getBytes(element);
    if (getBytes(element) < getBytes(narrowest))
      narrowest = element;
  }
  narrowestBytes = getBytes(narrowest);
}

/// Columns of a row that a block has at a time in one piece of each thread.
static int64_t getPieceColumns(const Schedule &schedule) {
  return schedule.threads * schedule.vector;
}

/// Columns of a row that a block holds at a time. Each thread has slots of its
/// own, for the last piece of a row too.
static int64_t getHeldColumns(const ScheduleProblem &problem,
                              const Schedule &schedule) {
  if (schedule.getStage() == RowStage::Loop)
    return schedule.getChunk();
  // A block's share of the columns.
  return problem.getPieces(schedule) * getPieceColumns(schedule);
}

/// Columns for which there are slots in the rings.
static int64_t getRingColumns(const ScheduleProblem &problem,
                              const Schedule &schedule) {
  return schedule.stages * getHeldColumns(problem, schedule) +
         schedule.extra * getPieceColumns(schedule);
}

int64_t ScheduleProblem::getSharedBytes(const Schedule &schedule) const {
  if (schedule.strips > 0) {
    auto [strip, stripSchedule] = getStripProgram(*this, schedule);
    auto [rows, rowSchedule] = getRowProgram(*this, schedule);
    return strip.getSharedBytes(stripSchedule) +
           (writesRows ? rows.getSharedBytes(rowSchedule) : 0);
  }
  int64_t held = getHeldColumns(*this, schedule);
  int64_t bytes = 0;
  if (schedule.getStage() == RowStage::Shared)
    bytes += schedule.rows * getRingColumns(*this, schedule) * inputBytes;
  if (schedule.getGamma() == GammaStage::Shared)
    bytes += held * gammaBytes;
  // The sums of each row of the block become one.
  if (sumsRows && schedule.rows > 1)
    bytes += schedule.rows * held * int64_t(sizeof(float));
  return bytes;
}

namespace {
/// The rules, by what they look at. Each returns the first that is broken.
class ScheduleRules {
public:
  using Misfit = std::optional<std::string>;

  ScheduleRules(const ScheduleProblem &problem, const Schedule &schedule,
                const GPUChip &chip)
      : problem(problem), schedule(schedule), chip(chip) {}

  Misfit check() const {
    if (Misfit misfit = checkDevice())
      return misfit;
    if (!schedule.isGPU())
      return std::nullopt;
    if (schedule.strips > 0)
      return checkStrips();
    using Rule = Misfit (ScheduleRules::*)() const;
    for (Rule rule :
         {&ScheduleRules::checkBlock, &ScheduleRules::checkVector,
          &ScheduleRules::checkPieces, &ScheduleRules::checkTile,
          &ScheduleRules::checkWalk, &ScheduleRules::checkCopies,
          &ScheduleRules::checkSharedBytes, &ScheduleRules::checkCluster})
      if (Misfit misfit = (this->*rule)())
        return misfit;
    return std::nullopt;
  }

private:
  /// Fields of the other device, or of later chips, have their defaults.
  Misfit checkDevice() const;
  /// The threads of a block.
  Misfit checkBlock() const;
  /// The accesses of a thread.
  Misfit checkVector() const;
  /// Rows and columns of what a block has at a time.
  Misfit checkTile() const;
  /// How a row is cut.
  Misfit checkPieces() const;
  /// What needs a walk over many rows.
  Misfit checkWalk() const;
  /// Asynchronous copies.
  Misfit checkCopies() const;
  Misfit checkSharedBytes() const;
  /// Blocks that share rows.
  Misfit checkCluster() const;
  /// Both programs of a weight gradient by strips.
  Misfit checkStrips() const;
  Misfit checkProgram(const StripsProgram &program, StringRef what) const;

  const ScheduleProblem &problem;
  const Schedule &schedule;
  const GPUChip &chip;
};
} // namespace

ScheduleRules::Misfit ScheduleRules::checkDevice() const {
  using Device = ScheduleField::Device;
  const Schedule defaults;
  Device other = schedule.isGPU() ? Device::CPU : Device::GPU;
  for (const ScheduleField &field : getScheduleFields()) {
    bool isOthers = field.device == other;
    bool isLater = schedule.isGPU() && chip.capability < field.firstCapability;
    if ((!isOthers && !isLater) ||
        schedule.*field.member == defaults.*field.member)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "expected " << field.name << " = ";
    printScheduleValue(os, field, defaults);
    if (isOthers)
      os << " with threads = " << schedule.threads
         << (schedule.isGPU() ? " (a GPU)" : " (a CPU)") << ", got ";
    else
      os << " before sm_" << field.firstCapability << ", got ";
    printScheduleValue(os, field, schedule);
    if (!isOthers)
      os << " for sm_" << chip.capability;
    return text;
  }
  return std::nullopt;
}

ScheduleRules::Misfit ScheduleRules::checkBlock() const {
  int64_t size = schedule.rows * schedule.threads;
  if (size > GPUChip::kThreadsPerBlock)
    return formatv("expected rows * threads <= {0}, got {1} * {2} = {3}",
                   GPUChip::kThreadsPerBlock, schedule.rows, schedule.threads,
                   size)
        .str();
  if (size % GPUChip::kWarp != 0)
    return formatv("expected rows * threads to be a multiple of {0}, got {1} * "
                   "{2} = {3}",
                   GPUChip::kWarp, schedule.rows, schedule.threads, size)
        .str();
  if (schedule.blocks * size > chip.threadsPerMultiprocessor)
    return formatv("expected blocks * rows * threads <= {0}, got {1} * {2} * "
                   "{3} = {4}",
                   chip.threadsPerMultiprocessor, schedule.blocks,
                   schedule.rows, schedule.threads, schedule.blocks * size)
        .str();
  return std::nullopt;
}

ScheduleRules::Misfit ScheduleRules::checkVector() const {
  if (schedule.vector * problem.narrowestBytes <= kMaxAccessBytes)
    return std::nullopt;
  std::string element;
  llvm::raw_string_ostream(element) << problem.narrowest;
  return formatv("expected vector <= {0} ({1} bytes of {2}, the narrowest "
                 "element of a row), got {3}",
                 kMaxAccessBytes / problem.narrowestBytes, kMaxAccessBytes,
                 element, schedule.vector)
      .str();
}

ScheduleRules::Misfit ScheduleRules::checkTile() const {
  if (schedule.rows == 1)
    return std::nullopt;
  if (schedule.getStage() == RowStage::Loop)
    return formatv("expected rows = 1 where a row is walked in steps "
                   "(stage = loop), got rows = {0}",
                   schedule.rows)
        .str();
  // The axes of a tile are told apart by their sizes.
  if (schedule.rows == problem.columns)
    return formatv("expected rows other than the {0} columns of a row, got "
                   "rows = {1}",
                   problem.columns, schedule.rows)
        .str();
  return std::nullopt;
}

ScheduleRules::Misfit ScheduleRules::checkPieces() const {
  if (schedule.getStage() == RowStage::Loop)
    return std::nullopt;
  if (!problem.hasColumns())
    return formatv("expected stage = loop where N is dynamic, got stage = {0}",
                   findScheduleField("stage")->keywords[schedule.stage])
        .str();
  if (problem.getPieces(schedule) <= kMaxPieces)
    return std::nullopt;
  return formatv("expected N <= {0} * threads * vector unless stage = loop, "
                 "got N = {1} > {0} * {2} * {3} = {4}",
                 kMaxPieces, problem.columns, schedule.threads, schedule.vector,
                 kMaxPieces * schedule.threads * schedule.vector)
      .str();
}

ScheduleRules::Misfit ScheduleRules::checkCluster() const {
  if (schedule.cluster == 1)
    return std::nullopt;
  if (schedule.getStage() == RowStage::Loop)
    return formatv("expected cluster = 1 with stage = loop, got {0}",
                   schedule.cluster)
        .str();
  if (schedule.threads < GPUChip::kWarp)
    return formatv("expected threads >= {0} with a cluster, got {1}",
                   GPUChip::kWarp, schedule.threads)
        .str();
  if (schedule.cluster * schedule.threads * schedule.vector >
      std::max<int64_t>(problem.columns, 1))
    return formatv("expected cluster * threads * vector <= N, got {0} * {1} * "
                   "{2} > {3}",
                   schedule.cluster, schedule.threads, schedule.vector,
                   problem.columns)
        .str();
  return std::nullopt;
}

ScheduleRules::Misfit ScheduleRules::checkWalk() const {
  if (schedule.prefetch > kMaxRowsAhead)
    return formatv("expected prefetch <= {0} with threads > 0, got {1}",
                   kMaxRowsAhead, schedule.prefetch)
        .str();
  StringRef walk = "where a block walks over rows, which it does for a weight "
                   "gradient and with parts > 0";
  bool walks = problem.sumsRows || schedule.parts > 0;
  if (schedule.prefetch != 0 && !walks)
    return formatv("expected prefetch > 0 only {0}", walk).str();
  if (schedule.prefetch != 0 && schedule.getStage() != RowStage::Registers)
    return formatv("expected prefetch > 0 only with stage = registers, got "
                   "stage = {0}",
                   findScheduleField("stage")->keywords[schedule.stage])
        .str();
  if (schedule.getStage() == RowStage::Shared && !walks)
    return formatv("expected stage = shared only {0}", walk).str();
  if (schedule.getGamma() != GammaStage::Shared)
    return std::nullopt;
  if (!walks)
    return formatv("expected gamma = shared only {0}", walk).str();
  if (schedule.getStage() == RowStage::Loop)
    return std::string("expected gamma = registers or reload with stage = "
                       "loop, got shared");
  return std::nullopt;
}

ScheduleRules::Misfit ScheduleRules::checkCopies() const {
  if (schedule.getStage() != RowStage::Shared) {
    if (schedule.extra == 0)
      return std::nullopt;
    return formatv("expected extra = 0 unless stage = shared, got extra = {0} "
                   "with stage = {1}",
                   schedule.extra,
                   findScheduleField("stage")->keywords[schedule.stage])
        .str();
  }
  if (schedule.extra >= problem.getPieces(schedule))
    return formatv("expected extra < {0}, the vectors that a thread has of a "
                   "row, got {1}; for a row more there is stages",
                   problem.getPieces(schedule), schedule.extra)
        .str();
  if (schedule.threads == 1 && schedule.vector == 1)
    return std::string(
        "expected threads * vector >= 2 with stage = shared, got "
        "1 * 1");
  int64_t bytes = schedule.vector * problem.narrowestBytes;
  if (bytes >= kMinCopyBytes)
    return std::nullopt;
  return formatv("expected vectors of >= {0} bytes with stage = shared, got "
                 "{1} * {2} = {3}",
                 kMinCopyBytes, schedule.vector, problem.narrowestBytes, bytes)
      .str();
}

ScheduleRules::Misfit ScheduleRules::checkSharedBytes() const {
  int64_t bytes = problem.getSharedBytes(schedule);
  int64_t limit = chip.sharedBytesPerBlock - kSumBytes;
  if (bytes <= limit)
    return std::nullopt;
  int64_t held = getHeldColumns(problem, schedule);
  std::string parts;
  llvm::raw_string_ostream os(parts);
  llvm::ListSeparator plus(" + ");
  if (schedule.getStage() == RowStage::Shared)
    os << plus << schedule.stages << " stages * " << schedule.rows
       << " rows of " << held << " * " << problem.inputBytes << " bytes";
  if (schedule.extra > 0)
    os << plus << schedule.extra << " extra * " << schedule.rows
       << " pieces of " << getPieceColumns(schedule) << " * "
       << problem.inputBytes << " bytes";
  if (schedule.getGamma() == GammaStage::Shared)
    os << plus << "gamma of " << held << " * " << problem.gammaBytes
       << " bytes";
  if (problem.sumsRows && schedule.rows > 1)
    os << plus << schedule.rows << " sums of " << held << " * " << sizeof(float)
       << " bytes";
  return formatv("expected <= {0} bytes of shared memory, got {1}: {2}", limit,
                 bytes, parts)
      .str();
}

ScheduleRules::Misfit ScheduleRules::checkStrips() const {
  if (!problem.sumsRows)
    return formatv("expected strips = 0 without a weight gradient, got {0}",
                   schedule.strips)
        .str();
  if (!problem.hasColumns())
    return formatv("expected strips = 0 where N is dynamic, got {0}",
                   schedule.strips)
        .str();
  int64_t vectors = llvm::divideCeil(problem.columns, schedule.vector);
  if (schedule.strips > vectors)
    return formatv("expected strips <= {0} (N = {1} in vectors of {2}), got "
                   "{3}",
                   vectors, problem.columns, schedule.vector, schedule.strips)
        .str();
  if (schedule.cluster != 1)
    return formatv("expected cluster = 1 with strips > 0, got {0}",
                   schedule.cluster)
        .str();
  if (schedule.getStage() == RowStage::Loop && !problem.writesRows)
    return std::string("expected stage = registers or shared for strips of a "
                       "weight gradient alone, got loop");
  StripsProgram strip = getStripProgram(problem, schedule);
  std::string what = formatv("for a strip of {0} columns, {1} rows at a time: ",
                             strip.problem.columns, strip.schedule.rows);
  if (Misfit misfit = checkProgram(strip, what))
    return misfit;
  if (!problem.writesRows)
    return std::nullopt;
  return checkProgram(getRowProgram(problem, schedule),
                      "for dx beside strips: ");
}

ScheduleRules::Misfit ScheduleRules::checkProgram(const StripsProgram &program,
                                                  StringRef what) const {
  Misfit misfit =
      ScheduleRules(program.problem, program.schedule, chip).check();
  if (misfit)
    misfit->insert(0, what);
  return misfit;
}

std::optional<std::string>
rudnn::norm::findScheduleMisfit(const ScheduleProblem &problem,
                                const Schedule &schedule, const GPUChip &chip) {
  return ScheduleRules(problem, schedule, chip).check();
}

LogicalResult
rudnn::norm::verifySchedule(RowwiseOpInterface op, const Schedule &schedule,
                            function_ref<InFlightDiagnostic()> emitError,
                            const GPUChip &chip) {
  std::optional<std::string> misfit =
      findScheduleMisfit(ScheduleProblem(op), schedule, chip);
  if (misfit)
    return emitError() << *misfit;
  return success();
}
