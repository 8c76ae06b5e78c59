// A choice between programs is nothing for the reference to make: it takes either.
//
// RUN: rudnn-opt %s --norm-add-fallbacks -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: rudnn-runner %t.mlir --device=reference
// RUN: rudnn-runner %t.mlir --device=emulate --check
// RUN: rudnn-runner %t.mlir --device=emulate --check --misalign=0
// CHECK: norm.is_aligned
func.func @f(%x: tensor<8x64xf32>, %y0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<8x64xf32>) outs(%y0 : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 32>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
