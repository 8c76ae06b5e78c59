// RUN: rudnn-opt %s --split-input-file --norm-carry-rows --canonicalize --cse | FileCheck %s

// An iteration starts with the reads of the next one, of the row of threads'
// last iteration at most, and the values go over in registers: a row and the
// number that belongs to it. Before the loop the first are read, if there are
// any. What is computed stays where it is, as do columns and reads that do not
// depend on the row.

// CHECK-DAG: #[[LEFT:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xbf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>, %[[FIRST:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[LENGTH:.+]] = arith.subi %[[M]], %[[FIRST]]
// CHECK: %[[BEFORE:.+]] = arith.subi %[[LENGTH]], %c1
// CHECK: %[[STEPS:.+]] = arith.divui %[[BEFORE]], %c2
// CHECK: %[[DISTANCE:.+]] = arith.muli %[[STEPS]], %c2
// CHECK: %[[LAST:.+]] = arith.addi %[[FIRST]], %[[DISTANCE]]
// CHECK: %[[ANY:.+]] = arith.cmpi slt, %[[FIRST]], %[[M]]
// CHECK: %[[START:.+]]:2 = scf.if %[[ANY]] -> (vector<2x64xbf16>, vector<2xf32>) {
// CHECK-DAG: %[[X0:.+]] = vector.transfer_read
// CHECK-DAG: %[[R0:.+]] = vector.transfer_read %[[RSTD]][%[[FIRST]]]
// CHECK: scf.yield %[[X0]], %[[R0]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{.+}}, %{{.+}} : vector<2x64xbf16>, vector<2xf32>
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %[[FIRST]] to %[[M]] step %c2 iter_args(%[[XC:.+]] = %[[START]]#0, %[[RC:.+]] = %[[START]]#1) -> (vector<2x64xbf16>, vector<2xf32>)
// CHECK: %[[FOLLOWING:.+]] = arith.addi %[[ROW]], %c2
// CHECK: %[[NEXT:.+]] = arith.minsi %[[FOLLOWING]], %[[LAST]]
// CHECK-DAG: %[[COUNT:.+]] = affine.min #[[LEFT]](%[[NEXT]])[%[[M]]]
// CHECK-DAG: %[[VIEW:.+]] = memref.subview %[[X]][%[[NEXT]], 0] [%[[COUNT]], 64] [1, 1]
// CHECK-DAG: %[[XN:.+]] = vector.transfer_read %[[VIEW]][%c0, %c0]
// CHECK-DAG: %[[RN:.+]] = vector.transfer_read %[[RSTD]][%[[NEXT]]]
// CHECK: arith.extf %[[XC]]
// CHECK: vector.transfer_read %[[GAMMA]]
// CHECK: vector.broadcast %[[RC]]
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write %{{.+}}, %[[Y]][%[[ROW]], %c0]
// CHECK: scf.yield %[[XN]], %[[RN]]
func.func @carried(%x: memref<?x64xbf16>, %rstd: memref<?xf32>, %gamma: memref<64xf32>, %y: memref<?x64xf32>, %first: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %first to %m step %c2 {
      %count = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 2)>(%row)[%m]
      %view = memref.subview %x[%row, 0] [%count, 64] [1, 1] : memref<?x64xbf16> to memref<?x64xbf16, strided<[64, 1], offset: ?>>
      %v = vector.transfer_read %view[%c0, %c0], %pad {in_bounds = [false, true]} : memref<?x64xbf16, strided<[64, 1], offset: ?>>, vector<2x64xbf16>
      %f = arith.extf %v : vector<2x64xbf16> to vector<2x64xf32>
      %g = vector.transfer_read %gamma[%c0], %padf {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      %r = vector.transfer_read %rstd[%row], %padf : memref<?xf32>, vector<2xf32>
      %rb = vector.broadcast %r : vector<2xf32> to vector<64x2xf32>
      %rt = vector.transpose %rb, [1, 0] : vector<64x2xf32> to vector<2x64xf32>
      %gb = vector.broadcast %g : vector<64xf32> to vector<2x64xf32>
      %p = arith.mulf %f, %rt : vector<2x64xf32>
      %q = arith.mulf %p, %gb : vector<2x64xf32>
      vector.transfer_write %q, %y[%row, %c0] {in_bounds = [false, true]} : vector<2x64xf32>, memref<?x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 1, threads = 32, rows = 2>}
  return
}

// -----

// Where rows come through workgroup memory, only what is not on its way already:
// reads of a slot of the ring are left where they are.

// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[RSTD:[a-z0-9]+]]: memref<8xf32>
// CHECK: %[[RING:.+]] = memref.alloc()
// CHECK: %[[R0:.+]] = vector.transfer_read %[[RSTD]][%c0]
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = {{.*}} -> (index, vector<1xf32>)
// CHECK-DAG: %[[RN:.+]] = vector.transfer_read %[[RSTD]]
// CHECK-DAG: %[[V:.+]] = vector.transfer_read %[[RING]]
// CHECK: vector.transfer_write
// CHECK: scf.yield %{{.+}}, %[[RN]] : index, vector<1xf32>
func.func @shared(%rstd: memref<8xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    %ring = memref.alloc() : memref<2x1x64xf32, #gpu.address_space<workgroup>>
    scf.for %row = %c0 to %c8 step %c1 iter_args(%slot = %c0) -> (index) {
      %v = vector.transfer_read %ring[%slot, %c0, %c0], %pad {in_bounds = [true, true]} : memref<2x1x64xf32, #gpu.address_space<workgroup>>, vector<1x64xf32>
      %r = vector.transfer_read %rstd[%row], %pad {in_bounds = [true]} : memref<8xf32>, vector<1xf32>
      %s = vector.extract %r[0] : f32 from vector<1xf32>
      %rb = vector.broadcast %s : f32 to vector<1x64xf32>
      %p = arith.mulf %v, %rb : vector<1x64xf32>
      vector.transfer_write %p, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
      %next = arith.subi %c1, %slot : index
      scf.yield %next : index
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared>}
  return
}

// -----

// A row that only its own iteration writes, where it was read.

// CHECK-LABEL: func.func @in_place(
// CHECK: vector.transfer_read
// CHECK: scf.for {{.*}} iter_args(%[[HERE:.+]] = {{.*}}) -> (vector<64xf32>) {
// CHECK: vector.transfer_read
// CHECK: arith.mulf %[[HERE]], %[[HERE]]
// CHECK: vector.transfer_write
// CHECK: return
func.func @in_place(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      %w = arith.mulf %v, %v : vector<64xf32>
      vector.transfer_write %w, %x[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 1, threads = 32>}
  return
}

// -----

// Rows that other iterations may write are read when it is their turn: two rows
// at each step of one, the row behind, other columns of the same row.

// CHECK-LABEL: func.func @not_apart(
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for {{.*}} step %c1 {
// CHECK-NEXT: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK-LABEL: func.func @behind(
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for {{.*}} step %c1 {
// CHECK-NEXT: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK-LABEL: func.func @beside(
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for {{.*}} step %c1 {
// CHECK-NEXT: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @not_apart(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c7 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<2x64xf32>
      %w = arith.mulf %v, %v : vector<2x64xf32>
      vector.transfer_write %w, %x[%row, %c0] {in_bounds = [true, true]} : vector<2x64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 1, threads = 32, rows = 2>}
  return
}
func.func @behind(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c7 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      %w = arith.mulf %v, %v : vector<64xf32>
      %next = arith.addi %row, %c1 : index
      vector.transfer_write %w, %x[%next, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 1, threads = 32>}
  return
}
func.func @beside(%x: memref<8x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x128xf32>, vector<64xf32>
      %w = arith.mulf %v, %v : vector<64xf32>
      vector.transfer_write %w, %x[%row, %c64] {in_bounds = [true]} : vector<64xf32>, memref<8x128xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 1, threads = 32>}
  return
}

// -----

// Nothing is asked for.

// CHECK-LABEL: func.func @no_prefetch(
// CHECK: scf.for {{.*}} step %c1 {
// CHECK-NEXT: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @no_prefetch(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// Two iterations ahead: two rows go over, and the second moves up.

// CHECK-LABEL: func.func @two_ahead(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>
// CHECK-DAG: %[[X0:.+]] = vector.transfer_read %[[X]][%c0, %c0]
// CHECK-DAG: %[[X1:.+]] = vector.transfer_read %[[X]][%c1, %c0]
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %c0 to %c8 step %c1 iter_args(%[[NOW:.+]] = %[[X0]], %[[NEXT:.+]] = %[[X1]])
// CHECK: %[[FOLLOWING:.+]] = arith.addi %[[ROW]], %c2
// CHECK: %[[LATER:.+]] = arith.minsi %[[FOLLOWING]], %c7
// CHECK: %[[X2:.+]] = vector.transfer_read %[[X]][%[[LATER]], %c0]
// CHECK: vector.transfer_write %[[NOW]], %{{.+}}[%[[ROW]], %c0]
// CHECK: scf.yield %[[NEXT]], %[[X2]]
func.func @two_ahead(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, prefetch = 2, threads = 32>}
  return
}
