// RUN: rudnn-opt %s --split-input-file --norm-stage-rows --canonicalize --cse | FileCheck %s
// RUN: rudnn-opt %s --split-input-file --norm-stage-rows --norm-stage-rows --canonicalize --cse | FileCheck %s

// Rows of one piece come through a ring of three slots: the copies of the first
// three tiles are started before the loop, as far as there are tiles, each
// tile's a group of its own. An iteration waits for its tile, the oldest of
// three, reads its slot, and when it is done fills the slot with the tile three
// ahead. Slots take turns. A second run of the pass finds nothing to do.

// CHECK-LABEL: func.func @ring(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xbf16>, %[[DY:[a-z0-9]+]]: memref<?x64xf32>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[OUT:[a-z0-9]+]]: memref<?x64xf32>, %[[FIRST:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: scf.forall
// CHECK-DAG: %[[RX:.+]] = memref.alloc() {alignment = 16 : i64} : memref<3x2x64xbf16, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[RDY:.+]] = memref.alloc() {alignment = 16 : i64} : memref<3x2x64xf32, #gpu.address_space<workgroup>>

// CHECK: %[[HAS0:.+]] = arith.cmpi slt, %[[FIRST]], %[[M]]
// CHECK: scf.if %[[HAS0]] {
// CHECK-NEXT: norm.copy_rows %[[X]][%[[FIRST]], %c0] to %[[RX]][%c0, %c0, %c0] in_bounds [false, true] : vector<2x64xbf16>
// CHECK-NEXT: norm.copy_rows %[[DY]][%[[FIRST]], %c0] to %[[RDY]][%c0, %c0, %c0] in_bounds [false, true] : vector<2x64xf32>
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: %[[ROW1:.+]] = arith.addi %[[FIRST]], %c2
// CHECK: %[[HAS1:.+]] = arith.cmpi slt, %[[ROW1]], %[[M]]
// CHECK: scf.if %[[HAS1]] {
// CHECK: norm.copy_rows %[[X]][%[[ROW1]], %c0] to %[[RX]][%c1, %c0, %c0]
// CHECK: nvvm.cp.async.commit.group
// CHECK: %[[ROW2:.+]] = arith.addi %[[FIRST]], %c4
// CHECK: scf.if
// CHECK: norm.copy_rows %[[X]][%[[ROW2]], %c0] to %[[RX]][%c2, %c0, %c0]
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: nvvm.cp.async.wait.group

// CHECK: scf.for %[[ROW:[a-z0-9]+]] = %[[FIRST]] to %[[M]] step %c2 iter_args(%[[SLOT:[a-z0-9]+]] = %c0)
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK: vector.transfer_read %[[RX]][%[[SLOT]], %c0, %c0], %{{.+}} {in_bounds = [true, true]}
// CHECK: vector.transfer_read %[[RDY]][%[[SLOT]], %c0, %c0], %{{.+}} {in_bounds = [true, true]}
// One number for each row is no row.
// CHECK: vector.transfer_read %[[RSTD]][%[[ROW]]]
// CHECK: vector.transfer_write %{{.+}}, %[[OUT]]
// CHECK: %[[AHEAD:.+]] = arith.addi %[[ROW]], %c6
// CHECK: %[[EXISTS:.+]] = arith.cmpi slt, %[[AHEAD]], %[[M]]
// CHECK: scf.if %[[EXISTS]] {
// CHECK-NEXT: norm.copy_rows %[[X]][%[[AHEAD]], %c0] to %[[RX]][%[[SLOT]], %c0, %c0]
// CHECK-NEXT: norm.copy_rows %[[DY]][%[[AHEAD]], %c0] to %[[RDY]][%[[SLOT]], %c0, %c0]
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[SLOT]], %c1
// CHECK-NEXT: %[[WRAPS:.+]] = arith.cmpi eq, %[[NEXT]], %c3
// CHECK-NEXT: %[[TURN:.+]] = arith.select %[[WRAPS]], %c0, %[[NEXT]]
// CHECK-NEXT: scf.yield %[[TURN]]
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @ring(%x: memref<?x64xbf16>, %dy: memref<?x64xf32>, %rstd: memref<?xf32>, %out: memref<?x64xf32>, %first: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %first to %m step %c2 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xbf16>, vector<2x64xbf16>
      %w = vector.transfer_read %dy[%row, %c0], %padf {in_bounds = [false, true]} : memref<?x64xf32>, vector<2x64xf32>
      %r = vector.transfer_read %rstd[%row], %padf : memref<?xf32>, vector<2xf32>
      %f = arith.extf %v : vector<2x64xbf16> to vector<2x64xf32>
      %rb = vector.broadcast %r : vector<2xf32> to vector<64x2xf32>
      %rt = vector.transpose %rb, [1, 0] : vector<64x2xf32> to vector<2x64xf32>
      %p = arith.mulf %f, %w : vector<2x64xf32>
      %q = arith.mulf %p, %rt : vector<2x64xf32>
      vector.transfer_write %q, %out[%row, %c0] {in_bounds = [false, true]} : vector<2x64xf32>, memref<?x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 2, stage = shared, stages = 3>}
  return
}

