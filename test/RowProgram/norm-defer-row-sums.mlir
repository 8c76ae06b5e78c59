// RUN: rudnn-opt %s --split-input-file --norm-defer-row-sums | FileCheck %s

// The loop carries a sum for each row of the tile. What it started from is added
// once, after the loop, to the sum of the rows.

// CHECK-LABEL: func.func @deferred(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[SUMS:[a-z0-9]+]]: memref<8x64xf32>
// CHECK: %[[BEFORE:.+]] = vector.transfer_read %[[SUMS]]
// CHECK: %[[ZEROS:.+]] = arith.constant dense<0.000000e+00> : vector<4x64xf32>
// CHECK: %[[ROWS:.+]] = scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[ZEROS]]) -> (vector<4x64xf32>) {
// CHECK: %[[V:.+]] = vector.transfer_read %[[X]]
// CHECK-NOT: vector.multi_reduction
// CHECK: %[[NEXT:.+]] = arith.addf %[[ACC]], %[[V]] fastmath<contract> : vector<4x64xf32>
// CHECK: scf.yield %[[NEXT]] : vector<4x64xf32>
// CHECK: %[[SUM:.+]] = vector.multi_reduction <add>, %[[ROWS]], %[[BEFORE]] [0] : vector<4x64xf32> to vector<64xf32>
// CHECK: vector.transfer_write %[[SUM]], %[[SUMS]]
func.func @deferred(%x: memref<?x64xf32>, %sums: memref<8x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (8) {
    %before = vector.transfer_read %sums[%part, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %sum = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %before) -> (vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
      %next = vector.multi_reduction <add>, %v, %acc [0] : vector<4x64xf32> to vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    vector.transfer_write %sum, %sums[%part, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

// Each of several sums; what is carried besides stays as it is.

// CHECK-LABEL: func.func @several(
// CHECK: scf.for {{.*}} -> (vector<4x64xf32>, index, vector<4x64xf32>)
// CHECK: scf.yield %{{.+}}, %{{.+}}, %{{.+}} : vector<4x64xf32>, index, vector<4x64xf32>
// CHECK-COUNT-2: vector.multi_reduction <add>
// CHECK: return
func.func @several(%x: memref<?x64xf32>, %sums: memref<2x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%part) in (1) {
    %sum:3 = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %zero, %n = %c0, %squares = %zero) -> (vector<64xf32>, index, vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
      %next = vector.multi_reduction <add>, %v, %acc [0] : vector<4x64xf32> to vector<64xf32>
      %v2 = arith.mulf %v, %v : vector<4x64xf32>
      %n1 = arith.addi %n, %c1 : index
      %nextSquares = vector.multi_reduction <add>, %v2, %squares [0] : vector<4x64xf32> to vector<64xf32>
      scf.yield %next, %n1, %nextSquares : vector<64xf32>, index, vector<64xf32>
    }
    vector.transfer_write %sum#0, %sums[%c0, %c0] {in_bounds = [true]} : vector<64xf32>, memref<2x64xf32>
    vector.transfer_write %sum#2, %sums[%c1, %c0] {in_bounds = [true]} : vector<64xf32>, memref<2x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

// A product is no sum, and zeros are not where it starts.

// CHECK-LABEL: func.func @product(
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK: vector.multi_reduction <mul>
// CHECK: scf.yield
// CHECK-NOT: vector.multi_reduction
// CHECK: return
func.func @product(%x: memref<?x64xf32>, %out: memref<64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 1.0 : f32
  %one = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%part) in (1) {
    %sum = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %one) -> (vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
      %next = vector.multi_reduction <mul>, %v, %acc [0] : vector<4x64xf32> to vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    vector.transfer_write %sum, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

// Running sums are looked at in each iteration, so they have to be there.

// CHECK-LABEL: func.func @running(
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK: vector.multi_reduction <add>
// CHECK: scf.yield
// CHECK-NOT: vector.multi_reduction
// CHECK: return
func.func @running(%x: memref<?x64xf32>, %out: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%part) in (1) {
    %sum = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %zero) -> (vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
      %next = vector.multi_reduction <add>, %v, %acc [0] : vector<4x64xf32> to vector<64xf32>
      vector.transfer_write %next, %out[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
      scf.yield %next : vector<64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

// The sum so far has another use.

// CHECK-LABEL: func.func @used(
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK: vector.multi_reduction <add>
// CHECK: scf.yield
// CHECK-NOT: vector.multi_reduction
// CHECK: return
func.func @used(%x: memref<?x64xf32>, %out: memref<64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%part) in (1) {
    %sum = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %zero) -> (vector<64xf32>) {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
      %spread = vector.broadcast %acc : vector<64xf32> to vector<4x64xf32>
      %difference = arith.subf %v, %spread : vector<4x64xf32>
      %next = vector.multi_reduction <add>, %difference, %acc [0] : vector<4x64xf32> to vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    vector.transfer_write %sum, %out[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

// A loop that is in no row program stays.

// CHECK-LABEL: func.func @no_program(
// CHECK: scf.for {{.*}} -> (vector<64xf32>)
// CHECK: vector.multi_reduction <add>
// CHECK: scf.yield
func.func @no_program(%x: memref<?x64xf32>, %m: index) -> vector<64xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %sum = scf.for %row = %c0 to %m step %c4 iter_args(%acc = %zero) -> (vector<64xf32>) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
    %next = vector.multi_reduction <add>, %v, %acc [0] : vector<4x64xf32> to vector<64xf32>
    scf.yield %next : vector<64xf32>
  }
  return %sum : vector<64xf32>
}
