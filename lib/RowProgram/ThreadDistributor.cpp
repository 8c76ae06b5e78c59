//===- ThreadDistributor.cpp - Rows over the threads of a block -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadDistributor.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/RowProgram/Alignment.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rudnn;

LogicalResult ThreadDistributor::checkType(VectorType type) {
  if (layout.classify(type) != RowLayout::Kind::Foreign)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected vectors of one row");
  if (layout.rows > 1)
    error << " or of the " << layout.rows << " of a tile";
  return error << ", got " << type;
}

Value ThreadDistributor::both(Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(*b, loc, left, right);
}

Value ThreadDistributor::isFirst(Value place) {
  if (!place)
    return {};
  return arith::CmpIOp::create(*b, loc, arith::CmpIPredicate::eq, place,
                               constantIndex(0));
}

template <typename TransferOp>
FailureOr<ThreadDistributor::Access>
ThreadDistributor::getAccess(TransferOp transfer, Value memref,
                             SmallVector<Value> indices) {
  if (!isa<MemRefType>(transfer.getBase().getType()) || transfer.getMask() ||
      !transfer.getPermutationMap().isMinorIdentity())
    return op->emitOpError("is no plain access to a row");
  return getAccess(transfer.getVectorType(), transfer.getInBoundsValues(),
                   transfer.getBase(), transfer.getIndices(), memref,
                   std::move(indices));
}

Value ThreadDistributor::selectInside(Value inside, Value value,
                                      Value padding) {
  if (!inside)
    return value;
  return arith::SelectOp::create(*b, loc, inside, value,
                                 spread(padding, value.getType()));
}

Value ThreadDistributor::loadPiece(const Access &access, const Piece &piece,
                                   VectorType type, Value padding) {
  auto base = cast<MemRefType>(access.memref.getType());
  bool isOneValue = isSingleColumn(base) || layout.lanes == 1 ||
                    base.getStridesAndOffset().first.back() == 0;
  Operation *load;
  if (isOneValue)
    load = memref::LoadOp::create(*b, loc, access.memref, piece.indices);
  else
    load = vector::LoadOp::create(*b, loc, type, access.memref, piece.indices,
                                  /*nontemporal=*/false,
                                  llvm::MaybeAlign(access.alignment));
  copyCachePolicy(op, load);
  Value value = spread(load->getResult(0), type);
  // Whatever a piece past the columns holds, sums leave it out; only a bound
  // that the row's length does not tell shows in the value.
  if (!access.columnsInBounds)
    value = selectInside(piece.inside, value, padding);
  return options.mixesRows ? selectInside(access.inRows, value, padding)
                           : value;
}

OpDistributor::Result ThreadDistributor::read(vector::TransferReadOp read) {
  SmallVector<Value> indices = scalars(1, read.getIndices().size());
  FailureOr<Access> access = getAccess(read, operand(0), indices);
  if (failed(access))
    return failure();
  Value padding = operand(1 + indices.size());
  clampRows(*access, read.getVectorType());
  if (!access->column) {
    Value value =
        memref::LoadOp::create(*b, loc, access->memref, access->indices);
    if (options.mixesRows)
      value = selectInside(access->inRows, value, padding);
    return SmallVector<Pieces>{{value}};
  }
  if (failed(getColumnStride(cast<MemRefType>(access->memref.getType()))))
    return failure();
  auto type = cast<VectorType>(layout.getPieceType(read.getVectorType()));
  Pieces pieces;
  for (int64_t k = 0; k < layout.getNumPieces(read.getVectorType()); ++k)
    pieces.push_back(loadPiece(*access, getPiece(*access, k, /*clamp=*/true),
                               type, padding));
  return SmallVector<Pieces>{pieces};
}

void ThreadDistributor::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(*b, loc, condition);
  OpBuilder::InsertionGuard guard(*b);
  b->setInsertionPointToStart(branch.thenBlock());
  body();
}

OpDistributor::Result ThreadDistributor::write(vector::TransferWriteOp write) {
  SmallVector<Value> indices = scalars(2, write.getIndices().size());
  FailureOr<Access> access = getAccess(write, operand(1), indices);
  if (failed(access))
    return failure();
  VectorType type = write.getVectorType();
  Value writes = access->inRows;
  if (layout.getRowAxis(type) < 0) // the same value in each row of threads
    writes = both(writes, isFirst(y));
  if (!access->column) {
    emitIf(both(writes, isFirst(x)), [&] {
      memref::StoreOp::create(*b, loc, operand(0), access->memref,
                              access->indices);
    });
    return SmallVector<Pieces>{};
  }
  auto base = cast<MemRefType>(access->memref.getType());
  FailureOr<int64_t> stride = getColumnStride(base);
  if (failed(stride))
    return failure();
  if (*stride == 0 && !isSingleColumn(base))
    return op->emitOpError("writes a row whose columns are one element");
  for (size_t k = 0; k < operands[0].size(); ++k) {
    Piece piece = getPiece(*access, k, /*clamp=*/false);
    emitIf(both(writes, piece.inside), [&] {
      auto store = vector::StoreOp::create(
          *b, loc, operands[0][k], access->memref, piece.indices,
          /*nontemporal=*/false, llvm::MaybeAlign(access->alignment));
      copyCachePolicy(op, store);
    });
  }
  return SmallVector<Pieces>{};
}

