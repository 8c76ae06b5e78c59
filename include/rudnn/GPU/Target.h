//===- Target.h - What an NVIDIA GPU is called and can do -------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_GPU_TARGET_H
#define RUDNN_GPU_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace rudnn {

/// An NVIDIA GPU as the lowering, LLVM's code generator and ptxas see it.
struct NVVMTarget {
  std::string chip;     ///< "sm_90", as LLVM and ptxas call it
  std::string features; ///< LLVM's feature string, one PTX version: "+ptx80"
  unsigned capability;  ///< compute capability times ten: 80, 90, 100
  unsigned ptxVersion;  ///< version of the PTX to write times ten: 80 is 8.0
};

/// The GPU called `chip` ("sm_80" or newer, with an optional "a" or "f").
/// `features` names the PTX version to write ("+ptx80"); left empty, it is 8.0,
/// or the oldest that has the chip where that is newer. Another chip, another
/// feature, or a PTX version that does not have the chip is an error that says
/// what was expected and what came.
llvm::Expected<NVVMTarget> getNVVMTarget(llvm::StringRef chip,
                                         llvm::StringRef features = "");

} // namespace rudnn

#endif // RUDNN_GPU_TARGET_H
