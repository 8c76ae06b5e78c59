//===- NormDialect.cpp - The norm dialect and its attributes --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rudnn::norm;

#include "rudnn/Dialect/Norm/IR/NormDialect.cpp.inc"

#include "rudnn/Dialect/Norm/IR/NormEnums.cpp.inc"

#include "rudnn/Dialect/Norm/IR/NormInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "rudnn/Dialect/Norm/IR/NormAttrs.cpp.inc"

void NormDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rudnn/Dialect/Norm/IR/NormAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "rudnn/Dialect/Norm/IR/NormOps.cpp.inc"
      >();
}

static LogicalResult verifyCachePolicy(Operation *op, Attribute value) {
  const ScheduleField *field = findScheduleField("first_read");
  if (auto text = dyn_cast<StringAttr>(value);
      text && llvm::is_contained(field->keywords, text.getValue()))
    return success();
  return op->emitOpError("expected '")
         << NormDialect::kCacheAttrName << "' to be a cache policy ("
         << llvm::join(field->keywords, ", ") << "), got " << value;
}

static LogicalResult verifyLaunch(Operation *op, Attribute value) {
  auto distinct = dyn_cast<DistinctAttr>(value);
  if (distinct && isa<ScheduleAttr>(distinct.getReferencedAttr()))
    return success();
  return op->emitOpError("expected '")
         << NormDialect::kLaunchAttrName
         << "' to be distinct[N]<#norm.schedule<...>>, got " << value;
}

LogicalResult NormDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  if (attr.getName() == kCacheAttrName)
    return verifyCachePolicy(op, attr.getValue());
  if (attr.getName() == kLaunchAttrName)
    return verifyLaunch(op, attr.getValue());
  if (attr.getName() == kAlignedAttrName && isa<UnitAttr>(attr.getValue()))
    return success();
  if (attr.getName() == kKernelAttrName)
    return success();
  if (attr.getName() != kScheduleAttrName)
    return op->emitOpError("unknown attribute '")
           << attr.getName().getValue() << "'";
  if (!isa<ScheduleAttr>(attr.getValue()))
    return op->emitOpError("expected '")
           << attr.getName().getValue() << "' to be a #norm.schedule, got "
           << attr.getValue();
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Schedule value) {
  for (const ScheduleField &field : getScheduleFields())
    if (failed(verifyScheduleField(field, value.*field.member, emitError)))
      return failure();
  return success();
}

/// The text of one value, a number or a keyword.
static ParseResult parseValueText(AsmParser &parser, std::string &text) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    text = keyword.str();
    return success();
  }
  int64_t number;
  if (parser.parseInteger(number))
    return failure();
  text = std::to_string(number);
  return success();
}

/// `name = value`; `seen` collects the names.
static ParseResult parseField(AsmParser &parser, Schedule &schedule,
                              SmallVectorImpl<StringRef> &seen) {
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  StringRef name;
  std::string value;
  if (parser.parseKeyword(&name))
    return failure();
  const ScheduleField *field = findScheduleField(name);
  if (!field)
    return emitUnknownScheduleField(name, emitError);
  if (llvm::is_contained(seen, name))
    return emitError() << "field '" << name << "' is given twice";
  seen.push_back(name);
  if (parser.parseEqual())
    return failure();
  loc = parser.getCurrentLocation();
  if (parseValueText(parser, value))
    return failure();
  return parseScheduleValue(*field, value, schedule, emitError);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Schedule schedule;
  SmallVector<StringRef> seen;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::LessGreater,
          [&] { return parseField(parser, schedule, seen); },
          " in the fields of a schedule"))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    schedule);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printScheduleFields(printer.getStream(), getValue());
  printer << '>';
}

ArrayAttr ScheduleAttr::getTaskMapping(MLIRContext *context, int64_t rank) {
  SmallVector<Attribute> tasks;
  for (int64_t dim = rank; dim-- > 0;)
    tasks.push_back(TaskAttr::get(context, dim));
  return ArrayAttr::get(context, tasks);
}

int64_t TaskAttr::getMappingId() const { return getDim(); }
bool TaskAttr::isLinearMapping() const { return false; }
int64_t TaskAttr::getRelativeIndex() const { return getDim(); }