/// Combines in the thread, then over the threads of the row.
OpDistributor::Result
ThreadDistributor::reduceAlongRow(vector::MultiDimReductionOp reduction) {
  VectorType source = reduction.getSourceVectorType();
  vector::CombiningKind kind = reduction.getKind();
  int64_t length = source.getDimSize(layout.getColumnAxis(source));
  Type element = source.getElementType();
  TypedAttr neutral = norm::getNeutralElement(kind, element);
  if (!neutral)
    return op->emitOpError("has a kind that threads can't combine");
  Value sum;
  for (auto [k, value] : llvm::enumerate(operands[0])) {
    Value inside = isInsideRow(k, length);
    Value previous = sum;
    if (!previous && inside)
      previous =
          spread(arith::ConstantOp::create(*b, loc, neutral), value.getType());
    Value next = sum ? combine(kind, value, sum) : value;
    // Chosen after the addition: a choice of the term would stand between
    // multiplication and addition, which then are no longer one.
    sum = inside ? selectInside(inside, next, previous) : next;
  }
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract |
               arith::FastMathFlags::nsz;
  Value scalar = vector::ReductionOp::create(*b, loc, kind, sum, flags);
  if (layout.threads > 1)
    scalar = norm::ThreadReduceOp::create(*b, loc, kind, norm::ThreadAxis::x,
                                          layout.rows, layout.getBlockThreads(),
                                          layout.cluster, scalar)
                 .getResult(0);
  Value accumulator = operand(1);
  Attribute constant;
  bool isNeutral =
      matchPattern(accumulator, m_Constant(&constant)) && constant == neutral;
  return SmallVector<Pieces>{
      {isNeutral ? scalar : combine(kind, scalar, accumulator)}};
}

/// Combines over the rows of the tile, and with what was there before.
Pieces ThreadDistributor::reduceOverRows(vector::CombiningKind kind,
                                         Pieces pieces,
                                         const Pieces &accumulators) {
  if (layout.rows > 1) {
    auto reduced = norm::ThreadReduceOp::create(
        *b, loc, kind, norm::ThreadAxis::y, layout.rows,
        layout.getBlockThreads(), /*cluster=*/1, pieces);
    pieces.assign(reduced.result_begin(), reduced.result_end());
  }
  for (auto [piece, accumulator] : llvm::zip_equal(pieces, accumulators))
    piece = combine(kind, accumulator, piece);
  return pieces;
}

OpDistributor::Result
ThreadDistributor::reduce(vector::MultiDimReductionOp reduction) {
  VectorType source = reduction.getSourceVectorType();
  bool alongRow =
      isRow(source) && reduction.isReducedDim(layout.getColumnAxis(source));
  int64_t rowAxis = layout.getRowAxis(source);
  bool overRows = rowAxis >= 0 && reduction.isReducedDim(rowAxis);
  if (alongRow && overRows)
    return op->emitOpError("reduces rows and columns at once");
  if (alongRow)
    return reduceAlongRow(reduction);
  vector::CombiningKind kind = reduction.getKind();
  if (overRows)
    return SmallVector<Pieces>{reduceOverRows(kind, operands[0], operands[1])};
  Pieces sums;
  for (auto [value, accumulator] : llvm::zip_equal(operands[0], operands[1]))
    sums.push_back(combine(kind, accumulator, value));
  return SmallVector<Pieces>{sums};
}

