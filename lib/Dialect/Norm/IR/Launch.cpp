//===- Launch.cpp - Programs that are to be one launch --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Launch.h"

#include "rudnn/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace rudnn::norm;

DistinctAttr rudnn::norm::getLaunch(Operation *op) {
  return op->getAttrOfType<DistinctAttr>(NormDialect::kLaunchAttrName);
}

void rudnn::norm::copyLaunch(Operation *from, Operation *to) {
  if (DistinctAttr launch = getLaunch(from))
    to->setDiscardableAttr(NormDialect::kLaunchAttrName, launch);
}

/// New memory is nobody else's yet.
static bool touchesMemory(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !isMemoryEffectFree(op) &&
         !(effects && effects.onlyHasEffect<MemoryEffects::Allocate>());
}

bool rudnn::norm::bringTogether(Operation *first, Operation *second) {
  if (!getLaunch(first) || getLaunch(first) != getLaunch(second) ||
      first->getBlock() != second->getBlock())
    return false;
  if (std::any_of(std::next(first->getIterator()), second->getIterator(),
                  [](Operation &op) { return touchesMemory(&op); }))
    return false;
  first->moveBefore(second);
  return true;
}
