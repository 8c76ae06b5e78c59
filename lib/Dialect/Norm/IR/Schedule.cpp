//===- Schedule.cpp - Every tunable of the lowering -----------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Schedule.h"

#include "rudnn/Dialect/Norm/IR/GPUChip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace llvm;
using namespace rudnn::norm;
using mlir::InFlightDiagnostic;

static constexpr StringLiteral kRowStages[] = {"registers", "shared", "reload",
                                               "loop"};
static constexpr StringLiteral kGammaStages[] = {"registers", "reload",
                                                 "shared"};
static constexpr StringLiteral kCachePolicies[] = {
    "normal", "evict_first", "evict_last", "no_allocate", "streaming"};

static constexpr StringLiteral kWidenings[] = {"convert", "shift", "mixed"};

static constexpr StringLiteral kProductTimes[] = {"late", "early"};

static constexpr StringLiteral kLaunchKinds[] = {"normal", "dependent",
                                                 "chained"};

static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

static ScheduleField keywordField(StringLiteral name, int64_t Schedule::*member,
                                  ArrayRef<StringLiteral> keywords,
                                  int64_t firstCapability = 0) {
  return {name,
          member,
          0,
          int64_t(keywords.size()) - 1,
          ScheduleField::Device::GPU,
          ScheduleField::Rule::Any,
          keywords,
          "",
          firstCapability};
}

ArrayRef<ScheduleField> rudnn::norm::getScheduleFields() {
  using Rule = ScheduleField::Rule;
  using Device = ScheduleField::Device;
  static const ScheduleField fields[] = {
      {"vector", &Schedule::vector, 1, 64, Device::Any, Rule::PowerOfTwo},
      {"unroll", &Schedule::unroll, 1, 16, Device::Any},
      {"parts", &Schedule::parts, 0, 65536, Device::Any},
      {"prefetch",
       &Schedule::prefetch,
       0,
       64,
       Device::Any,
       Rule::Any,
       {},
       "rows"},
      {"nontemporal",
       &Schedule::nontemporal,
       0,
       kUnbounded,
       Device::CPU,
       Rule::Any,
       {},
       "bytes"},
      {"threads", &Schedule::threads, 0, 1024, Device::Any, Rule::Threads},
      {"rows", &Schedule::rows, 1, 1024, Device::GPU},
      keywordField("stage", &Schedule::stage, kRowStages),
      {"stages", &Schedule::stages, 1, 8, Device::GPU},
      {"extra", &Schedule::extra, 0, 63, Device::GPU},
      keywordField("gamma", &Schedule::gamma, kGammaStages),
      {"blocks", &Schedule::blocks, 0, 32, Device::GPU},
      keywordField("first_read", &Schedule::first_read, kCachePolicies),
      keywordField("second_read", &Schedule::second_read, kCachePolicies),
      keywordField("store", &Schedule::store, kCachePolicies),
      {"merge_columns", &Schedule::merge_columns, 1, 1024, Device::GPU,
       Rule::PowerOfTwo},
      {"strips", &Schedule::strips, 0, 65536, Device::GPU},
      {"cluster",
       &Schedule::cluster,
       1,
       8,
       Device::GPU,
       Rule::PowerOfTwo,
       {},
       "",
       kFirstWithClusters},
      keywordField("widen", &Schedule::widen, kWidenings),
      keywordField("product", &Schedule::product, kProductTimes),
      keywordField("launch", &Schedule::launch, kLaunchKinds,
                   kFirstWithDependentLaunch),
  };
  return fields;
}

const ScheduleField *rudnn::norm::findScheduleField(StringRef name) {
  const ScheduleField *field =
      find_if(getScheduleFields(),
              [&](const ScheduleField &field) { return field.name == name; });
  return field == getScheduleFields().end() ? nullptr : field;
}

bool Schedule::operator==(const Schedule &other) const {
  return all_of(getScheduleFields(), [&](const ScheduleField &field) {
    return this->*field.member == other.*field.member;
  });
}

hash_code rudnn::norm::hash_value(const Schedule &schedule) {
  hash_code code = 0;
  for (const ScheduleField &field : getScheduleFields())
    code = hash_combine(code, schedule.*field.member);
  return code;
}

