//===- GPUChip.h - What blocks of a GPU may use -----------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few figures of a chip that schedules depend on. Limits per block and per
// multiprocessor are those of the compute capability (CUDA C++ Programming
// Guide, "Technical Specifications per Compute Capability"); the number of
// multiprocessors is that of the largest server product of the generation, and
// only how well a grid fits hangs on it.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_DIALECT_NORM_IR_GPUCHIP_H
#define RUDNN_DIALECT_NORM_IR_GPUCHIP_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace rudnn::norm {

/// A chip as schedules see it.
struct GPUChip {
  /// The compute capability times ten: 90 for "sm_90".
  int64_t capability;
  int64_t multiprocessors;
  /// Bytes of shared memory that one block may have, and all blocks of a
  /// multiprocessor together.
  int64_t sharedBytesPerBlock, sharedBytesPerMultiprocessor;
  int64_t threadsPerMultiprocessor;

  static constexpr int64_t kThreadsPerBlock = 1024;
  static constexpr int64_t kWarp = 32;
  /// 32-bit registers of a multiprocessor.
  static constexpr int64_t kRegisters = 65536;
  /// The threads of a block get registers in groups of so many.
  static constexpr int64_t kRegisterGroup = 128;
  /// Bytes of shared memory that each block costs beside its own.
  static constexpr int64_t kReservedBytes = 1024;

  /// Registers of each thread where a multiprocessor holds `blocks` blocks of
  /// `threads`.
  static constexpr int64_t getRegisters(int64_t threads, int64_t blocks = 1) {
    int64_t groups = (threads + kRegisterGroup - 1) / kRegisterGroup;
    return kRegisters / (blocks * groups * kRegisterGroup);
  }
};

/// The first with clusters, and with launches that begin before the one before
/// them ends.
constexpr int64_t kFirstWithClusters = 90, kFirstWithDependentLaunch = 90;

/// All known chips, oldest first.
llvm::ArrayRef<GPUChip> getGPUChips();

/// The chip called `name`, as in "sm_90", "sm_90a" or "sm_100f", or the newest
/// that is older, for one that is not in the list. Null if all are newer, and
/// for another name.
const GPUChip *findGPUChip(llvm::StringRef name);

/// An error that findGPUChip finds none for `name`, with those that there are.
mlir::InFlightDiagnostic
emitUnknownGPUChip(llvm::StringRef name,
                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The chip with the widest limits: what fits nowhere does not fit it.
const GPUChip &getLargestGPUChip();

} // namespace rudnn::norm

#endif // RUDNN_DIALECT_NORM_IR_GPUCHIP_H
