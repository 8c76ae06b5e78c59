// RUN: rudnn-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: rudnn-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,MOTION

// On tensors the ops only compute: equal ones are one, and a loop need not
// repeat them. On memrefs they read their inputs and write their destinations.

// CHECK-LABEL: func.func @equal(
// CSE-COUNT-1: norm.rms_norm
// CSE-NOT: norm.rms_norm
// CHECK: return
func.func @equal(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %a = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %b = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %a, %b : tensor<?x64xf32>, tensor<?x64xf32>
}

// CHECK-LABEL: func.func @different(
// CSE-COUNT-4: norm.rms_norm
// CHECK: return
func.func @different(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  %a = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = norm.rms_norm epsilon(1.0e-06) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  %c = norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  %d = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %a, %b, %c, %d : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// CHECK-LABEL: func.func @memrefs(
// CSE-COUNT-2: norm.rms_norm_backward
// CHECK: return
func.func @memrefs(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %dw: memref<64xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) weight_grad(%dw : memref<64xf32>)
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) weight_grad(%dw : memref<64xf32>)
  return
}

// A loop that may run no time at all must not report a size that does not fit:
// only static shapes leave it.
// CHECK-LABEL: func.func @static_loop(
// MOTION: norm.rms_norm
// MOTION: scf.for
// MOTION-NOT: norm.rms_norm
// CHECK: return
func.func @static_loop(%x: tensor<8x64xf32>, %n: index) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> (tensor<8x64xf32>) {
    %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
    %s = arith.addf %acc, %y : tensor<8x64xf32>
    scf.yield %s : tensor<8x64xf32>
  }
  return %r : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @dynamic_loop(
// MOTION-NOT: norm.rms_norm
// MOTION: scf.for
// MOTION: norm.rms_norm
// CHECK: return
func.func @dynamic_loop(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %y0) -> (tensor<?x64xf32>) {
    %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %s = arith.addf %acc, %y : tensor<?x64xf32>
    scf.yield %s : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}
