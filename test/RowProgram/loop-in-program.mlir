// Without clean-ups between them the passes meet what is left of the loop that
// was fused into another: dead, and part of that one.
//
// RUN: rudnn-opt %s --norm-assign-schedule --norm-tile --norm-decompose --norm-strip-mine --norm-vectorize | FileCheck %s

// CHECK-LABEL: func.func @weight_grad(
// CHECK-COUNT-2: norm.schedule = #norm.schedule<
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @weight_grad(%x: tensor<?x?xf32>, %dy: tensor<?x?xf32>, %rstd: tensor<?xf32>, %dgamma0: tensor<?xf32>) -> tensor<?xf32> {
  %dgamma = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>)
      weight_grad(%dgamma0 : tensor<?xf32>) -> tensor<?xf32>
  return %dgamma : tensor<?xf32>
}
