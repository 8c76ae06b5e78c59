//===- ForallToThreads.cpp - Row programs to a thread pool ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMFORALLTOTHREADS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

constexpr StringLiteral kParallelFor = "rudnnParallelFor";

/// Moves one row program into a function over a range of its tasks.
class Outliner {
public:
  Outliner(scf::ForallOp program, SymbolTable &symbols, int64_t threads)
      : program(program), symbols(symbols), threads(threads),
        b(program.getContext()), loc(program.getLoc()),
        converter(program.getContext()) {}

  LogicalResult run();

private:
  /// Values from above that the body needs; constants are made again inside.
  void collectCaptures();
  /// The number of iterations of each dimension.
  SmallVector<Value> getTripCounts();
  LogicalResult checkCaptures();
  Value packContext();
  func::FuncOp buildBody(ArrayRef<Value> tripCounts);
  void buildTask(OpBuilder &nested, ValueRange position, IRMapping &mapping);
  void callPool(func::FuncOp body, ArrayRef<Value> tripCounts, Value context);

  Type ptr() { return LLVM::LLVMPointerType::get(b.getContext()); }
  Value cast(OpBuilder &builder, Value value, Type type) {
    return value.getType() == type
               ? value
               : UnrealizedConversionCastOp::create(builder, loc, type, value)
                     .getResult(0);
  }

  scf::ForallOp program;
  SymbolTable &symbols;
  int64_t threads;
  OpBuilder b;
  Location loc;
  LLVMTypeConverter converter;
  SmallVector<Value> captures;
  SmallVector<Operation *> constants;
  LLVM::LLVMStructType contextType;
};

void Outliner::collectCaptures() {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(program.getRegion(), used);
  for (OpFoldResult bound : llvm::concat<OpFoldResult>(
           program.getMixedLowerBound(), program.getMixedStep()))
    if (auto value = dyn_cast<Value>(bound))
      used.insert(value);
  for (Value value : used) {
    Operation *def = value.getDefiningOp();
    if (def && def->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(def);
    else
      captures.push_back(value);
  }
}

SmallVector<Value> Outliner::getTripCounts() {
  SmallVector<Value> counts;
  for (auto [lower, upper, step] :
       llvm::zip_equal(program.getMixedLowerBound(),
                       program.getMixedUpperBound(), program.getMixedStep())) {
    AffineExpr l, u, s;
    bindSymbols(b.getContext(), l, u, s);
    OpFoldResult count = affine::makeComposedFoldedAffineApply(
        b, loc, (u - l).ceilDiv(s), {lower, upper, step});
    counts.push_back(getValueOrCreateConstantIndexOp(b, loc, count));
  }
  return counts;
}

LogicalResult Outliner::checkCaptures() {
  for (Value value : captures) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (type && type.getMemorySpace())
      return emitShortOpError(program)
             << "expected memrefs in the default memory space, got " << type;
    if (!converter.convertType(value.getType()))
      return emitShortOpError(program)
             << "uses a value of type " << value.getType()
             << ", which LLVM has no type for";
  }
  return success();
}

