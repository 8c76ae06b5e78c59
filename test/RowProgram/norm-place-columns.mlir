// RUN: rudnn-opt %s --split-input-file --norm-place-columns --canonicalize | FileCheck %s

// Columns that are the same for all rows, in registers: read before anything
// else, so that the reads of rows need not wait behind them.

// CHECK-LABEL: func.func @registers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>
// CHECK: scf.forall
// CHECK-NEXT: vector.transfer_read %[[GAMMA]]
// CHECK-NEXT: vector.transfer_read %[[X]]
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @registers(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %s = vector.extract %sum[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x64xf32>
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %gb = vector.broadcast %g : vector<64xf32> to vector<1x64xf32>
    %n = arith.mulf %sb, %gb : vector<1x64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// A read in a loop over rows comes out of it, several in the order in which they
// were.

// CHECK-LABEL: func.func @out_of_loop(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[BETA:[a-z0-9]+]]: memref<64xbf16>
// CHECK: scf.forall
// CHECK-NEXT: vector.transfer_read %[[GAMMA]]
// CHECK-NEXT: vector.transfer_read %[[BETA]]
// CHECK: scf.for
// CHECK-NEXT: vector.transfer_read %[[X]]
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @out_of_loop(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %beta: memref<64xbf16>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  %padb = arith.constant 0.0 : bf16
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c1 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
      %b = vector.transfer_read %beta[%c0], %padb {in_bounds = [true]} : memref<64xbf16>, vector<64xbf16>
      %f = arith.extf %b : vector<64xbf16> to vector<64xf32>
      %n = arith.mulf %v, %g : vector<64xf32>
      %o = arith.addf %n, %f : vector<64xf32>
      vector.transfer_write %o, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// Reload: where they are needed, after the reduction.

// CHECK-LABEL: func.func @reload(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.multi_reduction
// CHECK: %[[G:.+]] = vector.transfer_read %[[GAMMA]]
// CHECK-NEXT: vector.broadcast %[[G]]
func.func @reload(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %s = vector.extract %sum[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x64xf32>
    %gb = vector.broadcast %g : vector<64xf32> to vector<1x64xf32>
    %n = arith.mulf %sb, %gb : vector<1x64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, gamma = reload>}
  return
}

// -----

// Shared: copied once. With several rows of threads all of them write the same,
// and a barrier stands between that and the reads.

// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xbf16>
// CHECK: scf.forall
// CHECK-NEXT: %[[SHARED:.+]] = memref.alloc() {alignment = 16 : i64} : memref<64xbf16, #gpu.address_space<workgroup>>
// CHECK-NEXT: %[[G:.+]] = vector.transfer_read %[[GAMMA]][%c0]
// CHECK-NEXT: vector.transfer_write %[[G]], %[[SHARED]][%c0] {in_bounds = [true]}
// CHECK-NEXT: gpu.barrier
// CHECK: scf.for
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.transfer_read %[[SHARED]][%c0], %{{.+}} {in_bounds = [true]}
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @shared(%x: memref<8x64xf32>, %gamma: memref<64xbf16>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  %padb = arith.constant 0.0 : bf16
  scf.forall (%part) in (1) {
    scf.for %row = %c0 to %c8 step %c2 {
      %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<2x64xf32>
      %g = vector.transfer_read %gamma[%c0], %padb {in_bounds = [true]} : memref<64xbf16>, vector<64xbf16>
      %f = arith.extf %g : vector<64xbf16> to vector<64xf32>
      %gb = vector.broadcast %f : vector<64xf32> to vector<2x64xf32>
      %n = arith.mulf %v, %gb : vector<2x64xf32>
      vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<2x64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 2, gamma = shared>}
  return
}

// -----

// With one row of threads each reads what it wrote itself: no barrier.

// CHECK-LABEL: func.func @shared_one_row(
// CHECK: memref.alloc
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @shared_one_row(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %n = arith.mulf %v, %g : vector<64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, gamma = shared>}
  return
}

// -----

// What the program writes is no constant of it, and programs for a CPU stay.

// CHECK-LABEL: func.func @left_alone(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[SUM:[a-z0-9]+]]: memref<64xf32>
// CHECK: scf.forall
// CHECK-NEXT: vector.transfer_read %[[X]]
// CHECK-NEXT: vector.transfer_read %[[SUM]]
// CHECK: scf.forall
// CHECK-NEXT: vector.transfer_read %[[X]]
// CHECK-NEXT: vector.transfer_read %[[SUM]]
func.func @left_alone(%x: memref<8x64xf32>, %sum: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %s = vector.transfer_read %sum[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %n = arith.addf %v, %s : vector<64xf32>
    vector.transfer_write %n, %sum[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %s = vector.transfer_read %sum[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %n = arith.mulf %v, %s : vector<64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}
