//===- InitAll.h - One registration for every tool -------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each RuDNN tool, the plugin and C++ users register: the norm dialect,
// its passes and pipelines, and the upstream dialects, extensions and passes
// that the pipelines use. One list, in lib/InitAll.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_INITALL_H
#define RUDNN_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace rudnn {

/// The norm dialect and the upstream dialects of the pipelines.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Interface implementations attached from outside a dialect: bufferization,
/// tiling, subsets, conversion to LLVM.
void registerAllExtensions(mlir::DialectRegistry &registry);

/// Translations of the dialects that reach LLVM IR.
void registerAllToLLVMIRTranslations(mlir::DialectRegistry &registry);

/// The norm passes and pipelines, and the upstream passes that one runs by
/// hand between them.
void registerAllPasses();

} // namespace rudnn

#endif // RUDNN_INITALL_H
