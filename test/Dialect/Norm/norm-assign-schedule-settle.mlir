// RUN: split-file %s %t
// DEFINE: %{file} = both.mlir
// DEFINE: %{set} =
// DEFINE: %{run} = rudnn-opt %t/%{file} --norm-assign-schedule="target=gpu set=%{set}"

// Chosen fields that do not go with a field that is given give way to it: the
// nearest schedule worth a try is taken. What is left of the choice stays.

// RUN: rudnn-opt %t/both.mlir --norm-assign-schedule="target=gpu" | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: #norm.schedule<vector = 8, parts = 128, threads = 256, rows = 4, stage = shared, blocks = 1, merge_columns = 8>

// Rings are for rows that are walked over, strips leave none beside dx.
// REDEFINE: %{set} = threads=64,strips=4
// RUN: %{run} | FileCheck %s --check-prefix=STRIPS
// STRIPS: #norm.schedule<vector = 8, parts = 132, threads = 64, rows = 4, blocks = 4, merge_columns = 8, strips = 4>

// The other way round, strips keep no whole rows, which steps and clusters need.
// REDEFINE: %{file} = weight.mlir
// REDEFINE: %{set} = stage=loop
// RUN: %{run} | FileCheck %s --check-prefix=WHOLE
// REDEFINE: %{set} = cluster=2
// RUN: %{run} | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: strips
// WHOLE: #norm.schedule<vector = 8, {{.*}} = {{loop|2}}
// WHOLE-NOT: strips

// More rows and more blocks for a row leave fewer threads for each, and blocks
// of a cluster count in the grid.
// REDEFINE: %{file} = both.mlir
// REDEFINE: %{set} = rows=8
// RUN: %{run} | FileCheck %s --check-prefix=ROWS
// ROWS: #norm.schedule<vector = 8, parts = 132, threads = 128, rows = 8, stage = shared, merge_columns = 8>
// REDEFINE: %{set} = cluster=2
// RUN: %{run} | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: #norm.schedule<vector = 8, parts = 132, threads = 128, {{.*}}cluster = 2>

// Neither prefetch nor rings without a walk.
// REDEFINE: %{set} = prefetch=1
// RUN: %{run} | FileCheck %s --check-prefix=PREFETCH
// PREFETCH: prefetch = 1, {{.*}} merge_columns = 8>
// REDEFINE: %{file} = forward.mlir
// REDEFINE: %{set} = stage=shared
// RUN: %{run} | FileCheck %s --check-prefix=WALK
// WALK: #norm.schedule<vector = 8, parts = 132, threads = 256, stage = shared, launch = chained>

// A field is not taken where it would have no use any more.
// REDEFINE: %{file} = both.mlir
// REDEFINE: %{set} = stages=8,rows=8,cluster=1
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=USES
// USES: error: 'norm.rms_norm_backward' op schedule from options: expected rows * threads <= 1024, got 8 * 256 = 2048
// USES-NEXT: norm.rms_norm_backward
// USES: note: the other fields are those of #norm.schedule<vector = 8, parts = 128, threads = 256, rows = 4, blocks = 1>, and no other choice that is known goes with the options

// What would have given way is not blamed.
// REDEFINE: %{file} = odd.mlir
// REDEFINE: %{set} = stage=shared,parts=1
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: 'norm.rms_norm_backward' op schedule from options: expected vectors of >= 4 bytes with stage = shared, got 1 * 2 = 2
// ODD: note: the other fields are those of #norm.schedule<vector = 1, parts = 1, threads = 16, rows = 32, blocks = 1>, and

// No choice changes what the op is.
// REDEFINE: %{file} = forward.mlir
// REDEFINE: %{set} = strips=4
// RUN: not %{run} 2>&1 | FileCheck %s --check-prefix=FORWARD
// FORWARD: schedule from options: expected strips = 0 without a weight gradient, got 4

//--- both.mlir
func.func @both(%x: tensor<2048x2048xbf16>, %rstd: tensor<2048xf32>, %gamma: tensor<2048xbf16>) -> (tensor<2048x2048xbf16>, tensor<2048xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<2048xf32>, tensor<2048xbf16>) input_grad(%x : tensor<2048x2048xbf16>) weight_grad(%gamma : tensor<2048xbf16>) -> tensor<2048x2048xbf16>, tensor<2048xbf16>
  return %dx, %dw : tensor<2048x2048xbf16>, tensor<2048xbf16>
}
//--- weight.mlir
func.func @weight(%x: tensor<?x8192xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<8192xbf16>) -> tensor<8192xbf16> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x8192xbf16>, tensor<?x8192xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<8192xbf16>) -> tensor<8192xbf16>
  return %dw : tensor<8192xbf16>
}
//--- forward.mlir
func.func @forward(%x: tensor<2048x4096xbf16>, %gamma: tensor<4096xbf16>) -> tensor<2048x4096xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<2048x4096xbf16>, tensor<4096xbf16>) outs(%x : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  return %y : tensor<2048x4096xbf16>
}
//--- odd.mlir
func.func @odd(%x: tensor<17x31xbf16>, %dy: tensor<17x31xbf16>, %rstd: tensor<17xf32>, %dw0: tensor<31xbf16>) -> (tensor<17x31xbf16>, tensor<31xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<17x31xbf16>, tensor<17x31xbf16>, tensor<17xf32>) input_grad(%dy : tensor<17x31xbf16>) weight_grad(%dw0 : tensor<31xbf16>) -> tensor<17x31xbf16>, tensor<31xbf16>
  return %dx, %dw : tensor<17x31xbf16>, tensor<31xbf16>
}
