//===- GPUPipeline.cpp - From norm ops to kernels -------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/Transforms/Passes.h"
#include "rudnn/GPU/Passes.h"
#include "rudnn/Pipelines/Pipelines.h"
#include "rudnn/RowProgram/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rudnn;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void rudnn::buildNormToRowProgramStage(OpPassManager &pm,
                                       const GPUPipelineOptions &options) {
  pm.addPass(createNormCheckGPUOperands());
  buildPrepareStage(pm);
  norm::NormAssignScheduleOptions schedule;
  schedule.target = norm::ScheduleTarget::GPU;
  schedule.chip = options.chip;
  schedule.set = options.set;
  schedule.database = options.database;
  schedule.tuningCache = options.tuningCache;
  schedule.tuningRows = options.tuningRows;
  schedule.tuningDevice = options.tuningDevice;
  schedule.tuningDriver = options.tuningDriver;
  pm.addPass(norm::createNormAssignSchedule(schedule));
  pm.addPass(norm::createNormAddFallbacks({options.chip}));
  pm.addPass(norm::createNormTile());
  pm.addPass(norm::createNormDecompose());
  addCleanup(pm);
}

void rudnn::buildStageRowsStage(OpPassManager &pm) {
  pm.addPass(createNormDeferRowSums());
  pm.addPass(createNormMultiplyEarly());
  pm.addPass(createNormStageRows());
  pm.addPass(createNormPlaceColumns());
  pm.addPass(createNormReloadRows());
  pm.addPass(createNormCarryRows());
  pm.addPass(createNormSetCachePolicies());
  addCleanup(pm);
}

void rudnn::buildThreadsStage(OpPassManager &pm) {
  pm.addPass(createNormVersionAlignment());
  pm.addPass(createNormDistribute());
  addCleanup(pm);
  pm.addPass(createNormOrderPieces());
  pm.addPass(createNormLowerThreadReduce());
  addCleanup(pm);
  pm.addPass(createNormWidenByShift());
  pm.addPass(createNormFuseLaunches());
  pm.addPass(createNormOverlapLaunches());
  addCleanup(pm);
}

void rudnn::buildKernelsStage(OpPassManager &pm) {
  pm.addPass(createNormOutlineKernels());
  pm.addPass(createNormAllocateSharedMemory());
  addCleanup(pm);
}

void rudnn::buildNormToGPUPipeline(OpPassManager &pm,
                                   const GPUPipelineOptions &options) {
  buildNormToRowProgramStage(pm, options);
  buildVectorizeStage(pm);
  buildBufferizeStage(pm);
  buildStageRowsStage(pm);
  buildThreadsStage(pm);
  buildKernelsStage(pm);
}
