// RUN: rudnn-opt %s --canonicalize | FileCheck %s

// Static sizes that a cast hides come back into the op; gradients and rstd
// without uses go. (norm-drop-dead-results.mlir has more.)

// CHECK-LABEL: func.func @forward_casts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<64xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x?xf32>
func.func @forward_casts(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>, %y0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %xd = tensor.cast %x : tensor<8x64xf32> to tensor<?x?xf32>
  %gammad = tensor.cast %gamma : tensor<64xf32> to tensor<?xf32>
  // CHECK-NOT: tensor.cast
  // CHECK: %[[Y:.+]] = norm.rms_norm epsilon(1.0e-5) ins(%[[X]], %[[GAMMA]] : tensor<8x64xf32>, tensor<64xf32>) outs(%[[Y0]] : tensor<?x?xf32>)
  // CHECK-NEXT: return %[[Y]]
  %y = norm.rms_norm epsilon(1.0e-05) ins(%xd, %gammad : tensor<?x?xf32>, tensor<?xf32>) outs(%y0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// The cast of a destination moves to the result.
// CHECK-LABEL: func.func @destination_cast(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xf32>, %[[Y0:[a-z0-9]+]]: tensor<8x64xf32>, %[[RSTD0:[a-z0-9]+]]: tensor<8xf32>
func.func @destination_cast(%x: tensor<?x64xf32>, %y0: tensor<8x64xf32>, %rstd0: tensor<8xf32>) -> (tensor<?x64xf32>, tensor<?xf32>) {
  %y0d = tensor.cast %y0 : tensor<8x64xf32> to tensor<?x64xf32>
  %rstd0d = tensor.cast %rstd0 : tensor<8xf32> to tensor<?xf32>
  // CHECK: %[[NORM:.+]]:2 = norm.rms_norm {{.*}} outs(%[[Y0]], %[[RSTD0]] : tensor<8x64xf32>, tensor<8xf32>) -> tensor<8x64xf32>, tensor<8xf32>
  // CHECK-DAG: %[[Y:.+]] = tensor.cast %[[NORM]]#0 : tensor<8x64xf32> to tensor<?x64xf32>
  // CHECK-DAG: %[[RSTD:.+]] = tensor.cast %[[NORM]]#1 : tensor<8xf32> to tensor<?xf32>
  // CHECK: return %[[Y]], %[[RSTD]]
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0d, %rstd0d : tensor<?x64xf32>, tensor<?xf32>) -> tensor<?x64xf32>, tensor<?xf32>
  return %y, %rstd : tensor<?x64xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @backward_casts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64xf32>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>, %[[DGAMMA0:[a-z0-9]+]]: tensor<64xf32>
func.func @backward_casts(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dgamma0: tensor<64xf32>) -> tensor<?xf32> {
  %xd = tensor.cast %x : tensor<8x64xf32> to tensor<?x?xf32>
  %rstdd = tensor.cast %rstd : tensor<8xf32> to tensor<?xf32>
  %dgamma0d = tensor.cast %dgamma0 : tensor<64xf32> to tensor<?xf32>
  // CHECK: %[[DGAMMA:.+]] = norm.rms_norm_backward ins(%[[X]], %[[X]], %[[RSTD]] : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%[[DGAMMA0]] : tensor<64xf32>) -> tensor<64xf32>
  // CHECK-NEXT: tensor.cast %[[DGAMMA]] : tensor<64xf32> to tensor<?xf32>
  %dgamma = norm.rms_norm_backward ins(%xd, %xd, %rstdd : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) weight_grad(%dgamma0d : tensor<?xf32>) -> tensor<?xf32>
  return %dgamma : tensor<?xf32>
}

// A cast of a memref that adds nothing goes as well.
// CHECK-LABEL: func.func @memref_casts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[RSTD:[a-z0-9]+]]: memref<8xf32>
func.func @memref_casts(%x: memref<8x64xf32>, %rstd: memref<8xf32>) {
  %xd = memref.cast %x : memref<8x64xf32> to memref<?x64xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: norm.rms_norm {{.*}} ins(%[[X]] : memref<8x64xf32>) outs(%[[X]], %[[RSTD]] : memref<8x64xf32>, memref<8xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%xd : memref<?x64xf32, strided<[?, 1], offset: ?>>) outs(%xd, %rstd : memref<?x64xf32, strided<[?, 1], offset: ?>>, memref<8xf32>)
  // CHECK-NEXT: norm.rms_norm_backward ins(%[[X]], %[[X]], %[[RSTD]] : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) input_grad(%[[X]] : memref<8x64xf32>)
  norm.rms_norm_backward ins(%xd, %x, %rstd : memref<?x64xf32, strided<[?, 1], offset: ?>>, memref<8x64xf32>, memref<8xf32>) input_grad(%xd : memref<?x64xf32, strided<[?, 1], offset: ?>>)
  // CHECK-NEXT: return
  return
}

// The size of a result is that of its destination.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?x?xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x64xf32>
func.func @sizes(%x: tensor<?x?xf32>, %y0: tensor<?x64xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[N:.+]] = arith.constant 64 : index
  // CHECK-DAG: %[[M:.+]] = tensor.dim
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x?xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = tensor.dim %y, %c0 : tensor<?x64xf32>
  %n = tensor.dim %y, %c1 : tensor<?x64xf32>
  // CHECK: return %[[M]], %[[N]]
  return %m, %n : index, index
}

// An op on tensors without uses is dead, one on memrefs is not.
// CHECK-LABEL: func.func @dead(
func.func @dead(%x: tensor<?x64xf32>, %xb: memref<8x64xf32>, %rstd: memref<8xf32>) {
  // CHECK-NEXT: norm.rms_norm {{.*}} outs(%{{.*}}, %{{.*}} : memref<8x64xf32>, memref<8xf32>)
  // CHECK-NEXT: return
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
  norm.rms_norm epsilon(1.0e-05) ins(%xb : memref<8x64xf32>) outs(%xb, %rstd : memref<8x64xf32>, memref<8xf32>)
  return
}

// gamma serves the input gradient only, also where nothing was dropped. The
// schedule stays.
// CHECK-LABEL: func.func @gamma(
func.func @gamma(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %gamma: memref<64xf32>, %dw: memref<64xf32>) {
  // CHECK-NEXT: norm.rms_norm_backward ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>)
  // CHECK-SAME: weight_grad(%{{[a-z0-9]+}} : memref<64xf32>) {schedule = #norm.schedule<parts = 2>}
  // CHECK-NEXT: return
  norm.rms_norm_backward gamma_offset(1.0) ins(%x, %x, %rstd, %gamma : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>, memref<64xf32>)
      weight_grad(%dw : memref<64xf32>) {schedule = #norm.schedule<parts = 2>}
  norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>, memref<64xf32>)
  return
}
