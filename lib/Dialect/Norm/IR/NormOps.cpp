//===- NormOps.cpp - Syntax, effects and folding of the norm ops ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/ScheduleVerification.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringSwitch.h"

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

/// The attributes of an op but for `written`, which have a place of their own:
/// one of them here as well would silently go before what is written there.
static ParseResult parseOtherAttrs(OpAsmParser &parser, NamedAttrList &attrs,
                                   StringRef opName,
                                   ArrayRef<StringRef> written) {
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  if (parser.parseOptionalAttrDict(attrs))
    return failure();
  for (StringRef name : written)
    if (Attribute value = attrs.get(name))
      return emitError() << "expected '" << name
                         << "' in its own place only, got " << value
                         << " among the other attributes";
  return OperationName(opName, parser.getContext())
      .verifyInherentAttrs(attrs, emitError);
}
static void printOtherAttrs(OpAsmPrinter &printer, Operation *,
                            DictionaryAttr attrs, StringRef,
                            ArrayRef<StringRef> written) {
  printer.printOptionalAttrDict(attrs.getValue(), written);
}

#define GET_OP_CLASSES
#include "rudnn/Dialect/Norm/IR/NormOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Results, effects, speculation, folding, shared by every row-wise op
//===----------------------------------------------------------------------===//

/// Shapes of results are shapes of the destinations they are tied to.
static LogicalResult reifyFromInits(OpBuilder &b, Operation *op,
                                    ReifiedRankedShapedTypeDims &shapes) {
  for (Value init : cast<DestinationStyleOpInterface>(op).getDpsInits())
    if (isa<RankedTensorType>(init.getType()))
      shapes.push_back(tensor::getMixedSizes(b, op->getLoc(), init));
  return success();
}

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

/// Removes a schedule that fits no op with so few results: there is none yet
/// again.
static void dropUnfitSchedule(RowwiseOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (schedule && findScheduleMisfit(ScheduleProblem(op), schedule.getValue()))
    op.setScheduleAttr({});
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
  dropUnfitSchedule(smaller);
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

//===----------------------------------------------------------------------===//
// RMSNormOp
//===----------------------------------------------------------------------===//

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
