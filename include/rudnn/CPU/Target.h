//===- Target.h - What a CPU can do ----------------------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_CPU_TARGET_H
#define RUDNN_CPU_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace rudnn {

/// A CPU as the lowering and LLVM's code generator see it.
struct CPUTarget {
  std::string cpu;           ///< LLVM's name of it
  std::string features;      ///< LLVM's feature string, "+avx2,-avx512f,..."
  unsigned vectorBits = 128; ///< width of the vectors to use, in bits
  int64_t cacheBytes = 32 << 20; ///< size of the last cache, a guess if unknown
  bool nativeBF16 = false;       ///< converts f32 to bf16 in hardware
  bool nativeF16 = false;        ///< converts between f32 and f16 in hardware
};

/// The CPU called `mcpu` (a name that LLVM knows for the host's architecture),
/// or the host itself for "" and "native". An unknown name is an error that
/// says it.
llvm::Expected<CPUTarget> getCPUTarget(llvm::StringRef mcpu);

/// A vector extension that code for `target` may use and the host lacks, as
/// LLVM calls it ("avx512f"); empty if the code runs here.
std::string findExtensionHostLacks(const CPUTarget &target);

} // namespace rudnn

#endif // RUDNN_CPU_TARGET_H
