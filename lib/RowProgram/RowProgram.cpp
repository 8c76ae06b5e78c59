//===- RowProgram.cpp - Finding row programs ------------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/RowProgram/RowProgram.h"

using namespace mlir;
using namespace rudnn;

norm::ScheduleAttr rudnn::getRowSchedule(scf::ForallOp loop) {
  return loop->getAttrOfType<norm::ScheduleAttr>(
      norm::NormDialect::kScheduleAttrName);
}

void rudnn::copyCachePolicy(Operation *from, Operation *to) {
  if (Attribute policy =
          from->getDiscardableAttr(norm::NormDialect::kCacheAttrName))
    to->setDiscardableAttr(norm::NormDialect::kCacheAttrName, policy);
  if (Attribute again = from->getDiscardableAttr(kSecondReadAttrName))
    to->setDiscardableAttr(kSecondReadAttrName, again);
}

SmallVector<scf::ForallOp> rudnn::getRowPrograms(Operation *root) {
  SmallVector<scf::ForallOp> loops;
  root->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
    if (getRowSchedule(loop))
      loops.push_back(loop);
  });
  return loops;
}
