// RUN: rudnn-opt %s --norm-memref-to-tensor | FileCheck %s
// RUN: rudnn-opt %s --norm-memref-to-tensor --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x512xbf16, strided<[576, 1], offset: ?>>, %[[GAMMA:[a-z0-9]+]]: memref<512xf32>, %[[Y:[a-z0-9]+]]: memref<?x512xbf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>
// CHECK-DAG: %[[XT:.+]] = bufferization.to_tensor %[[X]] restrict writable : memref<?x512xbf16, strided<[576, 1], offset: ?>> to tensor<?x512xbf16>
// CHECK-DAG: %[[GAMMAT:.+]] = bufferization.to_tensor %[[GAMMA]] restrict writable : memref<512xf32> to tensor<512xf32>
// CHECK-DAG: %[[YT:.+]] = bufferization.to_tensor %[[Y]] restrict writable
// CHECK-DAG: %[[RSTDT:.+]] = bufferization.to_tensor %[[RSTD]] restrict writable
// CHECK: %[[NORM:.+]]:2 = norm.rms_norm epsilon(1.0e-5) gamma_offset(1.0e+0) ins(%[[XT]], %[[GAMMAT]] : tensor<?x512xbf16>, tensor<512xf32>) outs(%[[YT]], %[[RSTDT]] : tensor<?x512xbf16>, tensor<?xf32>)
// CHECK-SAME: {schedule = #norm.schedule<vector = 8>} -> tensor<?x512xbf16>, tensor<?xf32>
// CHECK: bufferization.materialize_in_destination %[[NORM]]#0 in restrict writable %[[Y]]
// CHECK: bufferization.materialize_in_destination %[[NORM]]#1 in restrict writable %[[RSTD]]

// Bufferization gives the op on the same memrefs back.
// BACK-LABEL: func.func @forward(
// BACK-SAME: %[[X:[a-z0-9]+]]: memref<?x512xbf16, strided<[576, 1], offset: ?>>, %[[GAMMA:[a-z0-9]+]]: memref<512xf32>, %[[Y:[a-z0-9]+]]: memref<?x512xbf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>
// BACK-NEXT: norm.rms_norm epsilon(1.0e-5) gamma_offset(1.0e+0) ins(%[[X]], %[[GAMMA]] : {{.*}}) outs(%[[Y]], %[[RSTD]] : {{.*}}) {schedule = #norm.schedule<vector = 8>}
// BACK-NEXT: return
func.func @forward(%x: memref<?x512xbf16, strided<[576, 1], offset: ?>>, %gamma: memref<512xf32>, %y: memref<?x512xbf16>, %rstd: memref<?xf32>) {
  norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x, %gamma : memref<?x512xbf16, strided<[576, 1], offset: ?>>, memref<512xf32>)
      outs(%y, %rstd : memref<?x512xbf16>, memref<?xf32>) {schedule = #norm.schedule<vector = 8>}
  return
}

// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<64x512xf32>, %[[RSTD:[a-z0-9]+]]: memref<64xf32>, %[[DX:[a-z0-9]+]]: memref<64x512xf32>, %[[DW:[a-z0-9]+]]: memref<512xf32>
// CHECK: %[[GRADS:.+]]:2 = norm.rms_norm_backward accumulate
// CHECK: bufferization.materialize_in_destination %[[GRADS]]#0 in restrict writable %[[DX]]
// CHECK: bufferization.materialize_in_destination %[[GRADS]]#1 in restrict writable %[[DW]]
// BACK-LABEL: func.func @backward(
// BACK-SAME: %[[X:[a-z0-9]+]]: memref<64x512xf32>, %[[RSTD:[a-z0-9]+]]: memref<64xf32>, %[[DX:[a-z0-9]+]]: memref<64x512xf32>, %[[DW:[a-z0-9]+]]: memref<512xf32>
// BACK-NEXT: norm.rms_norm_backward accumulate ins(%[[X]], %[[X]], %[[RSTD]] : {{.*}}) input_grad(%[[DX]] : {{.*}}) weight_grad(%[[DW]] : {{.*}})
// BACK-NEXT: return
func.func @backward(%x: memref<64x512xf32>, %rstd: memref<64xf32>, %dx: memref<64x512xf32>, %dw: memref<512xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<64x512xf32>, memref<64x512xf32>, memref<64xf32>)
      input_grad(%dx : memref<64x512xf32>) weight_grad(%dw : memref<512xf32>)
  return
}

// CHECK-LABEL: func.func @tensors_stay(
// CHECK-NEXT: norm.rms_norm
// CHECK-NEXT: return
func.func @tensors_stay(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
