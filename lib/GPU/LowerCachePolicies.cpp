//===- LowerCachePolicies.cpp - Cache policies as PTX ---------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/GPU/Passes.h"

#include "CachePolicy.h"
#include "KernelAccess.h"
#include "MemoryAccess.h"
#include "rudnn/Dialect/Norm/IR/Norm.h"
#include "rudnn/GPU/Target.h"
#include "rudnn/Support/Diagnostics.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/MapVector.h"

namespace rudnn {
#define GEN_PASS_DEF_NORMLOWERCACHEPOLICIES
#include "rudnn/GPU/Passes.h.inc"
} // namespace rudnn

using namespace mlir;
using namespace rudnn;

static constexpr StringLiteral policyName = norm::NormDialect::kCacheAttrName;

/// Whether `memref` is in global memory for sure.
static bool isGlobal(Value memref, gpu::GPUFuncOp kernel) {
  Value root = getRootMemRef(memref);
  auto type = cast<BaseMemRefType>(root.getType());
  if (!mayBeGlobal(type))
    return false;
  auto argument = dyn_cast<BlockArgument>(root);
  return type.getMemorySpace() ||
         (argument && argument.getOwner() == &kernel.getBody().front());
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

namespace {
class KernelLowering {
public:
  KernelLowering(gpu::GPUFuncOp kernel, const LLVMTypeConverter &converter,
                 unsigned ptxVersion)
      : kernel(kernel), converter(converter), ptxVersion(ptxVersion),
        access(kernel) {}

  void addLaunch(gpu::LaunchFuncOp launch) { access.addLaunch(launch); }
  LogicalResult run();

private:
  void lower(const MemoryAccess &access, CachePolicy policy);
  Value load(ImplicitLocOpBuilder &b, const MemoryAccess &access,
             CachePolicy policy, Value address);
  void store(ImplicitLocOpBuilder &b, const MemoryAccess &access,
             CachePolicy policy, Value address);
  Value getAddress(ImplicitLocOpBuilder &b, const MemoryAccess &access);
  /// The operands that stand behind the address and the values.
  SmallVector<Value, 1> getL2Policy(CachePolicy policy);

  gpu::GPUFuncOp kernel;
  const LLVMTypeConverter &converter;
  unsigned ptxVersion;
  KernelAccess access;
  llvm::SmallMapVector<CachePolicy, Value, 2> l2Policies;
};

/// How an access is cut into instructions.
struct Pieces {
  Pieces(const MemoryAccess &access, MLIRContext *context)
      : bytes(access.getUnitBytes()), words(std::max(bytes / 4, 1u)),
        word(IntegerType::get(context, bytes / words * 8)),
        count(access.getElementBytes() * access.type.getNumElements() / bytes) {
  }

  Type getVectorType() const {
    return VectorType::get(int64_t(words) * count, word);
  }

  unsigned bytes;   ///< of one instruction
  unsigned words;   ///< registers of one instruction
  IntegerType word; ///< the type of such a register
  unsigned count;   ///< instructions
};
} // namespace

static Value moveAddress(ImplicitLocOpBuilder &b, Value address,
                         unsigned bytes) {
  if (bytes == 0)
    return address;
  return LLVM::GEPOp::create(b, address.getType(), b.getI8Type(), address,
                             ArrayRef<LLVM::GEPArg>(int32_t(bytes)));
}

Value KernelLowering::getAddress(ImplicitLocOpBuilder &b,
                                 const MemoryAccess &access) {
  auto type = cast<MemRefType>(access.memref.getType());
  Value descriptor = UnrealizedConversionCastOp::create(
                         b, converter.convertType(type), access.memref)
                         .getResult(0);
  SmallVector<Value> indices;
  for (Value index : access.indices)
    indices.push_back(arith::IndexCastOp::create(b, b.getI64Type(), index));
  Value address = LLVM::getStridedElementPtr(b, b.getLoc(), converter, type,
                                             descriptor, indices);
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
  return address.getType() == global
             ? address
             : LLVM::AddrSpaceCastOp::create(b, global, address);
}

SmallVector<Value, 1> KernelLowering::getL2Policy(CachePolicy policy) {
  StringRef name = rudnn::getL2Policy(policy);
  if (name.empty())
    return {};
  Value &made = l2Policies[policy];
  if (!made) {
    auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                                &kernel.getBody().front());
    std::string code =
        ("createpolicy.fractional.L2::" + name + ".b64 $0, 1.0;").str();
    made = NVVM::InlinePtxOp::create(b, TypeRange(b.getI64Type()), ValueRange(),
                                     ValueRange(), code, Value())
               .getResult(0);
  }
  return {made};
}

