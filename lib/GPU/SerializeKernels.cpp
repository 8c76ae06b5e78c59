//===- SerializeKernels.cpp - gpu.module to PTX and machine code ----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's gpu-module-to-binary wants NVIDIA's device library, goes on after
// some errors, forgets what ptxas says and takes one module after the other.
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "Assembler.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/GPU/Target.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"

#include <optional>

namespace rudnn {
#define GEN_PASS_DEF_NORMSERIALIZEKERNELS
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

//===----------------------------------------------------------------------===//
// One module for one target
//===----------------------------------------------------------------------===//

namespace {
/// Compiles a gpu.module by LLVM, and by ptxas if the format is machine code.
class Serializer : public LLVM::ModuleToObject {
public:
  Serializer(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr attr,
             const NVVMTarget &target, gpu::CompilationTarget format,
             StringRef toolkit)
      : ModuleToObject(*module, attr.getTriple(), attr.getChip(),
                       target.features, attr.getO()),
        target(target), format(format), toolkit(toolkit) {}

  /// What ptxas says of each kernel; empty if it didn't run.
  const llvm::StringMap<KernelUsage> &getUsage() const { return usage; }

  /// The object, with what LLVM complains of as diagnostics.
  FailureOr<SmallVector<char, 0>> serialize();

protected:
  void handleModulePreLink(llvm::Module &module) override;
  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override;

private:
  LogicalResult checkPTX(StringRef ptx);
  FailureOr<SmallVector<char, 0>> assemble(StringRef ptx);

  const NVVMTarget &target;
  gpu::CompilationTarget format;
  StringRef toolkit;
  llvm::StringMap<KernelUsage> usage;
  bool hasLLVMError = false;
};
} // namespace

void Serializer::handleModulePreLink(llvm::Module &module) {
  // Without a handler LLVM ends the process.
  module.getContext().setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *context) {
        auto &self = *static_cast<Serializer *>(context);
        bool isError = info->getSeverity() == llvm::DS_Error;
        if (!isError && info->getSeverity() != llvm::DS_Warning)
          return;
        std::string text;
        llvm::raw_string_ostream os(text);
        llvm::DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
        self.hasLLVMError |= isError;
        Location loc = self.getOperation().getLoc();
        (isError ? emitError(loc) : emitWarning(loc)) << text;
      },
      this);
}

FailureOr<SmallVector<char, 0>> Serializer::serialize() {
  std::optional<SmallVector<char, 0>> object = run();
  if (!object || hasLLVMError)
    return failure();
  return std::move(*object);
}

FailureOr<SmallVector<char, 0>>
Serializer::moduleToObject(llvm::Module &llvmModule) {
  if (format == gpu::CompilationTarget::Offload)
    return ModuleToObject::moduleToObject(llvmModule);
  FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
  if (failed(machine))
    return failure();
  FailureOr<SmallString<0>> ptx = translateModuleToISA(
      llvmModule, **machine, [&] { return emitShortOpError(&getOperation()); });
  if (failed(ptx) || hasLLVMError || failed(checkPTX(*ptx)))
    return failure();
  if (format == gpu::CompilationTarget::Assembly)
    return SmallVector<char, 0>(ptx->begin(), ptx->end());
  return assemble(*ptx);
}

LogicalResult Serializer::checkPTX(StringRef ptx) {
  auto getDirective = [&](StringRef name) {
    return ptx.split(name).second.split('\n').first.trim();
  };
  std::string version =
      llvm::formatv("{0}.{1}", target.ptxVersion / 10, target.ptxVersion % 10);
  StringRef chip = getDirective("\n.target ").split(',').first;
  if (getDirective("\n.version ") != version || chip != target.chip)
    return emitShortOpError(&getOperation())
           << "expected PTX " << version << " for " << target.chip << ", got "
           << getDirective("\n.version ") << " for " << chip;
  if (StringRef name = getDirective("\n.extern .func "); !name.empty())
    return emitShortOpError(&getOperation())
           << "PTX needs the external function " << name;
  return success();
}

FailureOr<SmallVector<char, 0>> Serializer::assemble(StringRef ptx) {
  AssemblerOptions options;
  options.chip = target.chip;
  options.toolkit = toolkit.str();
  options.optLevel = optLevel;
  options.fatbin = format == gpu::CompilationTarget::Fatbin;
  llvm::Expected<AssembledCode> code = assemblePTX(ptx, options);
  if (!code)
    return emitError(getOperation().getLoc())
           << llvm::toString(code.takeError());
  if (!code->warnings.empty())
    emitWarning(getOperation().getLoc()) << code->warnings;
  usage = std::move(code->usage);
  return std::move(code->object);
}

