// RUN: rudnn-opt %s --split-input-file --norm-set-cache-policies | FileCheck %s

// Reads and writes of rows are marked, first and later reads apart. gamma, a
// number per row, workgroup memory and sums over rows are not: they are small
// or used again.

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>, %[[SUMS:[a-z0-9]+]]: memref<4x64xf32>
// CHECK: vector.transfer_read %[[GAMMA]][{{.*}} {in_bounds = [true]} :
// CHECK: vector.transfer_read %[[X]]{{.*}} {in_bounds = [true], norm.cache = "evict_last"}
// CHECK: vector.transfer_read %[[RSTD]][{{.*}} {in_bounds = [true]} :
// CHECK: vector.transfer_read %[[X]]{{.*}} {in_bounds = [true], norm.cache = "evict_first", second_read}
// CHECK: %[[VIEW:.+]] = memref.subview %[[Y]]
// CHECK: vector.transfer_write %{{.+}}, %[[VIEW]]{{.*}} {in_bounds = [true], norm.cache = "streaming"}
// CHECK: vector.transfer_read %alloc[{{.*}} {in_bounds = [true]} :
// CHECK: vector.transfer_write %{{.+}}, %[[SUMS]]{{.*}} {in_bounds = [true]} :
func.func @rows(%x: memref<?x64xf32>, %rstd: memref<?xf32>, %gamma: memref<64xf32>, %y: memref<?x64xf32>, %sums: memref<4x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%part) in (4) {
    %alloc = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %sum = scf.for %row = %c0 to %m step %c1 iter_args(%acc = %zero) -> (vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      %r = vector.transfer_read %rstd[%row], %pad {in_bounds = [true]} : memref<?xf32>, vector<1xf32>
      %again = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true], second_read} : memref<?x64xf32>, vector<64xf32>
      %p = arith.mulf %again, %g : vector<64xf32>
      %view = memref.subview %y[%row, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      vector.transfer_write %p, %view[%c0, %c0] {in_bounds = [true]} : vector<64xf32>, memref<1x64xf32, strided<[64, 1], offset: ?>>
      %w = vector.transfer_read %alloc[%c0], %pad {in_bounds = [true]} : memref<64xf32, #gpu.address_space<workgroup>>, vector<64xf32>
      %next = arith.addf %acc, %v : vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    vector.transfer_write %sum, %sums[%part, %c0] {in_bounds = [true]} : vector<64xf32>, memref<4x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, first_read = evict_last, second_read = evict_first, store = streaming>}
  return
}

// -----

// `normal` says nothing, so nothing is said.

// CHECK-LABEL: func.func @normal(
// CHECK-NOT: norm.cache
// CHECK: vector.transfer_write {{.*}} norm.cache = "no_allocate"
// CHECK-NOT: norm.cache
// CHECK: return
func.func @normal(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, store = no_allocate>}
  return
}
