// RUN: rudnn-opt %s --norm-add-fallbacks | FileCheck %s
// RUN: not rudnn-opt %s --norm-add-fallbacks="chip=gtx" 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: unknown chip 'gtx'

// CHECK-LABEL: func.func @example(
// CHECK-SAME: %[[X:.+]]: tensor<32x64xf32>, %[[Y0:.+]]: tensor<32x64xf32>)
// CHECK: %[[ALIGNED:.+]] = norm.is_aligned
// CHECK-NEXT: %[[Y:.+]] = scf.if %[[ALIGNED]] -> (tensor<32x64xf32>) {
// CHECK-NEXT: %[[WIDE:.+]] = norm.rms_norm {{.*}} ins(%[[X]] : tensor<32x64xf32>) outs(%[[Y0]] : tensor<32x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>}
// CHECK-NEXT: scf.yield %[[WIDE]]
// CHECK-NEXT: } else {
// CHECK-NEXT: %[[NARROW:.+]] = norm.rms_norm {{.*}} ins(%[[X]] : tensor<32x64xf32>) outs(%[[Y0]] : tensor<32x64xf32>) {schedule = #norm.schedule<vector = 1, threads = 32, launch = chained>}
// CHECK-NEXT: scf.yield %[[NARROW]]
// CHECK: return %[[Y]]
func.func @example(%x: tensor<32x64xf32>, %y0: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
      outs(%y0 : tensor<32x64xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>} -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}

// What the pass makes can be read.

// CHECK-LABEL: func.func @result(
// CHECK: norm.is_aligned
// CHECK-NOT: norm.is_aligned
// CHECK: return
func.func @result(%x: tensor<32x64xf32>, %y0: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %aligned = norm.is_aligned distinct[0]<>
    %y = scf.if %aligned -> (tensor<32x64xf32>) {
      %wide = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
          outs(%y0 : tensor<32x64xf32>)
          {schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>} -> tensor<32x64xf32>
      scf.yield %wide : tensor<32x64xf32>
    } else {
      %narrow = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>)
          outs(%y0 : tensor<32x64xf32>)
          {schedule = #norm.schedule<vector = 1, threads = 32, launch = chained>} -> tensor<32x64xf32>
      scf.yield %narrow : tensor<32x64xf32>
    }
  return %y : tensor<32x64xf32>
}

// Long rows in steps, with partial sums for a grid of its own.

// CHECK-LABEL: func.func @backward(
// CHECK: norm.is_aligned
// CHECK: scf.if {{.*}} -> (tensor<8x16384xbf16>, tensor<16384xf32>)
// CHECK: parts = 3, threads = 512
// CHECK: } else {
// CHECK: vector = 1, {{.*}}parts = 8, threads = 1024, stage = loop
func.func @backward(%x: tensor<8x16384xbf16>, %rstd: tensor<8xf32>, %dx0: tensor<8x16384xbf16>, %dw0: tensor<16384xf32>) -> (tensor<8x16384xbf16>, tensor<16384xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x16384xbf16>, tensor<8x16384xbf16>, tensor<8xf32>)
      input_grad(%dx0 : tensor<8x16384xbf16>) weight_grad(%dw0 : tensor<16384xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 512>} -> tensor<8x16384xbf16>, tensor<16384xf32>
  return %dx, %dw : tensor<8x16384xbf16>, tensor<16384xf32>
}

// Left alone: a CPU, single elements, rows of any length, no schedule, memrefs.

// CHECK-LABEL: func.func @others(
// CHECK-NOT: norm.is_aligned
// CHECK: return
func.func @others(%x: tensor<32x64xf32>, %z: tensor<32x?xf32>, %m: memref<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x?xf32>, tensor<32x64xf32>) {
  %0 = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>) outs(%x : tensor<32x64xf32>) {schedule = #norm.schedule<vector = 4>} -> tensor<32x64xf32>
  %1 = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>) outs(%x : tensor<32x64xf32>) {schedule = #norm.schedule<vector = 1, threads = 32, launch = chained>} -> tensor<32x64xf32>
  %2 = norm.rms_norm epsilon(1.0e-5) ins(%z : tensor<32x?xf32>) outs(%z : tensor<32x?xf32>) {schedule = #norm.schedule<vector = 4, threads = 32, stage = loop>} -> tensor<32x?xf32>
  %3 = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<32x64xf32>) outs(%x : tensor<32x64xf32>) -> tensor<32x64xf32>
  norm.rms_norm epsilon(1.0e-5) ins(%m : memref<32x64xf32>) outs(%m : memref<32x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 32>}
  return %0, %1, %2, %3 : tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x?xf32>, tensor<32x64xf32>
}
