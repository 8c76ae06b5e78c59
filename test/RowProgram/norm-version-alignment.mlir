// RUN: rudnn-opt %s --split-input-file --norm-version-alignment --canonicalize --cse | FileCheck %s

// Each buffer whose rows are accessed in pieces wider than its type allows is
// looked at: its pointer, and what its type leaves open, its offset and the
// distance of its rows. rstd is one number per row. The program in the first
// branch may rely on it, the one in the second is the same.

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xbf16>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xbf16, strided<[?, 1], offset: ?>>
// CHECK-NOT: %[[RSTD]]
// CHECK: %[[XP:.+]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-NEXT: %[[XLOW:.+]] = arith.andi %[[XP]], %c15
// CHECK-NEXT: %[[XOK:.+]] = arith.cmpi eq, %[[XLOW]], %c0
// CHECK-NEXT: %[[GP:.+]] = memref.extract_aligned_pointer_as_index %[[GAMMA]]
// CHECK-NEXT: %[[GLOW:.+]] = arith.andi %[[GP]], %c15
// CHECK-NEXT: %[[GOK:.+]] = arith.cmpi eq, %[[GLOW]], %c0
// CHECK-NEXT: %[[XGOK:.+]] = arith.andi %[[XOK]], %[[GOK]]
// CHECK-NEXT: %{{.+}}, %[[OFFSET:.+]], %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[Y]]
// CHECK-NEXT: %[[YP:.+]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK-NEXT: %[[OFFSETBYTES:.+]] = arith.muli %[[OFFSET]], %c2
// CHECK-NEXT: %[[YSTART:.+]] = arith.addi %[[YP]], %[[OFFSETBYTES]]
// CHECK-NEXT: %[[STEP:.+]] = arith.muli %[[STRIDES]]#0, %c2
// CHECK-NEXT: %[[BITS:.+]] = arith.ori %[[YSTART]], %[[STEP]]
// CHECK-NEXT: %[[YLOW:.+]] = arith.andi %[[BITS]], %c15
// CHECK-NEXT: %[[YOK:.+]] = arith.cmpi eq, %[[YLOW]], %c0
// CHECK-NEXT: %[[OK:.+]] = arith.andi %[[XGOK]], %[[YOK]]
// CHECK-NEXT: scf.if %[[OK]] {
// CHECK: scf.forall
// CHECK: vector.transfer_write
// CHECK: {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 8, threads = 8, rows = 4>}
// CHECK: } else {
// CHECK: scf.forall
// CHECK: vector.transfer_write
// CHECK-NOT: norm.aligned
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 8, rows = 4>}
func.func @kinds(%x: memref<?x64xbf16>, %g: memref<64xf32>, %rstd: memref<?xf32>, %y: memref<?x64xbf16, strided<[?, 1], offset: ?>>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xbf16>, vector<64xbf16>
    %r = vector.transfer_read %rstd[%row], %padf {in_bounds = [true]} : memref<?xf32>, vector<1xf32>
    %w = vector.transfer_read %g[%c0], %padf {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %view = memref.subview %y[%row, 0] [1, 64] [1, 1] : memref<?x64xbf16, strided<[?, 1], offset: ?>> to memref<1x64xbf16, strided<[?, 1], offset: ?>>
    vector.transfer_write %v, %view[%c0, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<1x64xbf16, strided<[?, 1], offset: ?>>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 8, rows = 4>}
  return
}

// -----

// Nothing is asked at run time of buffers that are known to be aligned.

// CHECK-LABEL: func.func @known(
// CHECK-NOT: scf.if
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: norm.aligned
// CHECK: return
func.func @known(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %xa = memref.assume_alignment %x, 16 : memref<?x64xbf16>
  %ya = memref.assume_alignment %y, 128 : memref<?x64xbf16>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %xa[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xbf16>, vector<64xbf16>
    vector.transfer_write %v, %ya[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 8>}
  return
}

// -----

// An assumption of 8 bytes is too little for pieces of 16, and enough for those
// of 8.

// CHECK-LABEL: func.func @assumed_8(
// CHECK: scf.if
// CHECK: norm.aligned
// CHECK: } else {
// CHECK: scf.forall
// CHECK: vector = 8
// CHECK: }
// CHECK-NOT: scf.if
// CHECK: vector = 4
// CHECK-NOT: norm.aligned
// CHECK: return
func.func @assumed_8(%x: memref<?x64xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %xa = memref.assume_alignment %x, 8 : memref<?x64xbf16>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %xa[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xbf16>, vector<64xbf16>
    vector.transfer_write %v, %xa[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 8>}
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %xa[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xbf16>, vector<64xbf16>
    vector.transfer_write %v, %xa[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  return
}

// -----

// What is read decides: for a result alone there is one version, as for the
// merge of parts, which reads a buffer of its own.

// CHECK-LABEL: func.func @result(
// CHECK-NOT: scf.if
// CHECK: return
func.func @result(%x: memref<?x64xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64xbf16>
  scf.forall (%row) in (%m) {
    vector.transfer_write %zero, %x[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 8>}
  return
}

// -----

// A distance of rows that is known and odd leaves no piece wider than an
// element, wherever the buffer starts: there is nothing to choose between.

// CHECK-LABEL: func.func @odd(
// CHECK-NOT: scf.if
// CHECK: return
func.func @odd(%x: memref<?x64xf32, strided<[65, 1]>>, %y: memref<?x65xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %padb = arith.constant 0.0 : bf16
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xf32, strided<[65, 1]>>, vector<64xf32>
    %w = vector.transfer_read %y[%row, %c0], %padb {in_bounds = [true]} : memref<?x65xbf16>, vector<65xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  return
}

// -----

// A buffer of its own, allocated with the alignment, is not looked at; a copy to
// workgroup memory is a read of where it comes from.

// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>
// CHECK-NOT: memref.extract_aligned_pointer_as_index %alloc
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK-COUNT-2: norm.copy_rows
func.func @copies(%x: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<8x64xf32>
  scf.forall (%row) in (8) {
    %slot = memref.alloc() {alignment = 16 : i64} : memref<1x64xf32, #gpu.address_space<workgroup>>
    norm.copy_rows %x[%row, %c0] to %slot[%c0, %c0] in_bounds [true, true] : vector<1x64xf32>, memref<?x64xf32>, memref<1x64xf32, #gpu.address_space<workgroup>>
    vector.transfer_write %zero, %alloc[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  memref.dealloc %alloc : memref<8x64xf32>
  return
}

// -----

// A CPU has one version.

// CHECK-LABEL: func.func @cpu(
// CHECK-NOT: scf.if
// CHECK: return
func.func @cpu(%x: memref<?x64xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64xbf16>
  scf.forall (%row) in (%m) {
    vector.transfer_write %zero, %x[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
  return
}

// -----

// Programs that are to be one launch share a choice. What touches no memory
// between them does not matter.

// CHECK-LABEL: func.func @one_launch(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xbf16>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>
// CHECK: memref.dim
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: scf.forall (%{{.+}}) in (%{{.+}}) {
// CHECK: memref<?x64xbf16>, vector<64xbf16>
// CHECK: norm.aligned, norm.launch = #{{.+}}, norm.schedule
// CHECK: scf.forall (%{{.+}}) in (%{{.+}}) {
// CHECK: memref<?x64xf32>, vector<64xf32>
// CHECK: norm.aligned, norm.launch = #{{.+}}, norm.schedule
// CHECK: } else {
// CHECK-COUNT-2: {mapping = [#norm.task<0>], norm.launch = #{{.+}}, norm.schedule
// CHECK-NOT: scf.if
// CHECK: return
#launch = distinct[0]<#norm.schedule<vector = 4, threads = 8>>
func.func @one_launch(%x: memref<?x64xbf16>, %y: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x64xbf16>, vector<64xbf16>
    vector.transfer_write %v, %x[%row, %c0] {in_bounds = [true]} : vector<64xbf16>, memref<?x64xbf16>
  } {mapping = [#norm.task<0>], norm.launch = #launch, norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  %rows = memref.dim %y, %c0 : memref<?x64xf32>
  scf.forall (%row) in (%rows) {
    %v = vector.transfer_read %y[%row, %c0], %padf {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
  } {mapping = [#norm.task<0>], norm.launch = #launch, norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  return
}

// -----

// With a write between them, each has its own.

// CHECK-LABEL: func.func @apart(
// CHECK: scf.if
// CHECK: memref.store
// CHECK: scf.if
// CHECK: return
#launch = distinct[0]<#norm.schedule<vector = 4, threads = 8>>
func.func @apart(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    vector.transfer_write %v, %x[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
  } {mapping = [#norm.task<0>], norm.launch = #launch, norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  memref.store %zero, %x[%c0, %c0] : memref<?x64xf32>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %y[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
  } {mapping = [#norm.task<0>], norm.launch = #launch, norm.schedule = #norm.schedule<vector = 4, threads = 8>}
  return
}

// -----

// A choice that is there already gets its condition, from what the programs in
// its first branch access: nothing of %z. What is allocated within it, or read
// by nothing, makes no difference.

// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[Z:[a-z0-9]+]]: memref<?x64xf32>
// CHECK-NOT: memref.extract_aligned_pointer_as_index %[[Z]]
// CHECK: %[[P:.+]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK-NEXT: %[[LOW:.+]] = arith.andi %[[P]], %c15
// CHECK-NEXT: %[[OK:.+]] = arith.cmpi eq, %[[LOW]], %c0
// CHECK-NEXT: scf.if %[[OK]] {
// CHECK: scf.forall
// CHECK: norm.aligned
// CHECK: scf.forall
// CHECK-NOT: norm.aligned
// CHECK: } else {
// CHECK: scf.forall
// CHECK-NOT: norm.aligned
// CHECK: return
func.func @chosen(%x: memref<?x64xf32>, %z: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %aligned = norm.is_aligned distinct[0]<>
  scf.if %aligned {
    %own = memref.alloc() {alignment = 64 : i64} : memref<8x64xf32>
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %x[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      vector.transfer_write %v, %own[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 2>}
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %own[%row, %c0], %zero {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      vector.transfer_write %v, %z[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 2>}
    memref.dealloc %own : memref<8x64xf32>
  } else {
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %x[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      vector.transfer_write %v, %z[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 1, threads = 32>}
  }
  return
}

// -----

// Nothing to check: the first branch is the one, for other uses as well.

// CHECK-LABEL: func.func @settled(
// CHECK-NOT: scf.if
// CHECK: vector = 4
// CHECK-NOT: vector = 1
// CHECK: return %true
func.func @settled(%x: memref<?x64xf32>, %m: index) -> i1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %xa = memref.assume_alignment %x, 16 : memref<?x64xf32>
  %aligned = norm.is_aligned distinct[0]<>
  scf.if %aligned {
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %xa[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      vector.transfer_write %v, %xa[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 2>}
  } else {
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %xa[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      vector.transfer_write %v, %xa[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 1, threads = 32>}
  }
  return %aligned : i1
}

// -----

// One check for all uses, where the first of them is: canonicalize makes one
// branch of both.

// CHECK-LABEL: func.func @uses(
// CHECK: %[[LOW:.+]] = arith.andi %{{.+}}, %c15
// CHECK: %[[OK:.+]] = arith.cmpi eq, %[[LOW]], %c0
// CHECK-NOT: arith.cmpi
// CHECK: scf.if %[[OK]] {
// CHECK: norm.aligned
// CHECK-NEXT: memref.dealloc
// CHECK-NEXT: }
// CHECK: return %[[OK]]
func.func @uses(%x: memref<?x64xf32>, %z: memref<8x64xf32>, %m: index) -> i1 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %aligned = norm.is_aligned distinct[0]<>
  scf.if %aligned {
    scf.forall (%row) in (%m) {
      %v = vector.transfer_read %x[%row, %c0], %zero {in_bounds = [true]} : memref<?x64xf32>, vector<64xf32>
      vector.transfer_write %v, %x[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x64xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 2>}
  }
  scf.if %aligned {
    memref.dealloc %z : memref<8x64xf32>
  }
  return %aligned : i1
}
