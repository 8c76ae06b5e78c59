//===- PrefetchRows.cpp - Request the next rows ---------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMPREFETCHROWS
#include "rudnn/CPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

constexpr int64_t kLineBytes = 64;

/// The loads of one buffer's rows, loop by loop.
using LoopLoads = SmallVector<SmallVector<vector::LoadOp>>;

/// The loads of rows that `program` reads and does not write, by buffer.
llvm::MapVector<Value, LoopLoads> collectLoads(scf::ForallOp program) {
  DenseSet<Value> written;
  program.walk([&](vector::StoreOp store) { written.insert(store.getBase()); });
  llvm::MapVector<Value, LoopLoads> loads;
  program.walk([&](vector::LoadOp load) {
    Value base = load.getBase();
    if (load.getMemRefType().getRank() < 2 || written.contains(base) ||
        !program.isDefinedOutsideOfLoop(base) ||
        !isa<scf::ForOp>(load->getParentOp()))
      return;
    LoopLoads &loops = loads[base];
    if (loops.empty() || loops.back().back()->getBlock() != load->getBlock())
      loops.emplace_back();
    loops.back().push_back(load);
  });
  return loads;
}

void prefetch(vector::LoadOp load, int64_t rows) {
  OpBuilder b(load);
  Location loc = load.getLoc();
  SmallVector<Value> indices(load.getIndices());
  Value &row = indices[indices.size() - 2];
  row = arith::AddIOp::create(b, loc, row,
                              arith::ConstantIndexOp::create(b, loc, rows));
  memref::PrefetchOp::create(b, loc, load.getBase(), indices,
                             /*isWrite=*/false, /*localityHint=*/2,
                             /*isDataCache=*/true);
}

int64_t getVectorBytes(vector::LoadOp load) {
  VectorType type = load.getVectorType();
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// Each loop over the row requests its share of the lines of a step, so that
/// requests are spread over the whole time that a row takes.
void prefetchShare(LoopLoads &loops, int64_t rows) {
  size_t widest = 0;
  for (const SmallVector<vector::LoadOp> &loads : loops)
    widest = std::max(widest, loads.size());
  llvm::erase_if(loops, [&](const auto &l) { return l.size() < widest; });
  int64_t perLine =
      std::max<int64_t>(1, kLineBytes / getVectorBytes(loops[0][0]));
  for (size_t i = 0; i < widest; i += perLine)
    prefetch(loops[(i / perLine) % loops.size()][i], rows);
}

struct NormPrefetchRows : rudnn::impl::NormPrefetchRowsBase<NormPrefetchRows> {
  void runOnOperation() override {
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      int64_t rows = getRowSchedule(program).getPrefetch();
      if (rows == 0)
        continue;
      auto buffers = collectLoads(program);
      for (auto &entry : buffers)
        prefetchShare(entry.second, rows);
    }
  }
};

} // namespace
