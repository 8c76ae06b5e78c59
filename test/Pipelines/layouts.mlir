// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3" --mlir-print-ir-after=norm-distribute 2>&1 | FileCheck %s --implicit-check-not=memref.copy --implicit-check-not=memref.alloc

// Every layout that the ops take is read and written where it is.

// CHECK: IR Dump After NormDistribute

// CHECK-LABEL: func.func @rank_1(
// CHECK: vector.load
// CHECK: vector.store
func.func @rank_1(%x: memref<512xf32>, %y: memref<512xf32>, %rstd: memref<f32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<512xf32>) outs(%y, %rstd : memref<512xf32>, memref<f32>)
  return
}

// CHECK-LABEL: func.func @row_strided(
// CHECK: vector.load {{.*}} strided<[576, 1]
// CHECK: vector.store {{.*}} strided<[46, 1]
func.func @row_strided(%x: memref<8x32xbf16, strided<[576, 1], offset: ?>>, %y: memref<8x32xbf16, strided<[46, 1], offset: 3>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x32xbf16, strided<[576, 1], offset: ?>>) outs(%y : memref<8x32xbf16, strided<[46, 1], offset: 3>>)
  return
}

// CHECK-LABEL: func.func @heads(
// CHECK: scf.forall (%{{.+}}, %{{.+}}) in
// CHECK: vector.load {{.*}} memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>
func.func @heads(%q: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, %y: memref<?x32x128xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%q : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>) outs(%y : memref<?x32x128xbf16>)
  return
}

// One value of dy for a row, or for everything.
// CHECK-LABEL: func.func @expanded(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[DY:[a-z0-9]+]]: memref<8x64xf32, strided<[1, 0]>>, %[[ONE:[a-z0-9]+]]: memref<8x64xf32, strided<[0, 0]>>
// CHECK: memref.load %[[DY]]
// CHECK: memref.load %[[ONE]]
func.func @expanded(%x: memref<8x64xf32>, %dy: memref<8x64xf32, strided<[1, 0]>>, %one: memref<8x64xf32, strided<[0, 0]>>, %rstd: memref<8xf32>, %dx: memref<8x64xf32>, %dz: memref<8x64xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<8x64xf32>, memref<8x64xf32, strided<[1, 0]>>, memref<8xf32>) input_grad(%dx : memref<8x64xf32>)
  norm.rms_norm_backward ins(%x, %one, %rstd : memref<8x64xf32>, memref<8x64xf32, strided<[0, 0]>>, memref<8xf32>) input_grad(%dz : memref<8x64xf32>)
  return
}

// The stride of the only column is never taken.
// CHECK-LABEL: func.func @one_column(
// CHECK: math.rsqrt
func.func @one_column(%x: memref<8x1xf32, strided<[5, 5]>>, %y: memref<8x1xf32, strided<[5, 5]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x1xf32, strided<[5, 5]>>) outs(%y : memref<8x1xf32, strided<[5, 5]>>)
  return
}

// CHECK: llvm.func @one_column(