// -----

// One slot: it is refilled in place once its rows are used, and each copy is
// waited for. Nothing takes turns.

// CHECK-LABEL: func.func @one_slot(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>
// CHECK: %[[RING:.+]] = memref.alloc() {alignment = 16 : i64} : memref<1x1x64xf32, #gpu.address_space<workgroup>>
// CHECK: norm.copy_rows %[[X]][%c0, %c0] to %[[RING]][%c0, %c0, %c0]
// CHECK: scf.for %{{[a-z0-9]+}} = %c0 to %c8 step %c1 {
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: vector.transfer_read %[[RING]][%c0, %c0, %c0]
// CHECK: vector.transfer_write
// CHECK: norm.copy_rows %[[X]][%{{.+}}, %c0] to %[[RING]][%c0, %c0, %c0]
// CHECK: nvvm.cp.async.commit.group
func.func @one_slot(%x: memref<8x64xf32>, %out: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
      %w = arith.mulf %v, %v : vector<1x64xf32>
      vector.transfer_write %w, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared, stages = 1>}
  return
}

// -----

// In place: each iteration writes the rows that it has read, once it has them.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>
// CHECK: %[[RING:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x2x64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: vector.transfer_read %[[RING]]
// CHECK: vector.transfer_write %{{.+}}, %{{.+}}[%c0, %c0]
// CHECK: norm.copy_rows %{{.+}} to %[[RING]]
func.func @in_place(%x: memref<?x64xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %rows step %c2 {
      %left = affine.min affine_map<(d0)[s0] -> (-d0 + s0, 2)>(%row)[%rows]
      %two = memref.subview %x[%row, 0] [%left, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1], offset: ?>>
      %v = vector.transfer_read %two[%c0, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32, strided<[64, 1], offset: ?>>, vector<2x64xf32>
      %w = arith.mulf %v, %v : vector<2x64xf32>
      vector.transfer_write %w, %two[%c0, %c0] {in_bounds = [false, true]} : vector<2x64xf32>, memref<?x64xf32, strided<[64, 1], offset: ?>>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 2, stage = shared>}
  return
}

// -----

// Rows of three pieces, a ring and a group for each; the first has a slot more,
// and so a piece of the row after the next is under way. Four groups are when an
// iteration begins: it waits for its pieces one by one, and rows are put
// together from them. What is nearer is refilled first.

// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x150xf32>
// CHECK-DAG: %[[R0:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[R1:.+]] = memref.alloc() {alignment = 16 : i64} : memref<1x1x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[R2:.+]] = memref.alloc() {alignment = 16 : i64} : memref<1x1x22xf32, #gpu.address_space<workgroup>>
// CHECK: norm.copy_rows %[[X]][%c0, %c0] to %[[R0]][%c0, %c0, %c0] in_bounds [true, true] : vector<1x64xf32>
// CHECK: nvvm.cp.async.commit.group
// CHECK: norm.copy_rows %[[X]][%c0, %c64] to %[[R1]][%c0, %c0, %c0] in_bounds [true, true] : vector<1x64xf32>
// CHECK: nvvm.cp.async.commit.group
// CHECK: norm.copy_rows %[[X]][%c0, %c128] to %[[R2]][%c0, %c0, %c0] in_bounds [true, true] : vector<1x22xf32>
// CHECK: nvvm.cp.async.commit.group
// CHECK: norm.copy_rows %[[X]][%c1, %c0] to %[[R0]][%c1, %c0, %c0]
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for %[[ROW:[a-z0-9]+]] = {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] = %c0)
// CHECK-NEXT: nvvm.cp.async.wait.group 3
// CHECK-NEXT: %[[V0:.+]] = vector.transfer_read %[[R0]][%[[SLOT]], %c0, %c0]{{.*}} vector<1x64xf32>
// CHECK-NEXT: %[[S0:.+]] = vector.insert_strided_slice %[[V0]], %{{.+}} {offsets = [0, 0], strides = [1, 1]} : vector<1x64xf32> into vector<1x150xf32>
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK-NEXT: %[[V1:.+]] = vector.transfer_read %[[R1]][%c0, %c0, %c0]
// CHECK-NEXT: %[[S1:.+]] = vector.insert_strided_slice %[[V1]], %[[S0]] {offsets = [0, 64]
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: %[[V2:.+]] = vector.transfer_read %[[R2]][%c0, %c0, %c0]
// CHECK-NEXT: %[[S2:.+]] = vector.insert_strided_slice %[[V2]], %[[S1]] {offsets = [0, 128]
// CHECK: arith.mulf %[[S2]], %[[S2]]
// CHECK: vector.transfer_write
// CHECK: %[[NEXT:.+]] = arith.addi %[[ROW]], %c1
// CHECK: norm.copy_rows %[[X]][%[[NEXT]], %c64] to %[[R1]]
// CHECK: nvvm.cp.async.commit.group
// CHECK: norm.copy_rows %[[X]][%[[NEXT]], %c128] to %[[R2]]
// CHECK: nvvm.cp.async.commit.group
// CHECK: %[[SECOND:.+]] = arith.addi %[[ROW]], %c2
// CHECK: norm.copy_rows %[[X]][%[[SECOND]], %c0] to %[[R0]][%[[SLOT]], %c0, %c0]
// CHECK: nvvm.cp.async.commit.group
func.func @pieces(%x: memref<?x150xf32>, %out: memref<?x150xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %m step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x150xf32>, vector<1x150xf32>
      %w = arith.mulf %v, %v : vector<1x150xf32>
      vector.transfer_write %w, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x150xf32>, memref<?x150xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared, stages = 1, extra = 1>}
  return
}

