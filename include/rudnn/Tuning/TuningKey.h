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

/// What schedules are measured on.
struct Machine {
  /// The name of a GPU or CPU; empty in a question: any with this chip.
  std::string device;
  /// What is compiled for: "sm_90", or a CPU by LLVM's name.
  std::string chip;
};

/// "sm_90" for "sm_90a": one entry serves both. Other names stay.
llvm::StringRef getGenericChip(llvm::StringRef chip);

/// What a measured schedule of `op` depends on, all of it:
///
///   op, inputs, results   its name, element types by name of the operand;
///                         results that are not asked for are not there
///   accumulate            whether it adds to its weight gradient
///   columns, rows         N, and M rounded up to a power of two; "dynamic"
///   layout                "contiguous", or "strided" where rows of an operand
///                         do not follow one another
///   device, chip          the machine
///   rudnn                 our version, of which another makes other code
///
/// `op` is meant as norm-assign-schedule sees it, with rows and columns.
llvm::json::Object makeTuningKey(norm::RowwiseOpInterface op,
                                 const Machine &machine);

/// Whether an entry of a cache has all of `key`; a device that the key leaves
/// empty may be any.
bool matches(const llvm::json::Object &entry, const llvm::json::Object &key);

} // namespace rudnn::tuning

#endif // RUDNN_TUNING_TUNINGKEY_H
