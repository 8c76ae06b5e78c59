// RUN: rudnn-opt %s --generate-runtime-verification --canonicalize --cse | FileCheck %s

// Sizes that only a run knows are checked in front of the op, under the
// constraint's number; what the types say is not checked again.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf32>, %[[GAMMA:[a-z0-9]+]]: memref<?xf32>, %[[Y:[a-z0-9]+]]: memref<?x?xf32>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>
// CHECK-DAG: %[[N:.+]] = memref.dim %[[X]], %c1
// CHECK-DAG: %[[GAMMAN:.+]] = memref.dim %[[GAMMA]], %c0
// CHECK-DAG: %[[SOME:.+]] = arith.cmpi ne, %[[N]], %c0
// CHECK-DAG: cf.assert %[[SOME]], "{{.*}}rms_norm_c2: expected x with N >= 1 columns, got N = 0
// CHECK-DAG: %[[SAME:.+]] = arith.cmpi eq, %[[GAMMAN]], %[[N]]
// CHECK-DAG: cf.assert %[[SAME]], "{{.*}}rms_norm_c4: {{.*}}gamma
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_c5: {{.*}}axis 0 of y
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_c5: {{.*}}axis 1 of y
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_c6: {{.*}}rstd
// CHECK: norm.rms_norm
func.func @dynamic(%x: memref<?x?xf32>, %gamma: memref<?xf32>, %y: memref<?x?xf32>, %rstd: memref<?xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x?xf32>, memref<?xf32>) outs(%y, %rstd : memref<?x?xf32>, memref<?xf32>)
  return
}

// CHECK-LABEL: func.func @rows_only(
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_backward_c5: {{.*}}axis 0 of dy
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_backward_c6: {{.*}}rstd
// CHECK-DAG: cf.assert %{{.+}}, "{{.*}}rms_norm_backward_c5: {{.*}}axis 0 of input_grad
// CHECK-NOT: cf.assert
// CHECK: norm.rms_norm_backward
func.func @rows_only(%x: tensor<?x512xf32>, %dy: tensor<?x512xf32>, %rstd: tensor<?xf32>, %gamma: tensor<512xf32>, %dx0: tensor<?x512xf32>, %dw0: tensor<512xf32>) -> (tensor<?x512xf32>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?xf32>, tensor<512xf32>)
      input_grad(%dx0 : tensor<?x512xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<?x512xf32>, tensor<512xf32>
  return %dx, %dw : tensor<?x512xf32>, tensor<512xf32>
}

// CHECK-LABEL: func.func @static(
// CHECK-NEXT: norm.rms_norm
// CHECK-NEXT: return
func.func @static(%x: memref<8x512xf32>, %y: memref<8x512xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x512xf32>) outs(%y : memref<8x512xf32>)
  return
}

// A static size on one side is checked against the other's.
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x512xf32>, %[[Y:[a-z0-9]+]]: memref<?x512xf32>
// CHECK: %[[M:.+]] = memref.dim %[[Y]], %c0
// CHECK: %[[SAME:.+]] = arith.cmpi eq, %[[M]], %c8
// CHECK: cf.assert %[[SAME]]
// CHECK-NOT: cf.assert
// CHECK: norm.rms_norm
func.func @mixed(%x: memref<8x512xf32>, %y: memref<?x512xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x512xf32>) outs(%y : memref<?x512xf32>)
  return
}
