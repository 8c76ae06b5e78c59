//===- LaunchFormula.h - Host values as text --------------------*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_LIB_GPU_LAUNCHFORMULA_H
#define RUDNN_LIB_GPU_LAUNCHFORMULA_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <string>

namespace rudnn {

/// Writes values that the host computes for a launch as formulas over what the
/// launch gives the kernel, so that another program can compute them.
///
/// A formula is an expression in C over 64-bit integers, with parentheses round
/// each operation: `+ - * / % < <= > >= == != && || ! & | ^ ?:`, the functions
/// `min`, `max`, `ceildiv`, `floordiv`, `mod`, and names: `argN` is kernel
/// argument N if it is a scalar; of a buffer, `argN.pointer`, `argN.offset`,
/// `argN.sizeD`, `argN.strideD` (in elements, of axis D). `host.argN...` is the
/// same of an argument of the function that launches, where the kernel is not
/// given the buffer.
class LaunchFormula {
public:
  explicit LaunchFormula(mlir::gpu::LaunchFuncOp launch) : launch(launch) {}

  /// The formula of an integer; an error names the op that has none.
  mlir::FailureOr<std::string> get(mlir::Value value);

  /// The name of a buffer, as in "arg0" or "host.arg2"; empty if it has none.
  std::string getBufferName(mlir::Value memref);

private:
  mlir::FailureOr<std::string> getOp(mlir::Operation *op, mlir::Value value);
  mlir::FailureOr<std::string>
  getProperty(mlir::Value memref, const llvm::Twine &property, int64_t known);
  mlir::FailureOr<std::string>
  getMetadata(mlir::memref::ExtractStridedMetadataOp metadata,
              mlir::OpResult result);
  mlir::FailureOr<std::string> getAffine(mlir::AffineExpr expr,
                                         mlir::ValueRange dims,
                                         mlir::ValueRange symbols);
  mlir::FailureOr<std::string> getBufferFact(mlir::Operation *op,
                                             mlir::Value value);
  mlir::FailureOr<std::string> getChoice(mlir::Value condition, mlir::Value yes,
                                         mlir::Value no);
  mlir::FailureOr<std::string> getBinary(llvm::StringRef symbol,
                                         mlir::Value lhs, mlir::Value rhs);
  mlir::FailureOr<std::string> getCall(llvm::StringRef name, mlir::Value lhs,
                                       mlir::Value rhs);

  mlir::gpu::LaunchFuncOp launch;
};

} // namespace rudnn

#endif // RUDNN_LIB_GPU_LAUNCHFORMULA_H