// -----

// A last piece of one column would look like one number per row.

// CHECK-LABEL: func.func @single_column(
// CHECK-DAG: memref.alloc() {alignment = 16 : i64} : memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() {alignment = 16 : i64} : memref<2x1x65xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @single_column(%x: memref<?x129xf32>, %out: memref<?x129xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %m step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x129xf32>, vector<1x129xf32>
      %w = arith.mulf %v, %v : vector<1x129xf32>
      vector.transfer_write %w, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x129xf32>, memref<?x129xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared>}
  return
}

// -----

// Views made in the loop are made for the copies too, at the rows that they
// are of.

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>
// CHECK: scf.forall
// CHECK: scf.for %[[ROW:[a-z0-9]+]] =
// CHECK: %[[AHEAD:.+]] = arith.addi %[[ROW]], %c2
// CHECK: scf.if
// CHECK: %[[VIEW:.+]] = memref.subview %[[X]][%[[AHEAD]], 0] [1, 64] [1, 1]
// CHECK: norm.copy_rows %[[VIEW]][%c0, %c0]
func.func @views(%x: memref<?x64xf32>, %out: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %m step %c1 {
      %view = memref.subview %x[%row, 0] [1, 64] [1, 1] : memref<?x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
      %v = vector.transfer_read %view[%c0, %c0], %pad {in_bounds = [true, true]} : memref<1x64xf32, strided<[64, 1], offset: ?>>, vector<1x64xf32>
      %w = arith.mulf %v, %v : vector<1x64xf32>
      vector.transfer_write %w, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<?x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared>}
  return
}

