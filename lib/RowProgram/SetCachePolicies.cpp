//===- SetCachePolicies.cpp - How accesses to rows treat the caches -------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "rudnn/RowProgram/Passes.h"
#include "rudnn/RowProgram/RowProgram.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMSETCACHEPOLICIES
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

/// Sets the policy that the schedule's field `field` asks for.
void setPolicy(Operation *op, const norm::Schedule &schedule, StringRef field) {
  const norm::ScheduleField *entry = norm::findScheduleField(field);
  int64_t policy = schedule.*entry->member;
  if (policy != int64_t(norm::CachePolicy::Normal))
    op->setDiscardableAttr(
        norm::NormDialect::kCacheAttrName,
        StringAttr::get(op->getContext(), entry->keywords[policy]));
}

void setPolicies(scf::ForallOp program) {
  const norm::Schedule &schedule = getRowSchedule(program).getValue();
  RowAccesses accesses(program);
  auto isOutside = [&](Value memref) {
    return program.isDefinedOutsideOfLoop(getRoot(memref, program));
  };
  llvm::SmallDenseSet<Block *> blocks;
  program.walk([&](vector::TransferReadOp read) {
    if (!accesses.isOfRows(read) || !isOutside(read.getBase()))
      return;
    bool again = read->hasAttr(kSecondReadAttrName);
    setPolicy(read, schedule, again ? "second_read" : "first_read");
    blocks.insert(read->getBlock());
  });
  // Sums over rows are stored elsewhere, and soon read again.
  program.walk([&](vector::TransferWriteOp write) {
    if (accesses.isOfRows(write) && blocks.contains(write->getBlock()) &&
        isOutside(write.getBase()))
      setPolicy(write, schedule, "store");
  });
}

struct NormSetCachePolicies
    : rudnn::impl::NormSetCachePoliciesBase<NormSetCachePolicies> {
  void runOnOperation() override {
    for (scf::ForallOp program : getThreadPrograms(getOperation()))
      setPolicies(program);
  }
};

} // namespace
