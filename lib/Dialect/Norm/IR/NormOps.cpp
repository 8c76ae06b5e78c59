//===- NormOps.cpp - Verification and folding of the norm ops -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace rudnn::norm;

/// A float attribute as the shortest text that reads back the same; the type
/// follows from the op.
static ParseResult parseFloatOfType(OpAsmParser &parser, FloatAttr &value,
                                    Type type) {
  return parser.parseAttribute(value, type);
}
static ParseResult parseEpsilon(OpAsmParser &parser, FloatAttr &value) {
  return parseFloatOfType(parser, value, parser.getBuilder().getF64Type());
}
static ParseResult parseOffset(OpAsmParser &parser, FloatAttr &value) {
  return parseFloatOfType(parser, value, parser.getBuilder().getF32Type());
}
static void printFloat(OpAsmPrinter &printer, FloatAttr attr) {
  APFloat value = attr.getValue();
  for (unsigned digits = 1; value.isFinite() && digits <= 17; ++digits) {
    SmallString<32> text;
    value.toString(text, digits, /*FormatMaxPadding=*/0);
    if (APFloat(value.getSemantics(), text).bitwiseIsEqual(value)) {
      printer << StringRef(text).lower();
      return;
    }
  }
  printer.printAttributeWithoutType(attr);
}
static void printEpsilon(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printFloat(printer, value);
}
static void printOffset(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printFloat(printer, value);
}

#define GET_OP_CLASSES
#include "rudnn/Dialect/Norm/IR/NormOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shape rules, shared by every row-wise op
//===----------------------------------------------------------------------===//

/// The shape that an operand of `role` has when the rows have shape `rows`.
static SmallVector<int64_t> getExpectedShape(OperandRole role,
                                             ArrayRef<int64_t> rows) {
  switch (role) {
  case OperandRole::Rows:
    return SmallVector<int64_t>(rows);
  case OperandRole::PerRow:
    return SmallVector<int64_t>(rows.drop_back());
  case OperandRole::PerColumn:
    return {rows.back()};
  }
  llvm_unreachable("unknown role");
}

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << '?';
    else
      os << size;
  });
  os << ']';
  return text;
}

/// Starts a diagnostic for constraint `number` of `op`, as in
/// "rms_norm_c4: ".
static InFlightDiagnostic emitConstraint(Operation *op, unsigned number) {
  return op->emitOpError() << op->getName().stripDialect() << "_c" << number
                           << ": ";
}

namespace {
/// Where the common rules stand in an op's numbered list of constraints.
struct ConstraintNumbers {
  unsigned rank = 1, columns = 2, elements = 3, perColumn = 4, rows = 5,
           perRow = 6, semantics = 9, layout = 10;
};
} // namespace

static LogicalResult verifyRank(RowwiseOpInterface op) {
  ConstraintNumbers number;
  auto type = cast<ShapedType>(op.getRows().getType());
  if (type.getRank() == 0)
    return emitConstraint(op, number.rank)
           << "expected x of rank >= 1, got rank 0";
  if (type.getShape().back() == 0)
    return emitConstraint(op, number.columns)
           << "expected x with N >= 1 columns, got N = 0";
  return success();
}

static LogicalResult verifySemantics(RowwiseOpInterface op) {
  bool tensors = isa<TensorType>(op.getRows().getType());
  for (OpOperand &operand : op->getOpOperands()) {
    if (isa<TensorType>(operand.get().getType()) == tensors)
      continue;
    return emitConstraint(op, ConstraintNumbers().semantics)
           << "expected all operands to be "
           << (tensors ? "tensors" : "memrefs") << " as x is, got "
           << op.getOperandName(operand.getOperandNumber()) << " of type "
           << operand.get().getType();
  }
  return success();
}

unsigned rudnn::norm::getShapeConstraint(OperandRole role) {
  ConstraintNumbers number;
  switch (role) {
  case OperandRole::Rows:
    return number.rows;
  case OperandRole::PerRow:
    return number.perRow;
  case OperandRole::PerColumn:
    return number.perColumn;
  }
  llvm_unreachable("unknown role");
}

