// RUN: rudnn-opt %s --norm-expand-copies | FileCheck %s

// CHECK-LABEL: func.func @strided(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32, strided<[72, 1], offset: ?>>, %[[Y:[a-z0-9]+]]: memref<8x64xf32>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[Y]] : memref<8x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : memref<8x64xf32>) outs(%[[X]] :
func.func @strided(%x: memref<8x64xf32, strided<[72, 1], offset: ?>>, %y: memref<8x64xf32>) {
  memref.copy %x, %y : memref<8x64xf32, strided<[72, 1], offset: ?>> to memref<8x64xf32>
  memref.copy %y, %x : memref<8x64xf32> to memref<8x64xf32, strided<[72, 1], offset: ?>>
  return
}

// What is contiguous is one block of memory to copy.
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @plain(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  memref.copy %x, %y : memref<?x64xf32> to memref<?x64xf32>
  return
}

// CHECK-LABEL: func.func @unranked(
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @unranked(%x: memref<*xf32>, %y: memref<*xf32>) {
  memref.copy %x, %y : memref<*xf32> to memref<*xf32>
  return
}