//===----------------------------------------------------------------------===//
// The kernels of an object
//===----------------------------------------------------------------------===//

/// What is known of `kernel`: its description, or else its lowered type.
static gpu::KernelMetadataAttr
getMetadata(LLVM::LLVMFuncOp kernel,
            const llvm::StringMap<KernelUsage> &usage) {
  auto metadata = kernel->getAttrOfType<gpu::KernelMetadataAttr>(
      norm::NormDialect::kKernelAttrName);
  if (!metadata)
    metadata = gpu::KernelMetadataAttr::get(kernel.getNameAttr(),
                                            kernel.getFunctionType());
  auto found = usage.find(kernel.getName());
  if (found == usage.end())
    return metadata;
  Builder b(kernel.getContext());
  const KernelUsage &use = found->second;
  auto make = [&](StringRef name, int64_t value) {
    return b.getNamedAttr(name, b.getI64IntegerAttr(value));
  };
  return metadata.appendMetadata(
      {make("registers", use.registers), make("shared_bytes", use.sharedBytes),
       make("stack_bytes", use.stackBytes),
       make("spill_store_bytes", use.spillStoreBytes),
       make("spill_load_bytes", use.spillLoadBytes)});
}

static FailureOr<Attribute> makeObject(gpu::GPUModuleOp module,
                                       Attribute targetAttr,
                                       gpu::CompilationTarget format,
                                       StringRef toolkit) {
  auto attr = dyn_cast<NVVM::NVVMTargetAttr>(targetAttr);
  if (!attr)
    return emitShortOpError(module)
           << "has a target that is not of NVVM: " << targetAttr;
  llvm::Expected<NVVMTarget> target =
      getNVVMTarget(attr.getChip(), attr.getFeatures());
  if (!target)
    return emitShortOpError(module) << llvm::toString(target.takeError());
  Serializer serializer(module, attr, *target, format, toolkit);
  FailureOr<SmallVector<char, 0>> object = serializer.serialize();
  if (failed(object))
    return failure();
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    if (kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      kernels.push_back(getMetadata(kernel, serializer.getUsage()));
  MLIRContext *context = module.getContext();
  Builder b(context);
  // With what the driver is to compile PTX when it is loaded.
  auto properties = b.getDictionaryAttr(
      b.getNamedAttr("O", b.getI32IntegerAttr(attr.getO())));
  return Attribute(gpu::ObjectAttr::get(
      targetAttr, format,
      StringAttr::get(context, StringRef(object->data(), object->size())),
      properties, gpu::KernelTableAttr::get(context, kernels)));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::optional<gpu::CompilationTarget> parseFormat(StringRef name) {
  return llvm::StringSwitch<std::optional<gpu::CompilationTarget>>(name)
      .Case("llvm", gpu::CompilationTarget::Offload)
      .Case("isa", gpu::CompilationTarget::Assembly)
      .Case("bin", gpu::CompilationTarget::Binary)
      .Case("fatbin", gpu::CompilationTarget::Fatbin)
      .Default(std::nullopt);
}

namespace {
struct NormSerializeKernels
    : rudnn::impl::NormSerializeKernelsBase<NormSerializeKernels> {
  using NormSerializeKernelsBase::NormSerializeKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    NormSerializeKernelsBase::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    std::optional<gpu::CompilationTarget> parsed = parseFormat(format);
    if (!parsed) {
      emitError(getOperation().getLoc())
          << "unknown format '" << format
          << "', expected llvm, isa, bin or fatbin";
      return signalPassFailure();
    }
    auto modules = llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>());
    SmallVector<SmallVector<Attribute>> objects(modules.size());
    if (failed(failableParallelForEachN(
            &getContext(), 0, modules.size(), [&](size_t i) {
              return serialize(modules[i], *parsed, objects[i]);
            })))
      return signalPassFailure();
    for (auto [module, made] : llvm::zip_equal(modules, objects)) {
      OpBuilder builder(module);
      gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                            module.getOffloadingHandlerAttr(), made);
      module.erase();
    }
  }

  LogicalResult serialize(gpu::GPUModuleOp module,
                          gpu::CompilationTarget parsed,
                          SmallVectorImpl<Attribute> &objects) {
    if (!module.getTargetsAttr())
      return emitShortOpError(module) << "has no target to compile for";
    for (Attribute target : module.getTargetsAttr()) {
      FailureOr<Attribute> object = makeObject(module, target, parsed, toolkit);
      if (failed(object))
        return failure();
      objects.push_back(*object);
    }
    return success();
  }
};
} // namespace