static LogicalResult verifyShapeAndElement(RowwiseOpInterface op,
                                           OpOperand &operand) {
  unsigned index = operand.getOperandNumber();
  OperandRole role = op.getOperandRole(index);
  StringRef name = op.getOperandName(index);
  auto type = cast<ShapedType>(operand.get().getType());
  auto rows = cast<ShapedType>(op.getRows().getType());
  SmallVector<int64_t> expected = getExpectedShape(role, rows.getShape());
  if (failed(verifyCompatibleShape(expected, type.getShape())))
    return emitConstraint(op, getShapeConstraint(role))
           << "expected " << name << " of shape " << shapeToString(expected)
           << ", got " << shapeToString(type.getShape());
  Type element = type.getElementType();
  if (role == OperandRole::PerRow) {
    if (!element.isF32())
      return emitConstraint(op, ConstraintNumbers().perRow)
             << "expected " << name << " of element type f32, got " << element;
    return success();
  }
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return emitConstraint(op, ConstraintNumbers().elements)
           << "expected " << name << " of element type f32, f16 or bf16, got "
           << element;
  return success();
}

/// Rows are read and written as vectors along the last axis; `mayExpand` lets
/// it have stride 0 too, all columns being one value.
static LogicalResult verifyLayout(RowwiseOpInterface op, OpOperand &operand,
                                  bool mayExpand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || type.getRank() == 0)
    return success();
  auto [strides, offset] = type.getStridesAndOffset();
  OperandRole role = op.getOperandRole(operand.getOperandNumber());
  int64_t last = strides.back();
  if (role == OperandRole::PerRow || last == 1 || type.getShape().back() == 1 ||
      (mayExpand && last == 0))
    return success();
  InFlightDiagnostic diag = emitConstraint(op, ConstraintNumbers().layout);
  diag << "expected the last axis of "
       << op.getOperandName(operand.getOperandNumber())
       << " to have stride 1, got ";
  return ShapedType::isDynamic(last) ? diag << "a dynamic stride"
                                     : diag << last;
}

/// The rules that follow from the roles of the operands.
static LogicalResult
verifyOperands(RowwiseOpInterface op,
               std::optional<unsigned> mayExpand = std::nullopt) {
  if (failed(verifyRank(op)) || failed(verifySemantics(op)))
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    if (failed(verifyShapeAndElement(op, operand)) ||
        failed(
            verifyLayout(op, operand, operand.getOperandNumber() == mayExpand)))
      return failure();
  return success();
}

static LogicalResult verifySameElement(Operation *op, unsigned number,
                                       StringRef name, Value value,
                                       StringRef otherName, Type other) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element == other)
    return success();
  return emitConstraint(op, number)
         << "expected " << name << " of element type " << other << " as "
         << otherName << " has, got " << element;
}

static LogicalResult verifyOffset(Operation *op, unsigned number,
                                  const APFloat &offset, Value gamma) {
  if (!offset.isFinite())
    return emitConstraint(op, number) << "expected a finite gamma_offset, got "
                                      << offset.convertToDouble();
  if (!gamma && !offset.isZero())
    return emitConstraint(op, number) << "expected gamma_offset 0 without "
                                         "gamma, got "
                                      << offset.convertToDouble();
  return success();
}

/// Shapes of results are shapes of the destinations they are tied to.
static LogicalResult reifyFromInits(OpBuilder &b, Operation *op,
                                    ReifiedRankedShapedTypeDims &shapes) {
  for (Value init : cast<DestinationStyleOpInterface>(op).getDpsInits())
    if (isa<RankedTensorType>(init.getType()))
      shapes.push_back(tensor::getMixedSizes(b, op->getLoc(), init));
  return success();
}

//===----------------------------------------------------------------------===//
// Effects, speculation, folding, shared by every row-wise op
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addEffects(DestinationStyleOpInterface op, Effects &effects,
                       bool readsInits) {
  auto add = [&](OpOperand &operand, MemoryEffects::Effect *effect) {
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(effect, &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true,
                           SideEffects::DefaultResource::get());
  };
  for (OpOperand *input : op.getDpsInputOperands())
    add(*input, MemoryEffects::Read::get());
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (readsInits)
      add(init, MemoryEffects::Read::get());
    add(init, MemoryEffects::Write::get());
  }
}

/// On tensors the ops only compute; a dynamic size that does not fit is the
/// one thing that can go wrong, so unknown sizes stay where they are.
static Speculation::Speculatability getRowwiseSpeculatability(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (!isa<RankedTensorType>(type) ||
        !cast<RankedTensorType>(type).hasStaticShape())
      return Speculation::NotSpeculatable;
  return Speculation::Speculatable;
}

