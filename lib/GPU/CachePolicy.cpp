//===- CachePolicy.cpp - How PTX spells a cache policy --------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CachePolicy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace rudnn;

ArrayRef<StringLiteral> rudnn::getCachePolicyNames() {
  return norm::findScheduleField("store")->keywords;
}

std::optional<CachePolicy> rudnn::parseCachePolicy(StringRef name) {
  ArrayRef<StringLiteral> names = getCachePolicyNames();
  const StringLiteral *found = find(names, name);
  if (found == names.end())
    return std::nullopt;
  return CachePolicy(found - names.begin());
}

StringRef rudnn::getL2Policy(CachePolicy policy) {
  switch (policy) {
  case CachePolicy::EvictFirst:
    return "evict_first";
  case CachePolicy::EvictLast:
    return "evict_last";
  case CachePolicy::Normal:
  case CachePolicy::NoAllocate:
  case CachePolicy::Streaming:
    return "";
  }
  llvm_unreachable("unknown policy");
}

unsigned rudnn::getOldestPTX(CachePolicy policy) {
  bool isOperator =
      policy == CachePolicy::Normal || policy == CachePolicy::Streaming;
  return isOperator ? 10 : 74;
}

/// What stands between "ld.global" or "st.global" and the type.
static StringRef getModifiers(CachePolicy policy) {
  switch (policy) {
  case CachePolicy::Normal:
    return "";
  case CachePolicy::EvictFirst:
    return ".L1::evict_first.L2::cache_hint";
  case CachePolicy::EvictLast:
    return ".L1::evict_last.L2::cache_hint";
  case CachePolicy::NoAllocate:
    return ".L1::no_allocate";
  case CachePolicy::Streaming:
    return ".cs";
  }
  llvm_unreachable("unknown policy");
}

static std::string getType(unsigned words, unsigned bits) {
  std::string type = words == 1 ? "" : ".v" + std::to_string(words);
  return type + ".b" + std::to_string(bits);
}

/// Operands `first` to `first + words - 1`, in braces if there are several.
static std::string getRegisters(unsigned first, unsigned words) {
  std::string text = "$" + std::to_string(first);
  for (unsigned i = 1; i < words; ++i)
    text += ", $" + std::to_string(first + i);
  return words == 1 ? text : "{" + text + "}";
}

/// The operand for the L2 policy, which is number `index`.
static std::string getL2Operand(CachePolicy policy, unsigned index) {
  return getL2Policy(policy).empty() ? "" : ", $" + std::to_string(index);
}

std::string rudnn::getLoadInstruction(CachePolicy policy, bool isReadOnly,
                                      unsigned words, unsigned bits) {
  bool isCoherent = !isReadOnly || policy != CachePolicy::NoAllocate;
  return "ld.global" + std::string(isCoherent ? "" : ".nc") +
         getModifiers(policy).str() + getType(words, bits) + " " +
         getRegisters(0, words) + ", [$" + std::to_string(words) + "]" +
         getL2Operand(policy, words + 1) + ";";
}

std::string rudnn::getStoreInstruction(CachePolicy policy, unsigned words,
                                       unsigned bits) {
  return "st.global" + getModifiers(policy).str() + getType(words, bits) +
         " [$0], " + getRegisters(1, words) + getL2Operand(policy, words + 1) +
         ";";
}
