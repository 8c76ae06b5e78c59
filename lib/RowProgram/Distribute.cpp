//===- Distribute.cpp - Row programs to vectors and threads ---------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneBody.h"
#include "VectorDistributor.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMDISTRIBUTE
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

LogicalResult distributeOverVectors(scf::ForallOp program) {
  OpBuilder b(program);
  auto target = scf::ForallOp::create(
      b, program.getLoc(), program.getMixedLowerBound(),
      program.getMixedUpperBound(), program.getMixedStep(), ValueRange(),
      program.getMapping());
  target->setDiscardableAttrs(DictionaryAttr::get(
      b.getContext(), llvm::to_vector(program->getDiscardableAttrs())));
  b.setInsertionPointToStart(target.getBody());
  RowLayout layout;
  layout.lanes = getRowSchedule(program).getVector();
  return cloneBody(program, b, target.getInductionVars(), [&](OpBuilder) {
    return std::make_unique<VectorDistributor>(layout);
  });
}

struct NormDistribute : rudnn::impl::NormDistributeBase<NormDistribute> {
  void runOnOperation() override {
    for (scf::ForallOp program : getRowPrograms(getOperation())) {
      if (program.getNumResults() != 0) {
        emitShortOpError(program) << "expected a row program on buffers";
        return signalPassFailure();
      }
      bool toThreads = getRowSchedule(program).isGPU();
      if (failed(toThreads ? distributeOverThreads(program)
                           : distributeOverVectors(program)))
        return signalPassFailure();
      program.erase();
    }
  }
};

} // namespace
