//===- Pipelines.h - From norm ops to machine code ----------*- C++ -* -===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_PIPELINES_PIPELINES_H
#define RUDNN_PIPELINES_PIPELINES_H

#include "rudnn/CPU/Target.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace rudnn {

/// Options of pipelines that use measured schedules.
struct TuningCacheOptions : virtual mlir::detail::PassOptions {
  Option<std::string> tuningCache{
      *this, "tuning-cache", llvm::cl::init(""),
      llvm::cl::desc("File with schedules that rudnn-runner --tune has "
                     "measured, to use in place of chosen ones")};
  Option<int64_t> tuningRows{
      *this, "tuning-rows", llvm::cl::init(0),
      llvm::cl::desc("Number of rows that are meant where the module does not "
                     "say it; 0: any")};
};

/// Options of the pipeline `norm-to-cpu`. What is left out follows from the
/// target and the op; a schedule on an op goes before all of them.
struct CPUPipelineOptions : mlir::PassPipelineOptions<CPUPipelineOptions>,
                            TuningCacheOptions {
  Option<std::string> mcpu{
      *this, "mcpu", llvm::cl::init("native"),
      llvm::cl::desc("CPU to compile for, by LLVM's name; native: this one")};
  Option<int64_t> vectorBits{
      *this, "vector-bits", llvm::cl::init(0),
      llvm::cl::desc("Width of a vector in bits: 128, 256 or 512; 0: as the "
                     "CPU has them")};
  Option<int64_t> unroll{
      *this, "unroll", llvm::cl::init(0),
      llvm::cl::desc("Vectors per step of the loop over a row; 0 chooses")};
  Option<int64_t> parts{
      *this, "parts", llvm::cl::init(-1),
      llvm::cl::desc("Partial sums of the weight gradient; -1 chooses, 0 is "
                     "clamp(ceil(M / 32), 1, 128)")};
  Option<int64_t> prefetch{
      *this, "prefetch", llvm::cl::init(-1),
      llvm::cl::desc("Rows ahead whose lines are requested; -1 chooses")};
  Option<int64_t> nontemporal{
      *this, "nontemporal", llvm::cl::init(-1),
      llvm::cl::desc("Bytes of results from which they are stored past the "
                     "cache; 0 never, -1 chooses")};
  Option<bool> bf16Denormals{
      *this, "bf16-denormals", llvm::cl::init(false),
      llvm::cl::desc("Keep bf16 results below 2^-126 also where the CPU's own "
                     "conversion makes them zero; costs integer arithmetic")};
  Option<int64_t> threads{
      *this, "threads", llvm::cl::init(0),
      llvm::cl::desc(
          "Threads that share the rows; 0: one per hardware thread")};
};

/// Lowers a module with norm ops, on tensors or memrefs, and what upstream
/// ops stand around them, to the LLVM dialect for `target`.
///
/// Functions keep their names. A tensor becomes a memref with identity layout;
/// a result computed into an argument's buffer is dropped, any other is
/// returned, allocated by `malloc`, and the caller's to free.
void buildNormToCPUPipeline(mlir::OpPassManager &pm,
                            const CPUPipelineOptions &options,
                            const CPUTarget &target);

/// The stages of that pipeline, each readable with `rudnn-opt`: norm ops to
/// loops over rows of linalg ops ...
void buildNormToRowProgramStage(mlir::OpPassManager &pm,
                                const CPUPipelineOptions &options,
                                const CPUTarget &target);
/// ... these to vectors of chunks of a row ...
void buildVectorizeStage(mlir::OpPassManager &pm);
/// ... tensors to buffers, freed where they end ...
void buildBufferizeStage(mlir::OpPassManager &pm);
/// ... row programs to machine vectors and threads ...
void buildDistributeStage(mlir::OpPassManager &pm,
                          const CPUPipelineOptions &options,
                          const CPUTarget &target);
/// ... and everything to the LLVM dialect.
void buildToControlFlowStage(mlir::OpPassManager &pm);
void buildToLLVMStage(mlir::OpPassManager &pm);

/// What the first stage begins with for every target: norm ops of rank 2 on
/// tensors, and checks of sizes that only a run knows before anything is
/// written.
void buildPrepareStage(mlir::OpPassManager &pm);

/// Options of the pipeline `norm-to-gpu`. A schedule on an op goes before all
/// of them.
struct GPUPipelineOptions : mlir::PassPipelineOptions<GPUPipelineOptions>,
                            TuningCacheOptions {
  Option<std::string> chip{*this, "chip", llvm::cl::init("sm_90"),
                           llvm::cl::desc("GPU to choose schedules for")};
  Option<std::string> set{
      *this, "set", llvm::cl::init(""),
      llvm::cl::desc("Fields of the schedule to use instead of the chosen "
                     "ones, as in threads=128,rows=2")};
  Option<bool> database{
      *this, "database", llvm::cl::init(true),
      llvm::cl::desc("Use the measured schedules that come with RuDNN")};
  Option<std::string> tuningDevice{
      *this, "tuning-device", llvm::cl::init(""),
      llvm::cl::desc("Name of the GPU whose entries are meant; by default any "
                     "with this chip")};
  Option<int64_t> tuningDriver{
      *this, "tuning-driver", llvm::cl::init(0),
      llvm::cl::desc("Version of its driver, 13000 for 13.0; 0: any")};
};

/// Lowers a module with norm ops, on tensors or memrefs, to kernels, each a
/// gpu.func in a gpu.module of its own, and functions that launch them by
/// gpu.launch_func. What upstream ops stand around norm ops stays on the host.
/// Functions are called as after `norm-to-cpu`.
void buildNormToGPUPipeline(mlir::OpPassManager &pm,
                            const GPUPipelineOptions &options);

/// The stages of that pipeline: norm ops to loops over rows of linalg ops
/// (then buildVectorizeStage and buildBufferizeStage as for a CPU) ...
void buildNormToRowProgramStage(mlir::OpPassManager &pm,
                                const GPUPipelineOptions &options);
/// ... row programs on buffers with rows where the schedule keeps them ...
void buildStageRowsStage(mlir::OpPassManager &pm);
/// ... these to launches of threads ...
void buildThreadsStage(mlir::OpPassManager &pm);
/// ... and these to kernels.
void buildKernelsStage(mlir::OpPassManager &pm);

/// Registers `norm-to-cpu`.
void registerPipelines();

} // namespace rudnn

#endif // RUDNN_PIPELINES_PIPELINES_H