/// Asynchronous copies of 4, 8 or 16 bytes need addresses to match; narrower
/// ones go through registers. Rows that are not there become zeros.
OpDistributor::Result ThreadDistributor::copyRows(norm::CopyRowsOp copy) {
  VectorType type = copy.getVector();
  unsigned sources = copy.getSourceIndices().size();
  SmallVector<Value> from = scalars(1, sources);
  SmallVector<Value> to = scalars(2 + sources, copy.getTargetIndices().size());
  FailureOr<Access> source =
      getAccess(type, copy.getInBounds(), copy.getSource(),
                copy.getSourceIndices(), operand(0), from);
  SmallVector<bool> inBounds(type.getRank(), true);
  FailureOr<Access> target =
      getAccess(type, inBounds, copy.getTarget(), copy.getTargetIndices(),
                operand(1 + sources), to);
  if (failed(source) || failed(target))
    return failure();
  clampRows(*source, type);
  auto pieceType = cast<VectorType>(layout.getPieceType(type));
  int64_t bytes = layout.lanes * type.getElementTypeBitWidth() / 8;
  bool async = bytes >= 4 && bytes <= kWideAccess &&
               source->alignment % bytes == 0 && target->alignment % bytes == 0;
  Value zero =
      arith::ConstantOp::create(*b, loc, b->getZeroAttr(type.getElementType()));
  for (int64_t k = 0; k < layout.getNumPieces(type); ++k) {
    Piece read = getPiece(*source, k, /*clamp=*/true);
    Piece write = getPiece(*target, k, /*clamp=*/false);
    if (async) {
      startCopy(*source, read, *target, write);
      continue;
    }
    Value value = loadPiece(*source, read, pieceType, zero);
    value = selectInside(both(source->inRows, read.inside), value, zero);
    vector::StoreOp::create(*b, loc, value, target->memref, write.indices,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(target->alignment));
  }
  return SmallVector<Pieces>{};
}

Operation *ThreadDistributor::cloneAllocation(OpBuilder &builder,
                                              memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return OpDistributor::cloneAllocation(builder, alloc);
  SmallVector<int64_t> shape(type.getShape());
  int64_t step = layout.getBlockThreads() * layout.lanes;
  shape.back() = llvm::divideCeil(shape.back(), step * layout.cluster) * step;
  return memref::AllocOp::create(builder, alloc.getLoc(), type.clone(shape),
                                 alloc.getAlignmentAttr());
}

void ThreadDistributor::startCopy(const Access &source, const Piece &read,
                                  const Access &target, const Piece &write) {
  Value count;
  if (Value exists = both(source.inRows, read.inside))
    count = arith::SelectOp::create(
        *b, loc, exists, constantIndex(layout.lanes), constantIndex(0));
  int64_t bytes =
      cast<MemRefType>(source.memref.getType()).getElementTypeBitWidth() / 8;
  // Only copies of 16 bytes can pass by the L1 cache.
  bool isWide = layout.lanes * bytes == kWideAccess;
  nvgpu::DeviceAsyncCopyOp::create(
      *b, loc, nvgpu::DeviceAsyncTokenType::get(b->getContext()), target.memref,
      write.indices, source.memref, read.indices, b->getIndexAttr(layout.lanes),
      count, isWide ? b->getUnitAttr() : UnitAttr());
}

/// Puts columns into a longer row, where they are whole pieces of threads.
OpDistributor::Result
ThreadDistributor::insert(vector::InsertStridedSliceOp insertion) {
  VectorType type = insertion.getSourceVectorType();
  int64_t width = layout.threads * layout.lanes;
  int64_t begin = cast<IntegerAttr>(
                      insertion.getOffsets()[insertion.getOffsets().size() - 1])
                      .getInt();
  if (!isRow(type) || layout.getColumnAxis(type) != type.getRank() - 1 ||
      begin % width != 0)
    return op->emitOpError("expected to insert columns from a multiple of ")
           << width << " on, got " << type << " at " << begin;
  Pieces pieces = operands[1];
  llvm::copy(operands[0], pieces.begin() + begin / width);
  return SmallVector<Pieces>{pieces};
}

OpDistributor::Result ThreadDistributor::other(Operation *op) {
  if (auto copy = dyn_cast<norm::CopyRowsOp>(op))
    return copyRows(copy);
  if (auto insertion = dyn_cast<vector::InsertStridedSliceOp>(op))
    return insert(insertion);
  return OpDistributor::other(op);
}

/// Numbers the rows of the tile, which are those of the threads, or the
/// columns.
OpDistributor::Result ThreadDistributor::step(vector::StepOp step) {
  if (isPerRow(step.getType()))
    return SmallVector<Pieces>{
        {layout.getRowAxis(step.getType()) < 0 ? constantIndex(0) : y}};
  auto type = cast<VectorType>(layout.getPieceType(step.getType()));
  Value lanes = vector::StepOp::create(*b, loc, type);
  Pieces pieces;
  for (int64_t k = 0; k < layout.getNumPieces(step.getType()); ++k)
    pieces.push_back(
        arith::AddIOp::create(*b, loc, lanes, spread(getColumn(k), type)));
  return SmallVector<Pieces>{pieces};
}