/// An op whose destination is left as it is has nothing to do.
static bool writesNothing(DestinationStyleOpInterface op) {
  return op.getDpsInits().empty();
}

/// Replaces `op` by one that lacks the optional destinations `dropped`
/// (indices into its results), which nobody reads.
template <typename OpTy>
static void dropResults(PatternRewriter &rewriter, OpTy op,
                        ArrayRef<unsigned> dropped,
                        function_ref<void(OpTy)> clear) {
  rewriter.setInsertionPoint(op);
  auto smaller = cast<OpTy>(rewriter.clone(*op));
  SmallVector<Type> types;
  for (auto [index, type] : llvm::enumerate(op.getResultTypes()))
    if (!llvm::is_contained(dropped, index))
      types.push_back(type);
  clear(smaller);
  OperationState state(op.getLoc(), smaller->getName(), smaller->getOperands(),
                       types, llvm::to_vector(smaller->getDiscardableAttrs()));
  state.propertiesAttr = smaller->getPropertiesAsAttribute();
  Operation *replacement = rewriter.create(state);
  rewriter.eraseOp(smaller);
  unsigned next = 0;
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    if (!llvm::is_contained(dropped, index))
      rewriter.replaceAllUsesWith(result, replacement->getResult(next++));
  rewriter.eraseOp(op);
}

/// The operands of the segments `first` to `last`.
template <typename OpTy>
static MutableOperandRange rangeOfSegments(OpTy op, unsigned first,
                                           unsigned last) {
  auto [begin, length] = op.getODSOperandIndexAndLength(first);
  auto [lastBegin, lastLength] = op.getODSOperandIndexAndLength(last);
  return MutableOperandRange(op, begin, lastBegin + lastLength - begin);
}

/// The generic form can give an operand none or several values.
template <typename OpTy>
static LogicalResult verifySegments(OpTy op, ArrayRef<unsigned> required) {
  for (auto [index, size] :
       llvm::enumerate(op.getProperties().operandSegmentSizes))
    if (size > 1 || (size == 0 && llvm::is_contained(required, index)))
      return op.emitOpError("expected one value for operand #")
             << index << ", got " << size;
  return success();
}

//===----------------------------------------------------------------------===//
// RMSNormOp
//===----------------------------------------------------------------------===//

LogicalResult RMSNormOp::verify() {
  if (failed(verifySegments(*this, {0, 2})))
    return failure();
  auto op = cast<RowwiseOpInterface>(getOperation());
  if (failed(verifyOperands(op)) ||
      failed(verifySameElement(op, ConstraintNumbers().rows, "y", getY(), "x",
                               getXType().getElementType())))
    return failure();
  float epsilon = float(getEpsilon().convertToDouble());
  if (!std::isfinite(epsilon) || !(epsilon > 0))
    return emitConstraint(op, 7)
           << "expected an epsilon that is finite and > 0 as f32, got "
           << getEpsilon().convertToDouble();
  return verifyOffset(op, 8, getGammaOffset(), getGamma());
}

MutableOperandRange RMSNormOp::getDpsInitsMutable() {
  return rangeOfSegments(*this, 2, 3);
}

/// The name of the operand segment that `operandNumber` lies in.
static StringRef nameOfSegment(ArrayRef<int32_t> segments,
                               ArrayRef<StringRef> names,
                               unsigned operandNumber) {
  unsigned end = 0;
  for (auto [size, name] : llvm::zip_equal(segments, names)) {
    end += size;
    if (operandNumber < end)
      return name;
  }
  llvm_unreachable("operand number out of range");
}

static OperandRole roleOfName(StringRef name) {
  return llvm::StringSwitch<OperandRole>(name)
      .Cases({"gamma", "weight_grad"}, OperandRole::PerColumn)
      .Case("rstd", OperandRole::PerRow)
      .Default(OperandRole::Rows);
}

OperandRole RMSNormOp::getOperandRole(unsigned operandNumber) {
  return roleOfName(getOperandName(operandNumber));
}

StringRef RMSNormOp::getOperandName(unsigned operandNumber) {
  return nameOfSegment(getProperties().operandSegmentSizes,
                       {"x", "gamma", "y", "rstd"}, operandNumber);
}

Value RMSNormOp::getRows() { return getX(); }
bool RMSNormOp::reducesRows() { return false; }
bool RMSNormOp::isTileable() { return true; }

