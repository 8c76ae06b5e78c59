//===- MoveWords.cpp - Copies that LLVM takes for new values --------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MoveWords.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rudnn;

static constexpr int64_t kWordBits = 32;

static int64_t getBits(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() *
         (vector ? vector.getNumElements() : 1);
}

bool rudnn::hasWholeWords(Type type) {
  return getBits(type) % kWordBits == 0 &&
         getElementTypeOrSelf(type).getIntOrFloatBitWidth() <= kWordBits;
}

static ValueRange moveEach(ImplicitLocOpBuilder &b, ValueRange words) {
  std::string code;
  for (size_t i = 0; i < words.size(); ++i)
    code += llvm::formatv("mov.b32 ${0}, ${1};", i, words.size() + i);
  return NVVM::InlinePtxOp::create(b, words.getTypes(), words, ValueRange(),
                                   code, Value())
      .getResults();
}

Value rudnn::moveWords(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return moveEach(b, value).front();
  bool isNarrow = type.getElementTypeBitWidth() < kWordBits;
  auto words = isNarrow ? VectorType::get(getBits(type) / kWordBits,
                                          b.getIntegerType(kWordBits))
                        : type;
  if (isNarrow)
    value = vector::BitCastOp::create(b, words, value);
  ValueRange elements = vector::ToElementsOp::create(b, value).getResults();
  value = vector::FromElementsOp::create(b, words, moveEach(b, elements));
  return isNarrow ? vector::BitCastOp::create(b, type, value).getResult()
                  : value;
}
