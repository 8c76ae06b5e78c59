// RUN: rudnn-opt %s --norm-collapse-rows --cse | FileCheck %s

// CHECK-LABEL: func.func @rank_1(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<512xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<512xf32>, %[[RSTD0:[a-z0-9]+]]: tensor<f32>
// CHECK-DAG: %[[ROW:.+]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32>
// CHECK-DAG: %[[SCALAR:.+]] = tensor.extract %[[RSTD0]][] : tensor<f32>
// CHECK-DAG: %[[ONE:.+]] = tensor.from_elements %[[SCALAR]] : tensor<1xf32>
// CHECK: %[[NORM:.+]]:2 = norm.rms_norm {{.*}} ins(%[[ROW]], %[[GAMMA]] : tensor<1x512xf32>, tensor<512xf32>) outs(%[[ROW]], %[[ONE]] : tensor<1x512xf32>, tensor<1xf32>)
// CHECK-DAG: %[[Y:.+]] = tensor.collapse_shape %[[NORM]]#0 {{\[\[}}0, 1]] : tensor<1x512xf32> into tensor<512xf32>
// CHECK-DAG: %[[FACTOR:.+]] = tensor.extract %[[NORM]]#1[%c0] : tensor<1xf32>
// CHECK-DAG: %[[RSTD:.+]] = tensor.insert %[[FACTOR]] into %[[RSTD0]][] : tensor<f32>
// CHECK: return %[[Y]], %[[RSTD]]
func.func @rank_1(%x: tensor<512xf32>, %gamma: tensor<512xf32>, %rstd0: tensor<f32>) -> (tensor<512xf32>, tensor<f32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<512xf32>, tensor<512xf32>) outs(%x, %rstd0 : tensor<512xf32>, tensor<f32>) -> tensor<512xf32>, tensor<f32>
  return %y, %rstd : tensor<512xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @rank_2(
// CHECK-NEXT: norm.rms_norm {{.*}} -> tensor<?x?xf32>
// CHECK-NEXT: return
func.func @rank_2(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @rank_3(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x?x512xbf16>, %[[RSTD:[a-z0-9]+]]: tensor<4x?xf32>, %[[DX0:[a-z0-9]+]]: tensor<4x?x512xbf16>, %[[DW0:[a-z0-9]+]]: tensor<512xf32>
// CHECK-DAG: %[[XM:.+]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<4x?x512xbf16> into tensor<?x512xbf16>
// CHECK-DAG: %[[RM:.+]] = tensor.collapse_shape %[[RSTD]] {{\[\[}}0, 1]] : tensor<4x?xf32> into tensor<?xf32>
// CHECK-DAG: %[[DXM:.+]] = tensor.collapse_shape %[[DX0]] {{\[\[}}0, 1], [2]] : tensor<4x?x512xbf16> into tensor<?x512xbf16>
// CHECK: %[[GRADS:.+]]:2 = norm.rms_norm_backward ins(%[[XM]], %[[XM]], %[[RM]] : {{.*}}) input_grad(%[[DXM]] : tensor<?x512xbf16>) weight_grad(%[[DW0]] : tensor<512xf32>)
// CHECK-SAME: {schedule = #norm.schedule<parts = 2>}
// CHECK: %[[M:.+]] = tensor.dim %[[DX0]], %c1
// CHECK: %[[DX:.+]] = tensor.expand_shape %[[GRADS]]#0 {{\[\[}}0, 1], [2]] output_shape [4, %[[M]], 512] : tensor<?x512xbf16> into tensor<4x?x512xbf16>
// CHECK: return %[[DX]], %[[GRADS]]#1
func.func @rank_3(%x: tensor<4x?x512xbf16>, %rstd: tensor<4x?xf32>, %dx0: tensor<4x?x512xbf16>, %dw0: tensor<512xf32>) -> (tensor<4x?x512xbf16>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<4x?x512xbf16>, tensor<4x?x512xbf16>, tensor<4x?xf32>)
      input_grad(%dx0 : tensor<4x?x512xbf16>) weight_grad(%dw0 : tensor<512xf32>) {schedule = #norm.schedule<parts = 2>} -> tensor<4x?x512xbf16>, tensor<512xf32>
  return %dx, %dw : tensor<4x?x512xbf16>, tensor<512xf32>
}

// CHECK-LABEL: func.func @rank_4(
// CHECK: norm.rms_norm {{.*}} -> tensor<30x64xf32>
func.func @rank_4(%x: tensor<2x3x5x64xf32>) -> tensor<2x3x5x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<2x3x5x64xf32>) outs(%x : tensor<2x3x5x64xf32>) -> tensor<2x3x5x64xf32>
  return %y : tensor<2x3x5x64xf32>
}

// CHECK-LABEL: func.func @memref_rank_1(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32, strided<[1], offset: 3>>, %[[RSTD:[a-z0-9]+]]: memref<f32>)
// CHECK-DAG: %[[ROW:.+]] = memref.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [1, %{{.+}}] : memref<?xf32, strided<[1], offset: 3>> into memref<1x?xf32, strided<[?, 1], offset: 3>>
// CHECK-DAG: %{{.+}}, %[[OFFSET:.+]] = memref.extract_strided_metadata %[[RSTD]] : memref<f32>
// CHECK-DAG: %[[ONE:.+]] = memref.reinterpret_cast %[[RSTD]] to offset: [%[[OFFSET]]], sizes: [1], strides: [1] : memref<f32> to memref<1xf32, strided<[1], offset: ?>>
// CHECK: norm.rms_norm {{.*}} ins(%[[ROW]] : {{.*}}) outs(%[[ROW]], %[[ONE]] : {{.*}})
func.func @memref_rank_1(%x: memref<?xf32, strided<[1], offset: 3>>, %rstd: memref<f32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?xf32, strided<[1], offset: 3>>) outs(%x, %rstd : memref<?xf32, strided<[1], offset: 3>>, memref<f32>)
  return
}

