// RUN: rudnn-opt %s --split-input-file --norm-reload-rows --canonicalize | FileCheck %s

// After the reduction x is read a second time, marked so that the two stay
// apart, and what was made of it is made again. gamma is no row: it is kept, and
// so is a number per row.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xbf16>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>
// CHECK: %[[G:.+]] = vector.transfer_read %[[GAMMA]]
// CHECK: %[[FIRST:.+]] = vector.transfer_read %[[X]]
// CHECK-NOT: second_read
// CHECK: %[[F1:.+]] = arith.extf %[[FIRST]]
// CHECK: %[[SQUARE:.+]] = arith.mulf %[[F1]], %[[F1]]
// CHECK: vector.multi_reduction <add>, %[[SQUARE]]
// CHECK-NEXT: %[[SECOND:.+]] = vector.transfer_read %[[X]]{{.*}} second_read
// CHECK-NEXT: %[[F2:.+]] = arith.extf %[[SECOND]]
// CHECK-NOT: transfer_read
// CHECK: arith.mulf %[[F2]], %{{.+}}
// CHECK-NOT: transfer_read
// CHECK: vector.transfer_write
func.func @forward(%x: memref<8x64xbf16>, %gamma: memref<64xf32>, %y: memref<8x64xbf16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %g = vector.transfer_read %gamma[%c0], %padf {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xbf16>, vector<1x64xbf16>
    %f = arith.extf %v : vector<1x64xbf16> to vector<1x64xf32>
    %square = arith.mulf %f, %f : vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %square, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %rstd = math.rsqrt %sum : vector<1xf32>
    %r = vector.extract %rstd[0] : f32 from vector<1xf32>
    %rb = vector.broadcast %r : f32 to vector<1x64xf32>
    %gb = vector.broadcast %g : vector<64xf32> to vector<1x64xf32>
    %n = arith.mulf %f, %rb : vector<1x64xf32>
    %ng = arith.mulf %n, %gb : vector<1x64xf32>
    %out = arith.truncf %ng : vector<1x64xf32> to vector<1x64xbf16>
    vector.transfer_write %out, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xbf16>, memref<8x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}

// -----

// With stage = shared the second read goes to workgroup memory, as the first.

// CHECK-LABEL: func.func @shared(
// CHECK: %[[RING:.+]] = memref.alloc() : memref<2x1x64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] =
// CHECK-NEXT: vector.transfer_read %[[RING]][%[[SLOT]], %c0, %c0]
// CHECK-NEXT: vector.multi_reduction
// CHECK-NEXT: vector.transfer_read %[[RING]][%[[SLOT]], %c0, %c0]{{.*}} second_read
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @shared(%y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%part) in (1) {
    %ring = memref.alloc() : memref<2x1x64xf32, #gpu.address_space<workgroup>>
    scf.for %row = %c0 to %c8 step %c1 iter_args(%slot = %c0) -> (index) {
      %v = vector.transfer_read %ring[%slot, %c0, %c0], %pad {in_bounds = [true, true]} : memref<2x1x64xf32, #gpu.address_space<workgroup>>, vector<1x64xf32>
      %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
      %r = vector.extract %sum[0] : f32 from vector<1xf32>
      %rb = vector.broadcast %r : f32 to vector<1x64xf32>
      %n = arith.mulf %v, %rb : vector<1x64xf32>
      vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
      %next = arith.subi %c1, %slot : index
      scf.yield %next : index
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = shared>}
  return
}

// -----

// Two reductions along the row, two reads again: after each.

// CHECK-LABEL: func.func @two_reductions(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.multi_reduction <maximumf>
// CHECK: vector.transfer_read %[[X]]{{.*}} second_read
// CHECK: math.exp
// CHECK: vector.multi_reduction <add>
// CHECK: vector.transfer_read %[[X]]{{.*}} second_read
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @two_reductions(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %least = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %max = vector.multi_reduction <maximumf>, %v, %least [1] : vector<1x64xf32> to vector<1xf32>
    %m = vector.extract %max[0] : f32 from vector<1xf32>
    %mb = vector.broadcast %m : f32 to vector<1x64xf32>
    %d = arith.subf %v, %mb : vector<1x64xf32>
    %e = math.exp %d : vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %s = vector.extract %sum[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x64xf32>
    %q = arith.divf %e, %sb : vector<1x64xf32>
    vector.transfer_write %q, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}

// -----

// In place: the row is read again before it is written.

// CHECK-LABEL: func.func @in_place(
// CHECK: vector.transfer_read
// CHECK: vector.multi_reduction
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK: return
func.func @in_place(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %r = vector.extract %sum[0] : f32 from vector<1xf32>
    %rb = vector.broadcast %r : f32 to vector<1x64xf32>
    %n = arith.mulf %v, %rb : vector<1x64xf32>
    vector.transfer_write %n, %x[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}

// -----

// What is written before the sum is known, or in another place, can't be read
// again: it may be overwritten by then.

// CHECK-LABEL: func.func @written_before(
// CHECK-COUNT-1: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK-LABEL: func.func @elsewhere(
// CHECK-COUNT-1: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @written_before(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %double = arith.addf %v, %v : vector<1x64xf32>
    vector.transfer_write %double, %x[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %r = vector.extract %sum[0] : f32 from vector<1xf32>
    %rb = vector.broadcast %r : f32 to vector<1x64xf32>
    %n = arith.mulf %v, %rb : vector<1x64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}
func.func @elsewhere(%x: memref<8x65xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x65xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %r = vector.extract %sum[0] : f32 from vector<1xf32>
    %rb = vector.broadcast %r : f32 to vector<1x64xf32>
    %n = arith.mulf %v, %rb : vector<1x64xf32>
    vector.transfer_write %n, %x[%row, %c1] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x65xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, stage = reload>}
  return
}

// -----

// A sum over rows is none along them, and rows in registers stay there.

// CHECK-LABEL: func.func @over_rows(
// CHECK-COUNT-1: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @over_rows(%x: memref<8x64xf32>, %y: memref<8x64xf32>, %s: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%row) = (0) to (8) step (4) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<4x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [0] : vector<4x64xf32> to vector<64xf32>
    vector.transfer_write %sum, %s[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true, true]} : vector<4x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4, stage = reload>}
  return
}

// -----

// CHECK-LABEL: func.func @registers(
// CHECK-COUNT-1: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @registers(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xf32> to vector<1xf32>
    %r = vector.extract %sum[0] : f32 from vector<1xf32>
    %rb = vector.broadcast %r : f32 to vector<1x64xf32>
    %n = arith.mulf %v, %rb : vector<1x64xf32>
    vector.transfer_write %n, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}
