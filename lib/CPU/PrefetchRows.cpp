//===- PrefetchRows.cpp - Request the next rows -===//
//
// Part of the RuDNN project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// The loads of rows that `program` does not write, by buffer, of the last
/// loop that reads the buffer: earlier ones find the lines requested there.
SmallVector<SmallVector<vector::LoadOp>> collectLoads(scf::ForallOp program) {
  DenseSet<Value> written;
  program.walk([&](vector::StoreOp store) { written.insert(store.getBase()); });
  llvm::MapVector<Value, SmallVector<vector::LoadOp>> loads;
  program.walk([&](vector::LoadOp load) {
    Value base = load.getBase();
    if (load.getMemRefType().getRank() < 2 || written.contains(base) ||
        !program.isDefinedOutsideOfLoop(base) ||
        !isa<scf::ForOp>(load->getParentOp()))
      return;
    SmallVector<vector::LoadOp> &last = loads[base];
    if (!last.empty() && last.back()->getBlock() != load->getBlock())
      last.clear();
    last.push_back(load);
  });
  return llvm::map_to_vector(loads, [](auto &entry) { return entry.second; });
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

struct NormPrefetchRows : rudnn::impl::NormPrefetchRowsBase<NormPrefetchRows> {
  void runOnOperation() override {
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      int64_t rows = getRowSchedule(program).getPrefetch();
      if (rows == 0)
        continue;
      SmallVector<SmallVector<vector::LoadOp>> buffers = collectLoads(program);
      for (SmallVector<vector::LoadOp> &loads : buffers) {
        VectorType type = loads.front().getVectorType();
        int64_t bytes =
            type.getNumElements() * type.getElementTypeBitWidth() / 8;
        int64_t stride = std::max<int64_t>(1, kLineBytes / bytes);
        for (int64_t i = 0; i < int64_t(loads.size()); i += stride)
          prefetch(loads[i], rows);
      }
    }
  }
};

} // namespace
