//===- CPUPipeline.cpp - From norm ops to the LLVM dialect ----------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/CPU/Passes.h"
#include "rudnn/Dialect/Norm/Transforms/Bufferization.h"
#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/Pipelines/RegisterPipeline.h"
#include "rudnn/RowProgram/Passes.h"
#include "rudnn/Tuning/TuningKey.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rudnn;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void rudnn::buildPrepareStage(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(norm::createNormMarkReadOnly());
  pm.addPass(createNormElementwiseToLinalg());
  pm.addPass(createCanonicalizerPass());
  // Sizes that only a run knows are checked before anything is written.
  pm.addPass(createGenerateRuntimeVerificationPass());
  addCleanup(pm);
  pm.addPass(norm::createNormCopyStrided());
  pm.addPass(norm::createNormCollapseRows());
  pm.addPass(norm::createNormMemRefToTensor());
  // Makes one tensor of a memref that is an input and a destination.
  pm.addPass(createCSEPass());
  // While an op is one op, and not yet a choice of two or a loop, what its
  // result goes to is easy to see.
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
}

void rudnn::buildNormToRowProgramStage(OpPassManager &pm,
                                       const CPUPipelineOptions &options,
                                       const CPUTarget &target) {
  buildPrepareStage(pm);
  norm::NormAssignScheduleOptions schedule;
  schedule.vectorBits =
      options.vectorBits != 0 ? int64_t(options.vectorBits) : target.vectorBits;
  schedule.unroll = options.unroll;
  schedule.parts = options.parts;
  schedule.prefetch = options.prefetch;
  schedule.nontemporal = options.nontemporal;
  schedule.cacheBytes = target.cacheBytes;
  schedule.tuningCache = options.tuningCache;
  schedule.tuningRows = options.tuningRows;
  schedule.tuningDevice = target.cpu;
  schedule.tuningThreads = tuning::resolveThreads(options.threads);
  pm.addPass(norm::createNormAssignSchedule(schedule));
  pm.addPass(norm::createNormTile());
  pm.addPass(norm::createNormDecompose());
  addCleanup(pm);
}

void rudnn::buildVectorizeStage(OpPassManager &pm) {
  pm.addPass(createNormStripMine());
  addCleanup(pm);
  pm.addPass(createNormVectorize());
  addCleanup(pm);
}

void rudnn::buildBufferizeStage(OpPassManager &pm) {
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  norm::addOneShotBufferize(pm);
  addCleanup(pm);
  pm.addPass(createNormFoldReshapes());
  pm.addPass(createNormDropReturnedArguments());
  pm.addPass(createNormSinkCopies());
  // Copies of a buffer to itself are seen once equal views are one.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createNormFoldViews());
  addCleanup(pm);
  pm.addPass(createNormMarkDeallocations());
  bufferization::buildBufferDeallocationPipeline(
      pm, bufferization::BufferDeallocationPipelineOptions());
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void rudnn::buildDistributeStage(OpPassManager &pm,
                                 const CPUPipelineOptions &options,
                                 const CPUTarget &target) {
  pm.addPass(createNormDistribute());
  addCleanup(pm);
  buildScalarLoopsStage(pm);
  pm.addPass(createNormPrefetchRows());
  pm.addPass(createNormStoreNonTemporal());
  bool expandBF16 = !target.nativeBF16 || options.bf16Denormals;
  if (expandBF16 || !target.nativeF16)
    pm.addPass(createNormExpandConversions(
        NormExpandConversionsOptions{expandBF16, !target.nativeF16}));
  pm.addPass(
      createNormForallToThreads(NormForallToThreadsOptions{options.threads}));
  addCleanup(pm);
}

void rudnn::buildToControlFlowStage(OpPassManager &pm) {
  pm.addPass(createForallToForLoopPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(affine::createAffineExpandIndexOpsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  addCleanup(pm);
}

void rudnn::buildToLLVMStage(OpPassManager &pm) {
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createNormMoveFloatsAsIntegers());
  pm.addPass(createNormCheckLowered());
}

void rudnn::buildNormToCPUPipeline(OpPassManager &pm,
                                   const CPUPipelineOptions &options,
                                   const CPUTarget &target) {
  buildNormToRowProgramStage(pm, options, target);
  buildVectorizeStage(pm);
  buildBufferizeStage(pm);
  buildDistributeStage(pm, options, target);
  buildToControlFlowStage(pm);
  buildToLLVMStage(pm);
}

static llvm::Error buildChecked(OpPassManager &pm,
                                const CPUPipelineOptions &options) {
  llvm::Expected<CPUTarget> target = getCPUTarget(options.mcpu);
  if (!target)
    return target.takeError();
  buildNormToCPUPipeline(pm, options, *target);
  return llvm::Error::success();
}

void rudnn::registerPipelines() {
  registerPipeline<CPUPipelineOptions>(
      "norm-to-cpu", "Lower norm ops to the LLVM dialect for a CPU",
      buildChecked);
}
