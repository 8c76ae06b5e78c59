// RUN: rudnn-opt %s --norm-to-gpu | FileCheck %s

// Kernels are named after the function in characters that PTX has.
// CHECK: gpu.func @a_b__kernel_0(
func.func @"a b%"(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
