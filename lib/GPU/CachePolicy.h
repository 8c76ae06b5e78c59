//===- CachePolicy.h - How PTX spells a cache policy ------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_CACHEPOLICY_H
#define RUDNN_LIB_GPU_CACHEPOLICY_H

#include "rudnn/Dialect/Norm/IR/Schedule.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace rudnn {

using norm::CachePolicy;

/// The names of the policies, as a schedule has them.
llvm::ArrayRef<llvm::StringLiteral> getCachePolicyNames();

/// The policy called `name`.
std::optional<CachePolicy> parseCachePolicy(llvm::StringRef name);

/// "evict_first" or "evict_last" where `policy` also needs an L2 policy, made
/// by createpolicy and given to each access as its last operand.
llvm::StringRef getL2Policy(CachePolicy policy);

/// The oldest PTX that has `policy`, times ten.
unsigned getOldestPTX(CachePolicy policy);

/// The instruction that loads or stores `words` registers of `bits` bits. With
/// `isReadOnly`, nothing writes the memory while the kernel runs. Operands are
/// numbered as `nvvm.inline_ptx` does: results, address, values, L2 policy.
std::string getLoadInstruction(CachePolicy policy, bool isReadOnly,
                               unsigned words, unsigned bits);
std::string getStoreInstruction(CachePolicy policy, unsigned words,
                                unsigned bits);

} // namespace rudnn

#endif // RUDNN_LIB_GPU_CACHEPOLICY_H
