// RUN: rudnn-opt %s --generate-runtime-verification --canonicalize --cse | FileCheck %s

// Sizes and strides that only a run knows are checked in front of the op, under
// the constraint's number; what the types say is not checked again.

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

// Rows that are written lie apart: by the stride, or there is but one.
// CHECK-LABEL: func.func @stride(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x64xf32>, %[[Y:[a-z0-9]+]]: memref<4x64xf32, strided<[?, 1]>>
// CHECK: %{{.+}}, %{{.+}}, %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[Y]]
// CHECK: %[[BACK:.+]] = arith.subi %c0, %[[STRIDES]]#0
// CHECK: %[[DISTANCE:.+]] = arith.maxsi %[[STRIDES]]#0, %[[BACK]]
// CHECK: %[[APART:.+]] = arith.cmpi uge, %[[DISTANCE]], %c64
// CHECK: cf.assert %[[APART]], "{{.*}}rms_norm_c10: expected rows of y that do not overlap along axis 0: a stride of at least what the axes of smaller strides reach
// CHECK-NOT: cf.assert
// CHECK: norm.rms_norm
func.func @stride(%x: memref<4x64xf32>, %y: memref<4x64xf32, strided<[?, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x64xf32>) outs(%y : memref<4x64xf32, strided<[?, 1]>>)
  return
}

// CHECK-LABEL: func.func @one_row_or_value(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<?x64xf32, strided<[0, 1]>>, %[[RSTD:[a-z0-9]+]]: memref<?xf32, strided<[0]>>
// CHECK-DAG: %[[M:.+]] = memref.dim %[[Y]], %c0
// CHECK-DAG: %[[ONEROW:.+]] = arith.cmpi ule, %[[M]], %c1
// CHECK-DAG: cf.assert %[[ONEROW]], "{{.*}}rms_norm_c10: {{.*}} y that
// CHECK-DAG: %[[VALUES:.+]] = memref.dim %[[RSTD]], %c0
// CHECK-DAG: %[[ONEVALUE:.+]] = arith.cmpi ule, %[[VALUES]], %c1
// CHECK-DAG: cf.assert %[[ONEVALUE]], "{{.*}}rms_norm_c10: {{.*}} rstd that
// CHECK: norm.rms_norm
func.func @one_row_or_value(%y: memref<?x64xf32, strided<[0, 1]>>, %rstd: memref<?xf32, strided<[0]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%y : memref<?x64xf32, strided<[0, 1]>>) outs(%y, %rstd : memref<?x64xf32, strided<[0, 1]>>, memref<?xf32, strided<[0]>>)
  return
}

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<4x?xf32, strided<[32, 1]>>
// CHECK-DAG: %[[N:.+]] = memref.dim %[[Y]], %c1
// CHECK-DAG: %[[APART:.+]] = arith.cmpi ule, %[[N]], %c32
// CHECK: cf.assert %[[APART]], "{{.*}}rms_norm_backward_c10: {{.*}} input_grad that
func.func @columns(%y: memref<4x?xf32, strided<[32, 1]>>, %rstd: memref<4xf32>) {
  norm.rms_norm_backward ins(%y, %y, %rstd : memref<4x?xf32, strided<[32, 1]>>, memref<4x?xf32, strided<[32, 1]>>, memref<4xf32>) input_grad(%y : memref<4x?xf32, strided<[32, 1]>>)
  return
}

// Which of two axes steps over the other is found at run time too.
// CHECK-LABEL: func.func @two_axes(
// CHECK: arith.cmpi ule
// CHECK: arith.select
// CHECK: cf.assert %{{.+}}, "{{.*}}rms_norm_c10: {{.*}} along axis 0
// CHECK: arith.cmpi ult
// CHECK: arith.select
// CHECK: cf.assert %{{.+}}, "{{.*}}rms_norm_c10: {{.*}} along axis 1
func.func @two_axes(%x: memref<4x4x64xf32>, %y: memref<4x4x64xf32, strided<[?, ?, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x64xf32>) outs(%y : memref<4x4x64xf32, strided<[?, ?, 1]>>)
  return
}

// Where another axis may have no index, its size says whether that is so.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x?x64xf32>, %[[Y:[a-z0-9]+]]: memref<4x?x64xf32, strided<[0, 64, 1]>>
// CHECK: %[[SIZE:.+]] = memref.dim %[[Y]], %c1
// CHECK: %[[EMPTY:.+]] = arith.cmpi eq, %[[SIZE]], %c0
// CHECK: cf.assert %[[EMPTY]], "{{.*}}rms_norm_c10: {{.*}} along axis 0
func.func @empty(%x: memref<4x?x64xf32>, %y: memref<4x?x64xf32, strided<[0, 64, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x?x64xf32>) outs(%y : memref<4x?x64xf32, strided<[0, 64, 1]>>)
  return
}

// Rows of known strides, of identity layout, a single one and those that are
// only read need no check.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: c10
// CHECK: return
func.func @known(%x: memref<?x2x64xf32, strided<[?, 0, 1]>>, %y: memref<?x2x64xf32, strided<[128, 64, 1]>>,
                 %identity: memref<?x?x?xf32>, %one: memref<1x64xf32, strided<[?, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x2x64xf32, strided<[?, 0, 1]>>) outs(%y : memref<?x2x64xf32, strided<[128, 64, 1]>>)
  norm.rms_norm epsilon(1.0e-05) ins(%identity : memref<?x?x?xf32>) outs(%identity : memref<?x?x?xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%one : memref<1x64xf32, strided<[?, 1]>>) outs(%one : memref<1x64xf32, strided<[?, 1]>>)
  return
}
