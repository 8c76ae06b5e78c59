//===- Manifest.h - How to launch a kernel, as JSON -------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_MANIFEST_H
#define RUDNN_LIB_GPU_MANIFEST_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/JSON.h"

namespace rudnn {

/// Everything that a program must know to launch a kernel by cuLaunchKernel,
/// from its description in a gpu.object and from its launches. A launch whose
/// parameters have no formula is an error.
mlir::FailureOr<llvm::json::Object>
makeManifest(mlir::gpu::KernelMetadataAttr kernel, llvm::json::Array code,
             llvm::ArrayRef<mlir::gpu::LaunchFuncOp> launches,
             mlir::Location loc);

} // namespace rudnn

#endif // RUDNN_LIB_GPU_MANIFEST_H