// Rows that lie evenly, also with a gap between them, are one axis.
// CHECK-LABEL: func.func @memref_even(
// CHECK-DAG: memref.collapse_shape %{{.+}} {{\[\[}}0, 1], [2]] : memref<8x4x512xbf16, strided<[2304, 576, 1]>> into memref<32x512xbf16, strided<[576, 1]>>
// CHECK-DAG: memref.collapse_shape %{{.+}} {{\[\[}}0, 1], [2]] : memref<8x4x512xbf16> into memref<32x512xbf16>
// CHECK: norm.rms_norm {{.*}} ins({{.*}} : memref<32x512xbf16, strided<[576, 1]>>) outs({{.*}} : memref<32x512xbf16>, memref<32xf32>)
func.func @memref_even(%x: memref<8x4x512xbf16, strided<[2304, 576, 1]>>, %y: memref<8x4x512xbf16>, %rstd: memref<8x4xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x4x512xbf16, strided<[2304, 576, 1]>>) outs(%y, %rstd : memref<8x4x512xbf16>, memref<8x4xf32>)
  return
}

// Heads of a packed buffer do not: the op keeps its rank, for each operand.
// CHECK-LABEL: func.func @memref_heads(
// CHECK-NOT: memref.collapse_shape
// CHECK: norm.rms_norm {{.*}} ins({{.*}} : memref<?x32x128xbf16, strided<[6144, 128, 1]>>)
// CHECK: norm.rms_norm {{.*}} outs({{.*}}, {{.*}} : memref<?x32x128xbf16>, memref<?x32xf32, strided<[64, 1]>>)
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @memref_heads(%q: memref<?x32x128xbf16, strided<[6144, 128, 1]>>, %y: memref<?x32x128xbf16>, %rstd: memref<?x32xf32, strided<[64, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%q : memref<?x32x128xbf16, strided<[6144, 128, 1]>>) outs(%y : memref<?x32x128xbf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%y : memref<?x32x128xbf16>) outs(%y, %rstd : memref<?x32x128xbf16>, memref<?x32xf32, strided<[64, 1]>>)
  return
}

// A run-time stride may be anything.
// CHECK-LABEL: func.func @memref_dynamic(
// CHECK-NEXT: norm.rms_norm
// CHECK-NEXT: return
func.func @memref_dynamic(%x: memref<4x8x64xf32, strided<[?, 64, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x8x64xf32, strided<[?, 64, 1]>>) outs(%x : memref<4x8x64xf32, strided<[?, 64, 1]>>)
  return
}

// A slice of a tensor may become a view of the whole, whose leading axes do not
// lie evenly: collapsed, it would be copied.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: tensor.collapse_shape
// CHECK: norm.rms_norm {{.*}} ins({{.*}} : tensor<?x32x128xbf16>)
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @slice(%qkv: tensor<?x48x128xbf16>, %tokens: index, %y0: tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16> {
  %q = tensor.extract_slice %qkv[0, 0, 0] [%tokens, 32, 128] [1, 1, 1] : tensor<?x48x128xbf16> to tensor<?x32x128xbf16>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%q : tensor<?x32x128xbf16>) outs(%y0 : tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16>
  return %y : tensor<?x32x128xbf16>
}

// Upstream has two types for the first axes of x as one; those of y are none.
// CHECK-LABEL: func.func @empty_and_dynamic(
// CHECK-NOT: collapse_shape
// CHECK: norm.rms_norm {{.*}} ins(%{{.+}} : memref<0x?x64xf32>) outs(%{{.+}} : memref<0x3x64xf32>)
func.func @empty_and_dynamic(%x: memref<0x?x64xf32>, %y: memref<0x3x64xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<0x?x64xf32>) outs(%y : memref<0x3x64xf32>)
  return
}
