//===- OutlineKernels.cpp - Launches to kernels ---------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/RowProgram/Passes.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMOUTLINEKERNELS
#include "rudnn/RowProgram/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

namespace {

struct NormOutlineKernels
    : rudnn::impl::NormOutlineKernelsBase<NormOutlineKernels> {
  void runOnOperation() override;

private:
  /// Names the kernels that launches with a schedule become, by function.
  llvm::StringMap<norm::ScheduleAttr> nameKernels();
};

/// `name` in the characters that PTX has.
std::string makeSymbol(StringRef name) {
  std::string symbol = name.str();
  for (char &c : symbol)
    if (!llvm::isAlnum(c) && c != '_' && c != '$')
      c = '_';
  return symbol;
}

/// What upstream's outlining does not hand on.
void annotate(gpu::GPUFuncOp kernel, norm::ScheduleAttr schedule) {
  Builder b(kernel.getContext());
  kernel->setDiscardableAttr(norm::NormDialect::kScheduleAttrName, schedule);
  if (int64_t blocks = schedule.getValue().blocks)
    kernel->setDiscardableAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                               b.getI32IntegerAttr(blocks));
  if (int32_t cluster = schedule.getValue().cluster; cluster > 1)
    kernel->setDiscardableAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                               b.getDenseI32ArrayAttr({cluster, 1, 1}));
}

/// What stands beside launches and is in none of them runs on the host, which
/// may not reach the kernels' memory.
void warnOfHostOps(ModuleOp module) {
  module.walk([](linalg::LinalgOp op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    bool launches =
        function &&
        function.walk([](gpu::LaunchOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (launches && !op->getParentOfType<gpu::LaunchOp>())
      op->emitWarning("is left to the host, between kernels; fuse it with a "
                      "norm op to have it in the op's kernel");
  });
}

} // namespace

llvm::StringMap<norm::ScheduleAttr> NormOutlineKernels::nameKernels() {
  llvm::StringMap<norm::ScheduleAttr> schedules;
  llvm::StringMap<unsigned> counts;
  SymbolTable symbols(getOperation());
  getOperation().walk([&](gpu::LaunchOp launch) {
    auto schedule = launch->getAttrOfType<norm::ScheduleAttr>(
        norm::NormDialect::kScheduleAttrName);
    if (!schedule)
      return;
    std::string function =
        makeSymbol(launch->getParentOfType<FunctionOpInterface>().getName());
    std::string name;
    do
      name = (function + "_kernel_" + Twine(counts[function]++)).str();
    while (symbols.lookup(name));
    auto symbol = FlatSymbolRefAttr::get(&getContext(), name);
    launch.setModuleAttr(symbol);
    launch.setFunctionAttr(symbol);
    schedules[name] = schedule;
  });
  return schedules;
}

void NormOutlineKernels::runOnOperation() {
  warnOfHostOps(getOperation());
  llvm::StringMap<norm::ScheduleAttr> schedules = nameKernels();
  OpPassManager outline(ModuleOp::getOperationName());
  outline.addPass(createGpuLaunchSinkIndexComputationsPass());
  outline.addPass(createGpuKernelOutliningPass());
  if (failed(runPipeline(outline, getOperation())))
    return signalPassFailure();
  getOperation().walk([&](gpu::GPUFuncOp kernel) {
    auto it = schedules.find(kernel.getName());
    if (it != schedules.end())
      annotate(kernel, it->second);
  });
}