LogicalResult
RMSNormOp::reifyResultShapes(OpBuilder &b,
                             ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInits(b, *this, shapes);
}

void RMSNormOp::getEffects(Effects &effects) {
  addEffects(*this, effects, /*readsInits=*/false);
}

Speculation::Speculatability RMSNormOp::getSpeculatability() {
  return getRowwiseSpeculatability(*this);
}

LogicalResult RMSNormOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return memref::foldMemRefCast(*this);
}

LogicalResult RMSNormOp::canonicalize(RMSNormOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() != 2 || !op.getResult(1).use_empty())
    return failure();
  dropResults<RMSNormOp>(rewriter, op, {1u},
                         [](RMSNormOp o) { o.getRstdMutable().clear(); });
  return success();
}

//===----------------------------------------------------------------------===//
// RMSNormBackwardOp
//===----------------------------------------------------------------------===//

LogicalResult RMSNormBackwardOp::verify() {
  if (failed(verifySegments(*this, {0, 1, 2})))
    return failure();
  auto op = cast<RowwiseOpInterface>(getOperation());
  if (failed(verifyOperands(op, /*mayExpand=*/1)))
    return failure();
  Type xElement = getXType().getElementType();
  if (getInputGrad() &&
      failed(verifySameElement(op, ConstraintNumbers().rows, "input_grad",
                               getInputGrad(), "x", xElement)))
    return failure();
  if (Value grad = getWeightGrad()) {
    Type element = getElementTypeOrSelf(grad.getType());
    if (getAccumulate() && !element.isF32())
      return emitConstraint(op, 7) << "expected weight_grad of element type "
                                      "f32 with accumulate, got "
                                   << element;
    if (!getAccumulate() && getGamma() &&
        failed(verifySameElement(op, 7, "weight_grad", grad, "gamma",
                                 getElementTypeOrSelf(getGamma().getType()))))
      return failure();
  }
  return verifyOffset(op, 8, getGammaOffset(), getGamma());
}

MutableOperandRange RMSNormBackwardOp::getDpsInitsMutable() {
  return rangeOfSegments(*this, 4, 5);
}

OperandRole RMSNormBackwardOp::getOperandRole(unsigned operandNumber) {
  return roleOfName(getOperandName(operandNumber));
}

StringRef RMSNormBackwardOp::getOperandName(unsigned operandNumber) {
  return nameOfSegment(
      getProperties().operandSegmentSizes,
      {"x", "dy", "rstd", "gamma", "input_grad", "weight_grad"}, operandNumber);
}

Value RMSNormBackwardOp::getRows() { return getX(); }
bool RMSNormBackwardOp::reducesRows() { return bool(getWeightGrad()); }
bool RMSNormBackwardOp::isTileable() {
  return !getWeightGrad() || getAccumulate();
}

LogicalResult
RMSNormBackwardOp::reifyResultShapes(OpBuilder &b,
                                     ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInits(b, *this, shapes);
}

void RMSNormBackwardOp::getEffects(Effects &effects) {
  addEffects(*this, effects, /*readsInits=*/getAccumulate());
}

Speculation::Speculatability RMSNormBackwardOp::getSpeculatability() {
  return getRowwiseSpeculatability(*this);
}

LogicalResult RMSNormBackwardOp::fold(FoldAdaptor,
                                      SmallVectorImpl<OpFoldResult> &) {
  return memref::foldMemRefCast(*this);
}

LogicalResult RMSNormBackwardOp::canonicalize(RMSNormBackwardOp op,
                                              PatternRewriter &rewriter) {
  if (writesNothing(op)) {
    rewriter.eraseOp(op);
    return success();
  }
  if (op.getGamma() && !op.getInputGrad()) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getGammaMutable().clear();
      op.setGammaOffset(APFloat(0.0f));
    });
    return success();
  }
  SmallVector<unsigned> dead;
  for (OpResult result : op.getResults())
    if (result.use_empty())
      dead.push_back(result.getResultNumber());
  if (dead.empty())
    return failure();
  bool hasInputGrad = bool(op.getInputGrad());
  dropResults<RMSNormBackwardOp>(rewriter, op, dead, [&](RMSNormBackwardOp o) {
    if (llvm::is_contained(dead, hasInputGrad ? 1u : 0u))
      o.getWeightGradMutable().clear();
    if (hasInputGrad && llvm::is_contained(dead, 0u))
      o.getInputGradMutable().clear();
  });
  return success();
}
