//===- ReferencePipeline.cpp - a module to LLVM by way of the reference ---===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Reference/Passes.h"

#include "rudnn/CPU/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Bufferization.h"
#include "rudnn/Dialect/Norm/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addBufferization(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(rudnn::norm::createNormMarkReadOnly());
  pm.addPass(rudnn::createNormElementwiseToLinalg());
  pm.addPass(rudnn::norm::createNormCopyStrided());
  rudnn::norm::addOneShotBufferize(pm);
  // A buffer that loops only hand round is the argument it began as again.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  // Reshapes with several dynamic sizes crash upstream's lowering.
  pm.addPass(rudnn::createNormFoldReshapes());
  pm.addPass(rudnn::createNormDropReturnedArguments());
  pm.addPass(rudnn::createNormMarkDeallocations());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

static void addStructuredLowering(OpPassManager &pm) {
  rudnn::buildScalarLoopsStage(pm);
  pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

static void addConversionToLLVM(OpPassManager &pm) {
  arith::ArithExpandOpsPassOptions expand;
  // Not every machine, and not every run-time library, converts bf16.
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void rudnn::reference::buildReferencePipeline(OpPassManager &pm) {
  pm.addPass(createNormDropMemorySpaces());
  addBufferization(pm);
  pm.addPass(createNormToReference());
  addStructuredLowering(pm);
  addConversionToLLVM(pm);
}