void rudnn::norm::printScheduleValue(raw_ostream &os,
                                     const ScheduleField &field,
                                     const Schedule &schedule) {
  int64_t value = schedule.*field.member;
  if (field.keywords.empty())
    os << value;
  else
    os << field.keywords[value];
}

void rudnn::norm::printScheduleFields(raw_ostream &os,
                                      const Schedule &schedule) {
  ListSeparator separator;
  const Schedule defaults;
  for (const ScheduleField &field : getScheduleFields()) {
    if (schedule.*field.member == defaults.*field.member)
      continue;
    os << separator << field.name << " = ";
    printScheduleValue(os, field, schedule);
  }
}

bool rudnn::norm::isThreadCount(int64_t threads) {
  if (threads < 1 || threads > GPUChip::kThreadsPerBlock)
    return false;
  return threads % GPUChip::kWarp == 0 ||
         (threads < GPUChip::kWarp && isPowerOf2_64(threads));
}

static bool isAllowed(const ScheduleField &field, int64_t value) {
  if (value < field.min || value > field.max)
    return false;
  switch (field.rule) {
  case ScheduleField::Rule::Any:
    return true;
  case ScheduleField::Rule::PowerOfTwo:
    return isPowerOf2_64(value);
  case ScheduleField::Rule::Threads:
    return value == 0 || isThreadCount(value);
  }
  llvm_unreachable("unknown rule");
}

/// "expected x ..." with the values that `field` has.
static void describeValues(InFlightDiagnostic &diag,
                           const ScheduleField &field) {
  diag << "expected " << field.name;
  if (!field.keywords.empty()) {
    diag << " to be one of ";
    interleaveComma(field.keywords, diag);
    return;
  }
  StringRef space = field.unit.empty() ? "" : " ";
  switch (field.rule) {
  case ScheduleField::Rule::Any:
    if (field.max == kUnbounded)
      diag << " to be a number of " << field.unit << " >= " << field.min;
    else
      diag << " in " << field.min << ".." << field.max << space << field.unit;
    return;
  case ScheduleField::Rule::PowerOfTwo:
    diag << " to be a power of two in " << field.min << ".." << field.max;
    return;
  case ScheduleField::Rule::Threads:
    diag << " to be 0, a power of two <= " << GPUChip::kWarp
         << " or a multiple of " << GPUChip::kWarp << " <= " << field.max;
    return;
  }
}

LogicalResult
rudnn::norm::verifyScheduleField(const ScheduleField &field, int64_t value,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (isAllowed(field, value))
    return success();
  InFlightDiagnostic diag = emitError();
  describeValues(diag, field);
  return diag << ", got " << value;
}

LogicalResult
rudnn::norm::parseScheduleValue(const ScheduleField &field, StringRef text,
                                Schedule &schedule,
                                function_ref<InFlightDiagnostic()> emitError) {
  int64_t &value = schedule.*field.member;
  if (field.keywords.empty() && !text.getAsInteger(10, value))
    return verifyScheduleField(field, value, emitError);
  const StringLiteral *keyword = find(field.keywords, text);
  value = keyword - field.keywords.begin();
  if (keyword != field.keywords.end())
    return success();
  InFlightDiagnostic diag = emitError();
  describeValues(diag, field);
  return diag << ", got '" << text << "'";
}

InFlightDiagnostic rudnn::norm::emitUnknownScheduleField(
    StringRef name, function_ref<InFlightDiagnostic()> emitError) {
  InFlightDiagnostic diag = emitError();
  diag << "unknown field '" << name << "' of a schedule; the fields are ";
  interleaveComma(getScheduleFields(), diag,
                  [&](const ScheduleField &field) { diag << field.name; });
  return diag;
}

LogicalResult
rudnn::norm::overrideSchedule(StringRef text, Schedule &schedule,
                              function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<StringRef> entries, seen;
  text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/!text.empty());
  for (StringRef entry : entries) {
    if (!entry.contains('='))
      return emitError() << "expected 'field=value', got '" << entry << "'";
    auto [name, value] = entry.split('=');
    const ScheduleField *field = findScheduleField(name.trim());
    if (!field)
      return emitUnknownScheduleField(name.trim(), emitError);
    if (is_contained(seen, field->name))
      return emitError() << "field '" << field->name << "' is given twice";
    seen.push_back(field->name);
    if (failed(parseScheduleValue(*field, value.trim(), schedule, emitError)))
      return failure();
  }
  return success();
}
