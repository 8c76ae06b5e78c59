// RUN: rudnn-opt %s --norm-drop-dead-results | FileCheck %s
// RUN: rudnn-opt %s --norm-drop-dead-results="report" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: rudnn-opt %s --norm-drop-dead-results -o /dev/null 2>&1 | count 0

// REPORT: remark: dropped 11 results and erased 2 norm ops

// The example of the pass's description.
// CHECK-LABEL: func.func @example(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64xf32>, %[[DY:[a-z0-9]+]]: tensor<8x64xf32>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>, %{{[a-z0-9]+}}: tensor<64xf32>, %{{[a-z0-9]+}}: tensor<8x64xf32>, %[[DW0:[a-z0-9]+]]: tensor<64xf32>)
// CHECK-NEXT: %[[DW:.+]] = norm.rms_norm_backward
// CHECK-SAME: ins(%[[X]], %[[DY]], %[[RSTD]] : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>)
// CHECK-SAME: weight_grad(%[[DW0]] : tensor<64xf32>) -> tensor<64xf32>
// CHECK-NEXT: return %[[DW]]
func.func @example(%x: tensor<8x64xf32>, %dy: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<64xf32>,
                   %dx0: tensor<8x64xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
    %dx, %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xf32>)
        input_grad(%dx0 : tensor<8x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
        -> tensor<8x64xf32>, tensor<64xf32>
  return %dw : tensor<64xf32>
}

// What it becomes there is an op that stays as it is.
// CHECK-LABEL: func.func @example_result(
// CHECK-NEXT: norm.rms_norm_backward
// CHECK-NEXT: return
func.func @example_result(%x: tensor<8x64xf32>, %dy: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
    %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>)
        weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// CHECK-LABEL: func.func @input_grad_stays(
// CHECK-NEXT: %[[DX:.+]] = norm.rms_norm_backward gamma_offset(1.0e+0) ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : {{.*}}) input_grad({{.*}}) {schedule = #norm.schedule<vector = 8>} -> tensor<8x64xf32>
// CHECK-NEXT: return %[[DX]]
func.func @input_grad_stays(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<64xf32>) -> tensor<8x64xf32> {
  %dx, %dw = norm.rms_norm_backward gamma_offset(1.0)
      ins(%x, %x, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xf32>)
      input_grad(%x : tensor<8x64xf32>) weight_grad(%gamma : tensor<64xf32>) {schedule = #norm.schedule<vector = 8>}
      -> tensor<8x64xf32>, tensor<64xf32>
  return %dx : tensor<8x64xf32>
}

// Once the backward is gone, nothing uses the forward either.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: return
func.func @chain(%x: tensor<8x64xf32>, %rstd0: tensor<8xf32>, %gamma: tensor<64xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x, %rstd0 : tensor<8x64xf32>, tensor<8xf32>) -> tensor<8x64xf32>, tensor<8xf32>
  %dx, %dw = norm.rms_norm_backward
      ins(%x, %y, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xf32>)
      input_grad(%x : tensor<8x64xf32>) weight_grad(%gamma : tensor<64xf32>)
      -> tensor<8x64xf32>, tensor<64xf32>
  return
}

// CHECK-LABEL: func.func @rstd(
// CHECK-NEXT: %[[Y:.+]] = norm.rms_norm epsilon(1.0e-5) ins({{.*}}) outs(%{{[a-z0-9]+}} : tensor<8x64xf32>) -> tensor<8x64xf32>
// CHECK-NEXT: return %[[Y]]
func.func @rstd(%x: tensor<8x64xf32>, %rstd0: tensor<8xf32>) -> tensor<8x64xf32> {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x, %rstd0 : tensor<8x64xf32>, tensor<8xf32>) -> tensor<8x64xf32>, tensor<8xf32>
  return %y : tensor<8x64xf32>
}

// y has no use but is no optional result.
// CHECK-LABEL: func.func @only_rstd(
// CHECK-NEXT: norm.rms_norm
// CHECK-SAME: -> tensor<8x64xf32>, tensor<8xf32>
// CHECK-NEXT: return
func.func @only_rstd(%x: tensor<8x64xf32>, %rstd0: tensor<8xf32>) -> tensor<8xf32> {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x, %rstd0 : tensor<8x64xf32>, tensor<8xf32>) -> tensor<8x64xf32>, tensor<8xf32>
  return %rstd : tensor<8xf32>
}

// Rows in shared memory, prefetch and strips are for a weight gradient: without
// it a schedule that has them fits no more.
// CHECK-LABEL: func.func @schedule_of_weight_grad(
// CHECK-COUNT-3: input_grad({{.*}}) -> tensor<33x64xf32>
// CHECK-NEXT: return
func.func @schedule_of_weight_grad(%x: tensor<33x64xf32>, %rstd: tensor<33xf32>, %dw0: tensor<64xf32>) -> (tensor<33x64xf32>, tensor<33x64xf32>, tensor<33x64xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<33x64xf32>, tensor<33x64xf32>, tensor<33xf32>) input_grad(%x : tensor<33x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 32, stage = shared>} -> tensor<33x64xf32>, tensor<64xf32>
  %dx1, %dw1 = norm.rms_norm_backward ins(%x, %dx, %rstd : tensor<33x64xf32>, tensor<33x64xf32>, tensor<33xf32>) input_grad(%x : tensor<33x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 32, strips = 2>} -> tensor<33x64xf32>, tensor<64xf32>
  %dx2, %dw2 = norm.rms_norm_backward ins(%x, %dx1, %rstd : tensor<33x64xf32>, tensor<33x64xf32>, tensor<33xf32>) input_grad(%x : tensor<33x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 32, prefetch = 1>} -> tensor<33x64xf32>, tensor<64xf32>
  return %dx, %dx1, %dx2 : tensor<33x64xf32>, tensor<33x64xf32>, tensor<33x64xf32>
}

// Strips of a weight gradient alone can't be walked in steps.
// CHECK-LABEL: func.func @schedule_of_input_grad(
// CHECK-NEXT: norm.rms_norm_backward {{.*}} weight_grad({{.*}}) -> tensor<64xf32>
func.func @schedule_of_input_grad(%x: tensor<33x64xf32>, %rstd: tensor<33xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<33x64xf32>, tensor<33x64xf32>, tensor<33xf32>) input_grad(%x : tensor<33x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 32, stage = loop, strips = 2>} -> tensor<33x64xf32>, tensor<64xf32>
  return %dw : tensor<64xf32>
}
