// An op left with neither gradient is dead, but no pass needs that to have been
// seen: each one alone takes it.

// RUN: rudnn-opt %s --norm-drop-dead-results | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --canonicalize | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --norm-decompose --canonicalize | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --norm-assign-schedule --norm-tile --canonicalize | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --norm-collapse-rows --norm-assign-schedule --norm-tile --norm-decompose --norm-strip-mine --norm-vectorize --canonicalize | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --norm-expand-conversions --norm-drop-returned-arguments | FileCheck %s --check-prefix=GONE
// RUN: rudnn-opt %s --norm-to-cpu | FileCheck %s --check-prefix=LLVM
// RUN: rudnn-opt %s --norm-collapse-rows | FileCheck %s --check-prefix=KEPT
// RUN: rudnn-opt %s --norm-memref-to-tensor | FileCheck %s --check-prefix=KEPT
// RUN: rudnn-opt %s --norm-assign-schedule | FileCheck %s --check-prefix=KEPT
// RUN: rudnn-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=KEPT
// RUN: rudnn-opt %s --norm-strip-mine --norm-vectorize --norm-distribute --norm-store-nontemporal --norm-forall-to-threads --norm-prefetch-rows --norm-expand-copies | FileCheck %s --check-prefix=KEPT
// RUN: not rudnn-opt %s --norm-to-reference 2>&1 | FileCheck %s --check-prefix=REFERENCE

// GONE-NOT: norm.rms_norm_backward
// KEPT-COUNT-4: norm.rms_norm_backward
// LLVM-NOT: norm.
// REFERENCE: error: 'norm.rms_norm_backward' op on tensors has no reference call

// GONE-LABEL: func.func @rank_2(
// GONE-NEXT: return
// LLVM: llvm.func @rank_2(
// LLVM-NOT: call
func.func @rank_2(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>)
  return
}

// GONE-LABEL: func.func @rank_3(
// GONE-NEXT: return
func.func @rank_3(%x: tensor<4x?x512xf32>, %rstd: tensor<4x?xf32>, %gamma: tensor<512xf32>) {
  norm.rms_norm_backward gamma_offset(1.0) ins(%x, %x, %rstd, %gamma : tensor<4x?x512xf32>, tensor<4x?x512xf32>, tensor<4x?xf32>, tensor<512xf32>)
  return
}

// GONE-LABEL: func.func @rank_1(
// GONE-NEXT: return
func.func @rank_1(%x: tensor<512xf32>, %rstd: tensor<f32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : tensor<512xf32>, tensor<512xf32>, tensor<f32>)
  return
}

// GONE-LABEL: func.func @accumulate(
// GONE-NEXT: return
func.func @accumulate(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>)
  return
}
