// RUN: rudnn-opt %s --norm-fold-views --cse | FileCheck %s
// RUN: rudnn-opt %s --norm-fold-views > %t.once
// RUN: rudnn-opt %s --norm-fold-views --norm-fold-views | diff %t.once -

// The view is made outside of the loops that leave it where it is.

// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[QKV:[a-z0-9]+]]: memref<?x3x64xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>
// CHECK: %[[M:.+]] = memref.dim %[[QKV]], %c0
// CHECK: %[[K:.+]] = memref.subview %[[QKV]][0, 1, 0] [%[[M]], 1, 64] [1, 1, 1] : memref<?x3x64xf32> to memref<?x64xf32, strided<[192, 1], offset: 64>>
// CHECK: scf.forall (%[[ROW:.+]]) in
// CHECK: vector.transfer_read %[[K]][%[[ROW]], %c0], %{{.+}} {in_bounds = [true, true]} : memref<?x64xf32, strided<[192, 1], offset: 64>>, vector<1x64xf32>
// CHECK: vector.transfer_write %{{.+}}, %[[Y]][%[[ROW]], %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<?x64xf32>
func.func @read(%qkv: memref<?x3x64xf32>, %y: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %qkv[%row, %c1, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<?x3x64xf32>, vector<1x64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<?x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16>}
  return
}

// An axis that a loop moves along stays inside it; the one in front of the
// vector's, and what is behind it, are another matter.

// CHECK-LABEL: func.func @write(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[OUT:[a-z0-9]+]]: memref<5x8x3x64x2xf32>
// CHECK: scf.forall
// CHECK: scf.for %[[HEAD:.+]] = %c0 to %c3
// CHECK: %[[VIEW:.+]] = memref.subview %[[OUT]][0, 0, %[[HEAD]], 0, 1] [5, 8, 1, 64, 1] [1, 1, 1, 1, 1] : memref<5x8x3x64x2xf32> to memref<5x8x64xf32, strided<[3072, 384, 2], offset: ?>>
// CHECK: vector.transfer_write %{{.+}}, %[[VIEW]][%c4, %{{.+}}, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<5x8x64xf32
func.func @write(%x: memref<8x64xf32>, %out: memref<5x8x3x64x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    scf.for %head = %c0 to %c3 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
      vector.transfer_write %v, %out[%c4, %row, %head, %c0, %c1] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3)>} : vector<1x64xf32>, memref<5x8x3x64x2xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16>}
  return
}

// Left alone: no axis is skipped, axes change places, one value for all, and
// outside of row programs.

// CHECK-LABEL: func.func @other(
// CHECK-NOT: memref.subview
// CHECK: return
func.func @other(%x: memref<4x8x64xf32>, %y: memref<4x8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (4) {
    %a = vector.transfer_read %x[%row, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8x64xf32>, vector<8x64xf32>
    %b = vector.transfer_read %x[%c0, %row, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d0)>} : memref<4x8x64xf32>, vector<64x4xf32>
    %c = vector.transfer_read %x[%row, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, 0)>} : memref<4x8x64xf32>, vector<8x64xf32>
    %sum = arith.addf %a, %c : vector<8x64xf32>
    vector.transfer_write %sum, %y[%row, %c0, %c0] {in_bounds = [true, true]} : vector<8x64xf32>, memref<4x8x64xf32>
    vector.transfer_write %b, %y[%c0, %row, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d0)>} : vector<64x4xf32>, memref<4x8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16>}
  %v = vector.transfer_read %x[%c0, %c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<4x8x64xf32>, vector<4x64xf32>
  vector.transfer_write %v, %y[%c0, %c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<4x64xf32>, memref<4x8x64xf32>
  return
}