// -----

// Rows that iterations before write are read when their turn comes: a copy
// started early would bring what they were before. gamma is the same for all rows.

// CHECK-LABEL: func.func @left_alone(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: norm.copy_rows
// CHECK: vector.transfer_read %[[GAMMA]]
// CHECK: vector.transfer_read %[[X]]
// CHECK-NOT: nvgpu
// CHECK: return
func.func @left_alone(%x: memref<8x64xf32>, %gamma: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c7 step %c1 {
      %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      %gb = vector.broadcast %g : vector<64xf32> to vector<1x64xf32>
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
      %w = arith.mulf %v, %gb : vector<1x64xf32>
      %next = arith.addi %row, %c1 : index
      vector.transfer_write %w, %x[%next, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared>}
  return
}

// -----

// Rows of which all columns are one element, as an expanded dy has them, can't
// be copied as they lie, and need not be.

// CHECK-LABEL: func.func @expanded(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x150xbf16>, %[[DY:[a-z0-9]+]]: memref<?x150xbf16, strided<[0, 0]>>, %[[DZ:[a-z0-9]+]]: memref<?x150xbf16, strided<[0, 1]>>
// CHECK-NOT: norm.copy_rows %[[DY]]
// CHECK: norm.copy_rows %[[X]]
// CHECK-NOT: norm.copy_rows %[[DY]]
// CHECK: norm.copy_rows %[[DZ]]
// CHECK: scf.for %[[ROW:[a-z0-9]+]] =
// CHECK: nvvm.cp.async.wait.group
// CHECK-NOT: vector.transfer_read %[[X]]
// CHECK: vector.transfer_read %[[DY]][%[[ROW]], %c0], %{{.+}} {in_bounds = [true, true]} : memref<?x150xbf16, strided<[0, 0]>>, vector<1x150xbf16>
// CHECK-NOT: norm.copy_rows %[[DY]]
// CHECK: return
func.func @expanded(%x: memref<?x150xbf16>, %dy: memref<?x150xbf16, strided<[0, 0]>>, %dz: memref<?x150xbf16, strided<[0, 1]>>, %out: memref<?x150xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : bf16
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %m step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x150xbf16>, vector<1x150xbf16>
      %d = vector.transfer_read %dy[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x150xbf16, strided<[0, 0]>>, vector<1x150xbf16>
      %e = vector.transfer_read %dz[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x150xbf16, strided<[0, 1]>>, vector<1x150xbf16>
      %w = arith.mulf %v, %d : vector<1x150xbf16>
      %z = arith.mulf %w, %e : vector<1x150xbf16>
      vector.transfer_write %z, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x150xbf16>, memref<?x150xbf16>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared, stages = 1, extra = 1>}
  return
}

// -----

// Other stages have no ring.

// CHECK-LABEL: func.func @registers(
// CHECK-NOT: memref.alloc
// CHECK-NOT: norm.copy_rows
// CHECK: return
func.func @registers(%x: memref<8x64xf32>, %out: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
      vector.transfer_write %v, %out[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}

// -----

// No piece is a single column, which would look like a number per row.

// CHECK-LABEL: func.func @columns(
// CHECK-NOT: vector<4x1xf32>
// CHECK: norm.copy_rows {{.+}} : vector<4x2xf32>
// CHECK: norm.copy_rows {{.+}} : vector<4x3xf32>
func.func @columns(%x: memref<8x5xf32>, %out: memref<8x5xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c4 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x5xf32>, vector<4x5xf32>
      vector.transfer_write %v, %out[%row, %c0] {in_bounds = [true, true]} : vector<4x5xf32>, memref<8x5xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 1, threads = 1, rows = 4, stage = shared, stages = 1>}
  return
}
