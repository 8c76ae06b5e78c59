// RUN: rudnn-opt %s --canonicalize --norm-assign-schedule --norm-tile --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse | FileCheck %s

// What is not asked for has no loop, no buffer and no operand: the input
// gradient needs no buffer of its own, the weight gradient only its partials,
// and both together one pass over the rows.

// CHECK-LABEL: func.func @input_only(
// CHECK-NOT: memref.alloc
// CHECK-COUNT-1: scf.forall
// CHECK: norm.rms_norm_backward ins(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : {{.*}}) input_grad(
// CHECK-NOT: weight_grad
// CHECK-NOT: scf.forall
// CHECK-NOT: norm.rms
// CHECK-NOT: linalg.
// CHECK: return
func.func @input_only(%x: tensor<64x512xbf16>, %dy: tensor<64x512xbf16>, %rstd: tensor<64xf32>,
                      %gamma: tensor<512xf32>, %dx0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
  %dx = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>, tensor<512xf32>)
      input_grad(%dx0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
  return %dx : tensor<64x512xbf16>
}

// CHECK-LABEL: func.func @weight_only(
// CHECK-NOT: memref.alloc{{.*}}bf16
// CHECK: memref.alloc() {{.*}}: memref<4x512xf32>
// CHECK-NOT: memref.alloc{{.*}}bf16
// CHECK: norm.rms_norm_backward accumulate ins(%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : {{.*}}) weight_grad(
// CHECK-NOT: input_grad
// CHECK-NOT: memref.alloc{{.*}}bf16
// CHECK: return
func.func @weight_only(%x: tensor<64x512xbf16>, %dy: tensor<64x512xbf16>, %rstd: tensor<64xf32>,
                       %dgamma0: tensor<512xf32>) -> tensor<512xf32> {
  %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>)
      weight_grad(%dgamma0 : tensor<512xf32>) {schedule = #norm.schedule<parts = 4>} -> tensor<512xf32>
  return %dgamma : tensor<512xf32>
}

// CHECK-LABEL: func.func @both(
// CHECK-NOT: memref.alloc{{.*}}bf16
// CHECK: memref.alloc() {{.*}}: memref<4x512xf32>
// CHECK-NOT: memref.alloc{{.*}}bf16
// CHECK: norm.rms_norm_backward accumulate
// CHECK-SAME: input_grad({{.*}}) weight_grad(
// CHECK-NOT: norm.rms
// CHECK: return
func.func @both(%x: tensor<64x512xbf16>, %dy: tensor<64x512xbf16>, %rstd: tensor<64xf32>, %gamma: tensor<512xf32>,
                %dx0: tensor<64x512xbf16>, %dgamma0: tensor<512xf32>) -> (tensor<64x512xbf16>, tensor<512xf32>) {
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>, tensor<512xf32>)
      input_grad(%dx0 : tensor<64x512xbf16>) weight_grad(%dgamma0 : tensor<512xf32>)
      {schedule = #norm.schedule<parts = 4>} -> tensor<64x512xbf16>, tensor<512xf32>
  return %dx, %dgamma : tensor<64x512xbf16>, tensor<512xf32>
}

// CHECK-LABEL: func.func @neither(
// CHECK-NEXT: return
func.func @neither(%x: tensor<64x512xbf16>, %dy: tensor<64x512xbf16>, %rstd: tensor<64xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>)
  return
}

// CHECK-LABEL: func.func @no_rstd(
// CHECK-NOT: memref.alloc
// CHECK: norm.rms_norm
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @no_rstd(%x: tensor<64x512xbf16>, %y0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
  %y = norm.rms_norm epsilon(1.0e-06) ins(%x : tensor<64x512xbf16>) outs(%y0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
  return %y : tensor<64x512xbf16>
}