Value Outliner::packContext() {
  SmallVector<Type> types;
  for (Value value : captures)
    types.push_back(converter.convertType(value.getType()));
  contextType = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  OpBuilder entry(b.getContext());
  auto function = program->getParentOfType<func::FuncOp>();
  entry.setInsertionPointToStart(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(entry, loc, b.getI64IntegerAttr(1));
  Value context = LLVM::AllocaOp::create(entry, loc, ptr(), contextType, one);
  Value packed = LLVM::UndefOp::create(b, loc, contextType);
  for (auto [i, value] : llvm::enumerate(captures))
    packed = LLVM::InsertValueOp::create(b, loc, packed,
                                         cast(b, value, types[i]), i);
  LLVM::StoreOp::create(b, loc, packed, context);
  return context;
}

/// One iteration of the program's body, at `position` of its tasks.
void Outliner::buildTask(OpBuilder &nested, ValueRange position,
                         IRMapping &mapping) {
  for (auto [index, lower, step, variable] :
       llvm::zip_equal(position, program.getMixedLowerBound(),
                       program.getMixedStep(), program.getInductionVars())) {
    auto mapped = [&](OpFoldResult bound) -> OpFoldResult {
      auto value = dyn_cast<Value>(bound);
      return value ? OpFoldResult(mapping.lookupOrDefault(value)) : bound;
    };
    AffineExpr i, l, s;
    bindSymbols(b.getContext(), i, l, s);
    OpFoldResult at = affine::makeComposedFoldedAffineApply(
        nested, loc, l + i * s, {index, mapped(lower), mapped(step)});
    mapping.map(variable, getValueOrCreateConstantIndexOp(nested, loc, at));
  }
  for (Operation &op : program.getBody()->without_terminator())
    nested.clone(op, mapping);
}

func::FuncOp Outliner::buildBody(ArrayRef<Value> tripCounts) {
  auto parent = program->getParentOfType<func::FuncOp>();
  Type i64 = b.getI64Type();
  auto type = b.getFunctionType({ptr(), i64, i64}, {});
  auto body =
      func::FuncOp::create(loc, (parent.getName() + "_rows").str(), type);
  body.setPrivate();
  symbols.insert(body, std::next(parent->getIterator()));
  Block *block = body.addEntryBlock();
  OpBuilder inner(block, block->begin());
  IRMapping mapping;
  for (Operation *constant : constants)
    inner.clone(*constant, mapping);
  Value packed =
      LLVM::LoadOp::create(inner, loc, contextType, block->getArgument(0));
  for (auto [i, value] : llvm::enumerate(captures)) {
    Value field = LLVM::ExtractValueOp::create(inner, loc, packed, i);
    mapping.map(value, cast(inner, field, value.getType()));
  }
  Type index = b.getIndexType();
  Value begin =
      arith::IndexCastOp::create(inner, loc, index, block->getArgument(1));
  Value end =
      arith::IndexCastOp::create(inner, loc, index, block->getArgument(2));
  Value one = arith::ConstantIndexOp::create(inner, loc, 1);
  auto loop = scf::ForOp::create(inner, loc, begin, end, one);
  func::ReturnOp::create(inner, loc);
  inner.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> position{loop.getInductionVar()};
  if (tripCounts.size() > 1) {
    SmallVector<Value> basis;
    for (Value count : tripCounts)
      basis.push_back(mapping.lookupOrDefault(count));
    auto delinearize = affine::AffineDelinearizeIndexOp::create(
        inner, loc, loop.getInductionVar(), basis);
    position = llvm::to_vector_of<Value>(delinearize.getResults());
  }
  buildTask(inner, position, mapping);
  return body;
}

void Outliner::callPool(func::FuncOp body, ArrayRef<Value> tripCounts,
                        Value context) {
  Type i64 = b.getI64Type();
  auto module = program->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(kParallelFor)) {
    OpBuilder top(module.getBody(), module.getBody()->begin());
    auto type = top.getFunctionType({i64, i64, ptr(), ptr()}, {});
    func::FuncOp::create(top, loc, kParallelFor, type).setPrivate();
  }
  Value count = arith::ConstantIndexOp::create(b, loc, 1);
  for (Value extent : tripCounts)
    count = b.createOrFold<arith::MulIOp>(loc, count, extent);
  Value function =
      func::ConstantOp::create(b, loc, body.getFunctionType(), body.getName());
  SmallVector<Value> arguments{
      arith::IndexCastOp::create(b, loc, i64, count),
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(threads)),
      cast(b, function, ptr()), context};
  func::CallOp::create(b, loc, kParallelFor, TypeRange(), arguments);
}

LogicalResult Outliner::run() {
  if (!program->getParentOfType<func::FuncOp>())
    return emitShortOpError(program) << "expected a row program in a function";
  b.setInsertionPoint(program);
  collectCaptures();
  SmallVector<Value> tripCounts = getTripCounts();
  if (tripCounts.size() > 1)
    for (Value count : tripCounts)
      captures.push_back(count);
  if (failed(checkCaptures()))
    return failure();
  Value context = packContext();
  func::FuncOp body = buildBody(tripCounts);
  callPool(body, tripCounts, context);
  program.erase();
  return success();
}

struct NormForallToThreads
    : rudnn::impl::NormForallToThreadsBase<NormForallToThreads> {
  using NormForallToThreadsBase::NormForallToThreadsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (threads >= 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << "expected threads >= 0, got " << int64_t(threads);
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SymbolTable symbols(getOperation());
    // Inner programs first: outer ones take their bodies along.
    SmallVector<scf::ForallOp> programs = getRowPrograms(getOperation());
    for (scf::ForallOp program : llvm::reverse(programs)) {
      if (program.getNumResults() != 0) {
        emitShortOpError(program) << "expected a row program on buffers";
        return signalPassFailure();
      }
      bool isNested = program->getParentOfType<scf::ForallOp>() != nullptr;
      LogicalResult result = success();
      if (threads == 1 || isNested)
        result = scf::forallToForLoop(rewriter, program);
      else
        result = Outliner(program, symbols, threads).run();
      if (failed(result))
        return signalPassFailure();
    }
  }
};

} // namespace