Value KernelLowering::load(ImplicitLocOpBuilder &b, const MemoryAccess &access,
                           CachePolicy policy, Value address) {
  Pieces pieces(access, b.getContext());
  bool isReadOnly = !this->access.mayWrite(getRootMemRef(access.memref));
  std::string code = getLoadInstruction(policy, isReadOnly, pieces.words,
                                        pieces.word.getWidth());
  SmallVector<Value> words;
  for (unsigned i = 0; i < pieces.count; ++i) {
    SmallVector<Value> operands = {moveAddress(b, address, i * pieces.bytes)};
    operands.append(getL2Policy(policy));
    SmallVector<Type> types(pieces.words, pieces.word);
    auto ptx = NVVM::InlinePtxOp::create(b, types, operands, ValueRange(), code,
                                         Value());
    llvm::append_range(words, ptx.getResults());
  }
  Value value =
      vector::FromElementsOp::create(b, pieces.getVectorType(), words);
  value = vector::BitCastOp::create(b, access.type, value);
  if (isa<VectorType>(access.op->getResult(0).getType()))
    return value;
  return vector::ExtractOp::create(b, value, 0);
}

void KernelLowering::store(ImplicitLocOpBuilder &b, const MemoryAccess &access,
                           CachePolicy policy, Value address) {
  Pieces pieces(access, b.getContext());
  std::string code =
      getStoreInstruction(policy, pieces.words, pieces.word.getWidth());
  Value value = access.stored;
  if (!isa<VectorType>(value.getType()))
    value = vector::FromElementsOp::create(b, access.type, value);
  value = vector::BitCastOp::create(b, pieces.getVectorType(), value);
  auto words = vector::ToElementsOp::create(b, value).getResults();
  for (unsigned i = 0; i < pieces.count; ++i) {
    SmallVector<Value> operands = {moveAddress(b, address, i * pieces.bytes)};
    llvm::append_range(operands, words.slice(i * pieces.words, pieces.words));
    operands.append(getL2Policy(policy));
    NVVM::InlinePtxOp::create(b, TypeRange(), operands, ValueRange(), code,
                              Value());
  }
}

void KernelLowering::lower(const MemoryAccess &access, CachePolicy policy) {
  access.op->removeAttr(policyName);
  if (policy == CachePolicy::Normal || ptxVersion < getOldestPTX(policy) ||
      access.getUnitBytes() == 0 || !isGlobal(access.memref, kernel))
    return;
  ImplicitLocOpBuilder b(access.op->getLoc(), access.op);
  Value address = getAddress(b, access);
  if (access.stored)
    store(b, access, policy, address);
  else
    access.op->getResult(0).replaceAllUsesWith(
        load(b, access, policy, address));
  access.op->erase();
}

LogicalResult KernelLowering::run() {
  WalkResult result = kernel.getBody().walk([&](Operation *op) {
    Attribute attr = op->getDiscardableAttr(policyName);
    if (!attr)
      return WalkResult::advance();
    auto name = dyn_cast<StringAttr>(attr);
    std::optional<CachePolicy> policy =
        name ? parseCachePolicy(name.getValue()) : std::nullopt;
    if (!policy) {
      auto error = op->emitOpError() << policyName << " expects one of ";
      llvm::interleaveComma(getCachePolicyNames(), error);
      return WalkResult(error << ", got " << attr);
    }
    std::optional<MemoryAccess> access = MemoryAccess::get(op);
    if (!access)
      return WalkResult(op->emitOpError()
                        << "can't have a cache policy, only a "
                           "load or store of vector or memref");
    lower(*access, *policy);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The oldest PTX, times ten, that is to be written of `module`.
static FailureOr<unsigned> getPTXVersion(gpu::GPUModuleOp module) {
  unsigned version = ~0u;
  for (Attribute attr : module.getTargetsAttr()
                            ? module.getTargetsAttr().getValue()
                            : ArrayRef<Attribute>()) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attr);
    if (!target)
      continue;
    llvm::Expected<NVVMTarget> parsed =
        getNVVMTarget(target.getChip(), target.getFeatures());
    if (!parsed)
      return emitShortOpError(module) << llvm::toString(parsed.takeError());
    version = std::min(version, parsed->ptxVersion);
  }
  return version;
}

namespace {
struct NormLowerCachePolicies
    : rudnn::impl::NormLowerCachePoliciesBase<NormLowerCachePolicies> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(lowerModule(module)))
        return signalPassFailure();
  }

  LogicalResult lowerModule(gpu::GPUModuleOp module) {
    FailureOr<unsigned> version = getPTXVersion(module);
    if (failed(version))
      return failure();
    LLVMTypeConverter converter(&getContext());
    configureGpuToNVVMTypeConverter(converter);
    for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
      KernelLowering lowering(kernel, converter, *version);
      getOperation().walk([&](gpu::LaunchFuncOp launch) {
        if (launch.getKernelModuleName() == module.getNameAttr() &&
            launch.getKernelName() == kernel.getNameAttr())
          lowering.addLaunch(launch);
      });
      if (failed(lowering.run()))
        return failure();
    }
    return success();
  }
};
} // namespace
