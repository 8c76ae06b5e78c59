//===- RuntimeSymbols.cpp - what compiled code can call -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeSymbols.h"

#include "Protect.h"
#include "rudnn/CUDA/Runtime.h"
#include "rudnn/Emulator/Runtime.h"
#include "rudnn/Reference/EntryPoints.h"
#include "rudnn/Runner/Failure.h"
#include "rudnn/Runtime/Runtime.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>

using namespace rudnn;
using namespace rudnn::runner;

/// Stands for puts in compiled code: `cf.assert` prints its message by it.
static int printMessage(const char *message) {
  llvm::outs().flush();
  llvm::WithColor::error() << message << '\n';
  return 0;
}

/// Stands for abort in compiled code: a check of operands at run time failed,
/// which is an input that cannot be used and no reason to dump core.
[[noreturn]] static void refuseInput() {
  endProtectedRun("a check of its operands failed");
  llvm::outs().flush();
  std::_Exit(static_cast<int>(ExitCode::BadInput));
}

/// Stands for malloc in emulated code: like the memory of a device, what it
/// gives holds anything, here NaN, where the system's own may begin as zeros.
static void *allocatePoisoned(size_t size) {
  void *memory = std::malloc(size);
  if (memory)
    std::memset(memory, 0xFF, size);
  return memory;
}

namespace {
/// Symbols by name, as a JIT takes them.
class SymbolTable {
public:
  explicit SymbolTable(llvm::orc::MangleAndInterner intern) : intern(intern) {}
  template <typename Function>
  void operator()(llvm::StringRef name, Function *function) {
    symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported};
  }
  llvm::orc::SymbolMap take() { return std::move(symbols); }

private:
  llvm::orc::MangleAndInterner intern;
  llvm::orc::SymbolMap symbols;
};
} // namespace

llvm::orc::SymbolMap
rudnn::runner::getRuntimeSymbols(llvm::orc::MangleAndInterner intern) {
  SymbolTable add(intern);
  add("rudnnParallelFor", rudnnParallelFor);
  add("memrefCopy", memrefCopy);
  add(reference::kForwardSymbol, rudnnReferenceRMSNorm);
  add(reference::kBackwardSymbol, rudnnReferenceRMSNormBackward);
  add("puts", printMessage);
  add("abort", refuseInput);
  return add.take();
}

llvm::orc::SymbolMap
rudnn::runner::getEmulatorSymbols(llvm::orc::MangleAndInterner intern) {
  SymbolTable add(intern);
  add("malloc", allocatePoisoned);
  add("rudnnEmulatorAllocateFrame", rudnnEmulatorAllocateFrame);
  add("rudnnEmulatorBarrier", rudnnEmulatorBarrier);
  add("rudnnEmulatorClusterArrive", rudnnEmulatorClusterArrive);
  add("rudnnEmulatorClusterWait", rudnnEmulatorClusterWait);
  add("rudnnEmulatorCommitCopies", rudnnEmulatorCommitCopies);
  add("rudnnEmulatorCopyAsync", rudnnEmulatorCopyAsync);
  add("rudnnEmulatorExit", rudnnEmulatorExit);
  add("rudnnEmulatorGetDynamicMemory", rudnnEmulatorGetDynamicMemory);
  add("rudnnEmulatorGetIndex", rudnnEmulatorGetIndex);
  add("rudnnEmulatorGetShuffled", rudnnEmulatorGetShuffled);
  add("rudnnEmulatorGetWorkgroupMemory", rudnnEmulatorGetWorkgroupMemory);
  add("rudnnEmulatorIsShuffleValid", rudnnEmulatorIsShuffleValid);
  add("rudnnEmulatorLaunch", rudnnEmulatorLaunch);
  add("rudnnEmulatorMapToBlock", rudnnEmulatorMapToBlock);
  add("rudnnEmulatorNote", rudnnEmulatorNote);
  add("rudnnEmulatorRead", rudnnEmulatorRead);
  add("rudnnEmulatorReadCluster", rudnnEmulatorReadCluster);
  add("rudnnEmulatorReportMisaligned", rudnnEmulatorReportMisaligned);
  add("rudnnEmulatorReportOutOfBounds", rudnnEmulatorReportOutOfBounds);
  add("rudnnEmulatorShuffle", rudnnEmulatorShuffle);
  add("rudnnEmulatorWaitForCopies", rudnnEmulatorWaitForCopies);
  add("rudnnEmulatorWrite", rudnnEmulatorWrite);
  add("rudnnEmulatorWriteCluster", rudnnEmulatorWriteCluster);
  return add.take();
}

llvm::orc::SymbolMap
rudnn::runner::getCUDASymbols(llvm::orc::MangleAndInterner intern) {
  SymbolTable add(intern);
  add("mgpuLaunchClusterKernel", mgpuLaunchClusterKernel);
  add("mgpuLaunchKernel", mgpuLaunchKernel);
  add("mgpuMemAlloc", mgpuMemAlloc);
  add("mgpuMemFree", mgpuMemFree);
  add("mgpuMemcpy", mgpuMemcpy);
  add("mgpuMemset16", mgpuMemset16);
  add("mgpuMemset32", mgpuMemset32);
  add("mgpuModuleGetFunction", mgpuModuleGetFunction);
  add("mgpuModuleLoad", mgpuModuleLoad);
  add("mgpuModuleLoadJIT", mgpuModuleLoadJIT);
  add("mgpuModuleUnload", mgpuModuleUnload);
  add("mgpuStreamCreate", mgpuStreamCreate);
  add("mgpuStreamDestroy", mgpuStreamDestroy);
  add("mgpuStreamSynchronize", mgpuStreamSynchronize);
  add("rudnnLaunchNextAsDependent", rudnnLaunchNextAsDependent);
  add("rudnnReadElement", rudnnReadElement);
  add("rudnnWriteElement", rudnnWriteElement);
  return add.take();
}
