//===- ExportKernels.cpp - Kernels and their manifests as files -----------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "Manifest.h"
#include "rudnn/GPU/Target.h"
#include "rudnn/Support/Diagnostics.h"
#include "rudnn/Support/WriteFile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMEXPORTKERNELS
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;
namespace json = llvm::json;

/// What the code in an object is called, in a manifest and as a suffix.
static StringRef getKind(gpu::CompilationTarget format) {
  switch (format) {
  case gpu::CompilationTarget::Offload:
    return "bc";
  case gpu::CompilationTarget::Assembly:
    return "ptx";
  case gpu::CompilationTarget::Binary:
    return "cubin";
  case gpu::CompilationTarget::Fatbin:
    return "fatbin";
  }
  llvm_unreachable("unknown format");
}

namespace {
struct NormExportKernels
    : rudnn::impl::NormExportKernelsBase<NormExportKernels> {
  using NormExportKernelsBase::NormExportKernelsBase;

  void runOnOperation() override {
    if (directory.empty()) {
      emitError(getOperation().getLoc())
          << "norm-export-kernels expects directory=DIR";
      return signalPassFailure();
    }
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      emitError(module.getLoc())
          << "norm-export-kernels expects compiled kernels, as norm-to-nvvm "
             "leaves them, got gpu.module @"
          << module.getName();
      return signalPassFailure();
    }
    if (std::error_code code = llvm::sys::fs::create_directories(directory)) {
      emitError(getOperation().getLoc())
          << "can't make directory '" << directory << "': " << code.message();
      return signalPassFailure();
    }
    for (auto binary : getOperation().getOps<gpu::BinaryOp>())
      if (failed(exportBinary(binary)))
        return signalPassFailure();
  }

  LogicalResult exportBinary(gpu::BinaryOp binary);
  FailureOr<json::Object> exportObject(gpu::BinaryOp binary,
                                       gpu::ObjectAttr object);
  LogicalResult exportManifest(gpu::BinaryOp binary,
                               gpu::KernelMetadataAttr kernel, StringRef stem,
                               json::Array code);
  LogicalResult write(Location loc, const Twine &name, StringRef text);
};
} // namespace

LogicalResult NormExportKernels::write(Location loc, const Twine &name,
                                       StringRef text) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  if (llvm::Error error = writeFile(path, [&](raw_ostream &os) {
        os << text;
        return llvm::Error::success();
      }))
    return emitError(loc) << "can't write '" << path
                          << "': " << llvm::toString(std::move(error));
  return success();
}

FailureOr<json::Object>
NormExportKernels::exportObject(gpu::BinaryOp binary, gpu::ObjectAttr object) {
  auto attr = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget());
  if (!attr)
    return emitShortOpError(binary)
           << "has code for a target that is not of NVVM: "
           << object.getTarget();
  llvm::Expected<NVVMTarget> target =
      getNVVMTarget(attr.getChip(), attr.getFeatures());
  if (!target)
    return emitShortOpError(binary) << llvm::toString(target.takeError());
  StringRef kind = getKind(object.getFormat());
  std::string name = binary.getName().str();
  if (binary.getObjects().size() > 1)
    name += "." + target->chip;
  name += "." + kind.str();
  StringRef code = object.getObject().getValue();
  // Upstream's passes end PTX by a null, as the driver wants it.
  if (failed(write(binary.getLoc(), name,
                   kind == "ptx" ? code.rtrim('\0') : code)))
    return failure();
  std::string ptx = llvm::formatv("{0}.{1}", target->ptxVersion / 10,
                                  target->ptxVersion % 10);
  return json::Object{
      {"file", name}, {"kind", kind}, {"chip", target->chip}, {"ptx", ptx}};
}

LogicalResult NormExportKernels::exportManifest(gpu::BinaryOp binary,
                                                gpu::KernelMetadataAttr kernel,
                                                StringRef stem,
                                                json::Array code) {
  SmallVector<gpu::LaunchFuncOp> launches;
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == binary.getName() &&
        launch.getKernelName() == kernel.getName())
      launches.push_back(launch);
  });
  FailureOr<json::Object> manifest =
      makeManifest(kernel, std::move(code), launches, binary.getLoc());
  if (failed(manifest))
    return failure();
  std::string text =
      llvm::formatv("{0:2}\n", json::Value(std::move(*manifest)));
  return write(binary.getLoc(), stem + ".json", text);
}

LogicalResult NormExportKernels::exportBinary(gpu::BinaryOp binary) {
  json::Array code;
  gpu::KernelTableAttr kernels;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
    FailureOr<json::Object> exported = exportObject(binary, object);
    if (failed(exported))
      return failure();
    code.push_back(std::move(*exported));
    kernels = object.getKernels();
  }
  if (!kernels)
    return emitShortOpError(binary)
           << "has no table of its kernels, expected that "
              "norm-serialize-kernels made it";
  for (gpu::KernelMetadataAttr kernel : kernels) {
    std::string stem = binary.getName().str();
    if (kernels.size() > 1)
      stem += "." + kernel.getName().str();
    if (failed(exportManifest(binary, kernel, stem, code)))
      return failure();
  }
  return success();
}
