//===- Assembler.h - PTX to machine code by NVIDIA's tools ------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_ASSEMBLER_H
#define RUDNN_LIB_GPU_ASSEMBLER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace rudnn {

/// What a kernel takes of a multiprocessor, as ptxas reports it.
struct KernelUsage {
  int64_t registers = 0;       ///< per thread
  int64_t sharedBytes = 0;     ///< per block, without dynamic shared memory
  int64_t stackBytes = 0;      ///< per thread
  int64_t spillStoreBytes = 0; ///< per thread
  int64_t spillLoadBytes = 0;  ///< per thread
};

/// What to assemble for, and with which tools.
struct AssemblerOptions {
  std::string chip;      ///< "sm_90"
  std::string toolkit;   ///< prefix of a CUDA toolkit; "" looks for the tools
  unsigned optLevel = 3; ///< of ptxas, 0 to 3
  bool fatbin = false;   ///< make a fat binary of cubin and PTX
};

struct AssembledCode {
  llvm::SmallVector<char, 0> object;
  llvm::StringMap<KernelUsage> usage; ///< by the kernel's name
  std::string warnings;               ///< of ptxas, a line each
};

/// Runs ptxas, and fatbinary if `options` say so. They are those in
/// `toolkit`/bin or, if no toolkit is named, those in PATH, in CUDA_ROOT,
/// CUDA_HOME, CUDA_PATH or /usr/local/cuda. What the tools complain of is in
/// the error.
llvm::Expected<AssembledCode> assemblePTX(llvm::StringRef ptx,
                                          const AssemblerOptions &options);

} // namespace rudnn

#endif // RUDNN_LIB_GPU_ASSEMBLER_H
