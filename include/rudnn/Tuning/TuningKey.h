//===- TuningKey.h - What a measured schedule is good for -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_TUNING_TUNINGKEY_H
#define RUDNN_TUNING_TUNINGKEY_H

#include "rudnn/Dialect/Norm/IR/Norm.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace rudnn::tuning {

/// What schedules are measured on. What a question leaves empty may be any.
struct Machine {
  /// The name of a GPU or CPU.
  std::string device;
  /// What is compiled for: "sm_90", or a CPU by LLVM's name. Never empty.
  std::string chip;
  /// The CUDA version of a GPU's driver, which compiles PTX, times 1000.
  int64_t driver = 0;
  /// How many threads of a CPU share the rows.
  int64_t threads = 0;
};

/// As diagnostics name it: "NVIDIA H200 with driver 13000".
std::string describe(const Machine &machine);

/// So many threads, or for 0 one for each hardware thread of this machine, as
/// the run time understands it.
int64_t resolveThreads(int64_t threads);

/// "sm_90" for "sm_90a": one entry serves both. Other names stay.
llvm::StringRef getGenericChip(llvm::StringRef chip);

/// What a measured schedule of `op` depends on, all of it:
///
///   op, inputs, results   its name, element types by name of the operand;
///                         results that are not asked for are not there
///   accumulate            whether it adds to its weight gradient
///   gamma_offset          whether it adds to gamma
///   epsilon               the class of its epsilon: "normal", or "subnormal"
///                         for an f32 that slows arithmetic down; "none"
///   columns, rows         N, or "dynamic"; M rounded up to a power of two
///   dynamic_rows          whether the module does not say M
///   layout                "contiguous"; "expanded" where all rows of an
///                         operand are one; or else "strided" where rows of
///                         one do not follow one another
///   device, chip          the machine
///   driver, threads       of a GPU, and of a CPU
///   rudnn                 our version, of which another makes other code
///
/// `op` is meant as norm-assign-schedule sees it, with rows and columns. `rows`
/// is M where the module does not say; 0: any.
llvm::json::Object makeTuningKey(norm::RowwiseOpInterface op,
                                 const Machine &machine, int64_t rows);

/// Whether an entry of a cache has all of `key`; what is empty or 0 in the key
/// may be any.
bool matches(const llvm::json::Object &entry, const llvm::json::Object &key);

} // namespace rudnn::tuning

#endif // RUDNN_TUNING_TUNINGKEY_H
