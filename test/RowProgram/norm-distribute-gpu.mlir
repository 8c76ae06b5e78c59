// RUN: rudnn-opt %s --split-input-file --norm-distribute --canonicalize --cse | FileCheck %s

// A block for each row, 32 threads; thread x has the pieces of 8 at columns 8 x
// and 8 (x + 32), so that neighbouring threads access neighbouring pieces. All
// buffers are known to be aligned, and every access says so: 16 bytes of bf16,
// 32 of f32.

// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x512xbf16>, %[[GAMMA:[a-z0-9]+]]: memref<512xf32>, %[[Y:[a-z0-9]+]]: memref<?x512xf32>, %[[M:[a-z0-9]+]]: index
// CHECK: gpu.launch blocks(%[[ROW:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[M]], %{{.+}} = %c1, %{{.+}} = %c1) threads(%[[T:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %c32, %{{.+}} = %c1, %{{.+}} = %c1)
// CHECK-DAG: %[[C0:.+]] = arith.muli %[[T]], %c8 overflow<nsw, nuw>
// CHECK-DAG: %[[PLACE:.+]] = arith.addi %[[T]], %c32 overflow<nsw, nuw>
// CHECK-DAG: %[[C1:.+]] = arith.muli %[[PLACE]], %c8 overflow<nsw, nuw>
// CHECK: %[[G0:.+]] = vector.load %[[GAMMA]][%[[C0]]] {alignment = 16 : i64} : memref<512xf32>, vector<8xf32>
// CHECK: %[[G1:.+]] = vector.load %[[GAMMA]][%[[C1]]] {alignment = 16 : i64} : memref<512xf32>, vector<8xf32>
// CHECK: %[[X0:.+]] = vector.load %[[X]][%[[ROW]], %[[C0]]] {alignment = 16 : i64} : memref<?x512xbf16>, vector<8xbf16>
// CHECK: %[[X1:.+]] = vector.load %[[X]][%[[ROW]], %[[C1]]] {alignment = 16 : i64} : memref<?x512xbf16>, vector<8xbf16>
// CHECK-DAG: %[[F0:.+]] = arith.extf %[[X0]]
// CHECK-DAG: %[[F1:.+]] = arith.extf %[[X1]]
// CHECK-DAG: %[[P0:.+]] = arith.mulf %[[F0]], %[[G0]]
// CHECK-DAG: %[[P1:.+]] = arith.mulf %[[F1]], %[[G1]]
// CHECK: vector.store %[[P0]], %[[Y]][%[[ROW]], %[[C0]]] {alignment = 16 : i64}
// CHECK: vector.store %[[P1]], %[[Y]][%[[ROW]], %[[C1]]] {alignment = 16 : i64}
// CHECK-NOT: scf.if
// CHECK: gpu.terminator
// CHECK-NEXT: {norm.schedule = #norm.schedule<vector = 8, threads = 32>}
// CHECK-NOT: scf.forall
// CHECK: return
func.func @pieces(%x: memref<?x512xbf16>, %gamma: memref<512xf32>, %y: memref<?x512xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %padf = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %g = vector.transfer_read %gamma[%c0], %padf {in_bounds = [true]} : memref<512xf32>, vector<512xf32>
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x512xbf16>, vector<512xbf16>
    %f = arith.extf %v : vector<512xbf16> to vector<512xf32>
    %p = arith.mulf %f, %g : vector<512xf32>
    vector.transfer_write %p, %y[%row, %c0] {in_bounds = [true]} : vector<512xf32>, memref<?x512xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 8, threads = 32>}
  return
}

// -----

// Without the promise an access is one element, next to that of the next thread.

// CHECK-LABEL: func.func @unaligned(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x512xbf16>, %[[Y:[a-z0-9]+]]: memref<?x512xbf16>
// CHECK: threads(%[[T:[a-z0-9]+]],
// CHECK: %[[C1:.+]] = arith.addi %[[T]], %c256 overflow<nsw, nuw>
// CHECK: memref.load %[[X]][%{{.+}}, %[[T]]]
// CHECK: memref.load %[[X]][%{{.+}}, %[[C1]]]
// CHECK: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[T]]] {alignment = 2 : i64} : memref<?x512xbf16>, vector<1xbf16>
// CHECK: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[C1]]] {alignment = 2 : i64} : memref<?x512xbf16>, vector<1xbf16>
// CHECK-NOT: vector<8x
// CHECK: return
func.func @unaligned(%x: memref<?x512xbf16>, %y: memref<?x512xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<?x512xbf16>, vector<512xbf16>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<512xbf16>, memref<?x512xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 256>}
  return
}

// -----

// N = 30: of pieces of 8, 2 is what divides the row, and what rows of 60 bytes
// are aligned to. Threads 15 and up read column 0 instead; what they got is no
// part of the sum, and they write nothing.

// CHECK-LABEL: func.func @n30(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x30xbf16>, %[[Y:[a-z0-9]+]]: memref<?x30xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK: threads(%[[T:[a-z0-9]+]],
// CHECK: %[[COLUMN:.+]] = arith.muli %[[T]], %c2 overflow<nsw, nuw>
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %[[COLUMN]], %c30
// CHECK: %[[THERE:.+]] = arith.select %[[INSIDE]], %[[COLUMN]], %c0
// CHECK: %[[V:.+]] = vector.load %[[X]][%{{.+}}, %[[THERE]]] {alignment = 4 : i64} : memref<?x30xbf16>, vector<2xbf16>
// CHECK: %[[F:.+]] = arith.extf %[[V]]
// CHECK: %[[TERM:.+]] = arith.select %[[INSIDE]], %[[F]], %[[ZERO]]
// CHECK: %[[OWN:.+]] = vector.reduction <add>, %[[TERM]]
// CHECK: %[[SUM:.+]] = norm.thread_reduce <add> along {{ *}}x rows 1 threads 32(%[[OWN]]) : f32
// CHECK: %[[SPREAD:.+]] = vector.broadcast %[[SUM]] : f32 to vector<2xf32>
// CHECK: %[[P:.+]] = arith.mulf %[[F]], %[[SPREAD]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.store %[[P]], %[[Y]][%{{.+}}, %[[COLUMN]]] {alignment = 8 : i64}
// CHECK-NEXT: }
func.func @n30(%x: memref<?x30xbf16>, %y: memref<?x30xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x30xbf16>, vector<1x30xbf16>
    %f = arith.extf %v : vector<1x30xbf16> to vector<1x30xf32>
    %sum = vector.multi_reduction <add>, %f, %zero [1] : vector<1x30xf32> to vector<1xf32>
    %s = vector.extract %sum[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x30xf32>
    %p = arith.mulf %f, %sb : vector<1x30xf32>
    vector.transfer_write %p, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x30xf32>, memref<?x30xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 8, threads = 32>}
  return
}

// -----

// N = 625 is odd: single elements, and the third of each thread may be outside.

// CHECK-LABEL: func.func @n625(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x625xf32>, %[[Y:[a-z0-9]+]]: memref<?x625xf32>
// CHECK: threads(%[[T:[a-z0-9]+]],
// CHECK-DAG: %[[C1:.+]] = arith.addi %[[T]], %c256
// CHECK-DAG: %[[C2:.+]] = arith.addi %[[T]], %c512
// CHECK-DAG: %[[INSIDE:.+]] = arith.cmpi ult, %[[C2]], %c625
// CHECK: memref.load %[[X]][%{{.+}}, %[[T]]]
// CHECK: memref.load %[[X]][%{{.+}}, %[[C1]]]
// CHECK: %[[THERE:.+]] = arith.select %[[INSIDE]], %[[C2]], %c0
// CHECK: memref.load %[[X]][%{{.+}}, %[[THERE]]]
// CHECK: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[T]]]
// CHECK-NEXT: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[C1]]]
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[C2]]]
func.func @n625(%x: memref<?x625xf32>, %y: memref<?x625xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x625xf32>, vector<1x625xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x625xf32>, memref<?x625xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 4, threads = 256>}
  return
}

// -----

// N = 5000 has whole pieces of 8: full width, and only the last of each thread
// may be outside.

// CHECK-LABEL: func.func @n5000(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x5000xf16>, %[[Y:[a-z0-9]+]]: memref<?x5000xf16>
// CHECK: threads(%[[T:[a-z0-9]+]],
// CHECK-DAG: %[[C0:.+]] = arith.muli %[[T]], %c8 overflow
// CHECK-DAG: %[[PLACE:.+]] = arith.addi %[[T]], %c512
// CHECK-DAG: %[[C1:.+]] = arith.muli %[[PLACE]], %c8
// CHECK-DAG: %[[INSIDE:.+]] = arith.cmpi ult, %[[C1]], %c5000
// CHECK: vector.load %[[X]][%{{.+}}, %[[C0]]] {alignment = 16 : i64} : memref<?x5000xf16>, vector<8xf16>
// CHECK: %[[THERE:.+]] = arith.select %[[INSIDE]], %[[C1]], %c0
// CHECK: vector.load %[[X]][%{{.+}}, %[[THERE]]] {alignment = 16 : i64}
// CHECK: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[C0]]]
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.store %{{.+}}, %[[Y]][%{{.+}}, %[[C1]]]
func.func @n5000(%x: memref<?x5000xf16>, %y: memref<?x5000xf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x5000xf16>, vector<1x5000xf16>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x5000xf16>, memref<?x5000xf16>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 8, threads = 512>}
  return
}

// -----

// Four rows in a block: threads of row y go to the row y below the block's
// first; where there is none they read the last row and write nothing. A number
// per row is read by all threads of the row and written by the first.

// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[A:[a-z0-9]+]]: memref<?xf32>, %[[B:[a-z0-9]+]]: memref<?xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>, %[[M:[a-z0-9]+]]: index
// CHECK: %[[BLOCKS:.+]] = arith.ceildivsi %[[M]], %c4
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[BLOCKS]], %{{.+}}) threads(%[[T:[a-z0-9]+]], %[[TY:[a-z0-9]+]], %{{.+}}) in (%{{.+}} = %c16, %{{.+}} = %c4, %{{.+}} = %c1)
// CHECK-DAG: %[[FIRST:.+]] = arith.muli %[[BLOCK]], %c4
// CHECK-DAG: %[[ROW:.+]] = arith.addi %[[FIRST]], %[[TY]]
// CHECK: %[[XM:.+]] = memref.dim %[[X]], %c0
// CHECK-NEXT: %[[XLAST:.+]] = arith.subi %[[XM]], %c1
// CHECK-NEXT: %[[XROW:.+]] = arith.minsi %[[ROW]], %[[XLAST]]
// CHECK-NEXT: vector.load %[[X]][%[[XROW]],
// CHECK: %[[AM:.+]] = memref.dim %[[A]], %c0
// CHECK-NEXT: %[[ALAST:.+]] = arith.subi %[[AM]], %c1
// CHECK-NEXT: %[[AROW:.+]] = arith.minsi %[[ROW]], %[[ALAST]]
// CHECK-NEXT: memref.load %[[A]][%[[AROW]]]
// CHECK: %[[YM:.+]] = memref.dim %[[Y]], %c0
// CHECK-NEXT: %[[YEXISTS:.+]] = arith.cmpi slt, %[[ROW]], %[[YM]]
// CHECK-NEXT: scf.if %[[YEXISTS]] {
// CHECK-NEXT: vector.store %{{.+}}, %[[Y]][%[[ROW]],
// CHECK: %[[BM:.+]] = memref.dim %[[B]], %c0
// CHECK: %[[BEXISTS:.+]] = arith.cmpi slt, %[[ROW]], %[[BM]]
// CHECK: %[[ISFIRST:.+]] = arith.cmpi eq, %[[T]], %c0
// CHECK: %[[WRITES:.+]] = arith.andi %[[BEXISTS]], %[[ISFIRST]]
// CHECK: scf.if %[[WRITES]] {
// CHECK-NEXT: memref.store %{{.+}}, %[[B]][%[[ROW]]]
func.func @tile(%x: memref<?x64xf32>, %a: memref<?xf32>, %b: memref<?xf32>, %y: memref<?x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) = (0) to (%m) step (4) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
    %r = vector.transfer_read %a[%row], %pad : memref<?xf32>, vector<4xf32>
    %q = math.rsqrt %r : vector<4xf32>
    %rb = vector.broadcast %q : vector<4xf32> to vector<64x4xf32>
    %rt = vector.transpose %rb, [1, 0] : vector<64x4xf32> to vector<4x64xf32>
    %p = arith.mulf %v, %rt : vector<4x64xf32>
    vector.transfer_write %p, %y[%row, %c0] {in_bounds = [false, true]} : vector<4x64xf32>, memref<?x64xf32>
    vector.transfer_write %q, %b[%row] : vector<4xf32>, memref<?xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 4>}
  return
}

// -----

// Where rows are added up those past the end are zeros. The rows' sum is the
// same in each row of threads, and the first writes it.

// CHECK-LABEL: func.func @sum_of_rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[SUMS:[a-z0-9]+]]: memref<64xf32>
// CHECK: threads(%[[T:[a-z0-9]+]], %[[TY:[a-z0-9]+]], %{{.+}}) in
// CHECK: %[[EXISTS:.+]] = arith.cmpi slt
// CHECK: %[[V0:.+]] = vector.load %[[X]]
// CHECK-NEXT: %[[S0:.+]] = arith.select %[[EXISTS]], %[[V0]], %cst
// CHECK-NEXT: %[[V1:.+]] = vector.load %[[X]]
// CHECK-NEXT: %[[S1:.+]] = arith.select %[[EXISTS]], %[[V1]], %cst
// CHECK-NEXT: norm.thread_reduce <add> along {{ *}}y rows 4 threads 16(%[[S0]], %[[S1]]) : vector<2xf32>, vector<2xf32>
// CHECK: %[[WRITES:.+]] = arith.cmpi eq, %[[TY]], %c0
// CHECK: scf.if %[[WRITES]] {
// CHECK-COUNT-2: vector.store %{{.+}}, %[[SUMS]]
func.func @sum_of_rows(%x: memref<?x64xf32>, %sums: memref<64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%row) = (0) to (%m) step (4) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x64xf32>, vector<4x64xf32>
    %s = vector.multi_reduction <add>, %v, %zero [0] : vector<4x64xf32> to vector<64xf32>
    vector.transfer_write %s, %sums[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 16, rows = 4>}
  return
}

// -----

// One value for all columns (stride 0) is read as one.

// CHECK-LABEL: func.func @expanded(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: memref<8x64xf32, strided<[1, 0]>>
// CHECK-NOT: vector.load %[[DY]]
// CHECK: %[[ONE:.+]] = memref.load %[[DY]]
// CHECK: vector.broadcast %[[ONE]] : f32 to vector<2xf32>
// CHECK: vector.store
func.func @expanded(%dy: memref<8x64xf32, strided<[1, 0]>>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %dy[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32, strided<[1, 0]>>, vector<64xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// N = 1: a row is a number per row, and no threads have to be asked for it.

// CHECK-LABEL: func.func @one_column(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x1xbf16>, %[[Y:[a-z0-9]+]]: memref<?x1xbf16>
// CHECK: threads(%[[T:[a-z0-9]+]], %[[TY:[a-z0-9]+]], %{{.+}}) in
// CHECK-NOT: norm.thread_reduce
// CHECK: memref.load %[[X]][%{{.+}}, %c0]
// CHECK-NOT: norm.thread_reduce
// CHECK: %[[ISFIRST:.+]] = arith.cmpi eq, %[[T]], %c0
// CHECK: %[[WRITES:.+]] = arith.andi %{{.+}}, %[[ISFIRST]]
// CHECK: scf.if %[[WRITES]] {
// CHECK-NEXT: memref.store %{{.+}}, %[[Y]][%{{.+}}, %c0]
func.func @one_column(%x: memref<?x1xbf16>, %y: memref<?x1xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<4xf32>
  scf.forall (%row) = (0) to (%m) step (4) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [false, true]} : memref<?x1xbf16>, vector<4x1xbf16>
    %f = arith.extf %v : vector<4x1xbf16> to vector<4x1xf32>
    %s = vector.multi_reduction <add>, %f, %zero [1] : vector<4x1xf32> to vector<4xf32>
    %sb = vector.shape_cast %s : vector<4xf32> to vector<4x1xf32>
    %p = arith.mulf %f, %sb : vector<4x1xf32>
    %t = arith.truncf %p : vector<4x1xf32> to vector<4x1xbf16>
    vector.transfer_write %t, %y[%row, %c0] {in_bounds = [false, true]} : vector<4x1xbf16>, memref<?x1xbf16>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 1, threads = 8, rows = 4>}
  return
}

// -----

// Mixed types in one program: pieces have as many elements in each. What comes
// before and after a norm in the same program, here a residual and a scale, is
// cut the same way.

// CHECK-LABEL: func.func @neighbours(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x256xf16>, %[[RESIDUAL:[a-z0-9]+]]: memref<?x256xf32>, %[[SCALE:[a-z0-9]+]]: memref<256xbf16>, %[[H:[a-z0-9]+]]: memref<?x256xf16>, %[[Y:[a-z0-9]+]]: memref<?x256xbf16>
// CHECK: vector.load %[[X]]{{.*}} {alignment = 8 : i64} : memref<?x256xf16>, vector<4xf16>
// CHECK: vector.load %[[X]]{{.*}} {alignment = 8 : i64} : memref<?x256xf16>, vector<4xf16>
// CHECK: vector.load %[[RESIDUAL]]{{.*}} {alignment = 16 : i64} : memref<?x256xf32>, vector<4xf32>
// CHECK: vector.load %[[RESIDUAL]]
// CHECK-COUNT-2: arith.addf %{{.+}} : vector<4xf32>
// CHECK: vector.store %{{.+}}, %[[H]]{{.*}} {alignment = 8 : i64}
// CHECK: vector.store %{{.+}}, %[[H]]
// CHECK-NOT: vector.load %[[X]]
// CHECK: norm.thread_reduce <add> along {{ *}}x rows 1 threads 32(%{{.+}}) : f32
// CHECK: math.rsqrt %{{.+}} : f32
// CHECK: vector.load %[[SCALE]]{{.*}} {alignment = 8 : i64} : memref<256xbf16>, vector<4xbf16>
// CHECK: vector.load %[[SCALE]]
// CHECK: vector.store %{{.+}}, %[[Y]]
// CHECK: vector.store %{{.+}}, %[[Y]]
// CHECK-NOT: vector<{{[0-9]*}}256x
// CHECK: return
func.func @neighbours(%x: memref<?x256xf16>, %residual: memref<?x256xf32>, %scale: memref<256xbf16>, %h: memref<?x256xf16>, %y: memref<?x256xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %padf = arith.constant 0.0 : f32
  %padb = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x256xf16>, vector<1x256xf16>
    %r = vector.transfer_read %residual[%row, %c0], %padf {in_bounds = [true, true]} : memref<?x256xf32>, vector<1x256xf32>
    %f = arith.extf %v : vector<1x256xf16> to vector<1x256xf32>
    %sum = arith.addf %f, %r : vector<1x256xf32>
    %t = arith.truncf %sum : vector<1x256xf32> to vector<1x256xf16>
    vector.transfer_write %t, %h[%row, %c0] {in_bounds = [true, true]} : vector<1x256xf16>, memref<?x256xf16>
    %square = arith.mulf %sum, %sum : vector<1x256xf32>
    %total = vector.multi_reduction <add>, %square, %zero [1] : vector<1x256xf32> to vector<1xf32>
    %root = math.rsqrt %total : vector<1xf32>
    %s = vector.extract %root[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x256xf32>
    %n = arith.mulf %sum, %sb : vector<1x256xf32>
    %w = vector.transfer_read %scale[%c0], %padb {in_bounds = [true]} : memref<256xbf16>, vector<256xbf16>
    %wf = arith.extf %w : vector<256xbf16> to vector<256xf32>
    %wb = vector.broadcast %wf : vector<256xf32> to vector<1x256xf32>
    %o = arith.mulf %n, %wb : vector<1x256xf32>
    %ot = arith.truncf %o : vector<1x256xf32> to vector<1x256xbf16>
    vector.transfer_write %ot, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x256xbf16>, memref<?x256xbf16>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 4, threads = 32>}
  return
}

// -----

// A softmax is a row program like any other: a maximum and a sum over the
// threads. What is outside of the row is minus infinity for the one and zero for
// the other.

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x100xf32>, %[[Y:[a-z0-9]+]]: memref<?x100xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[LEAST:.+]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %{{.+}}, %c100
// CHECK: %[[V:.+]] = vector.load %[[X]]
// CHECK: %[[M0:.+]] = arith.select %[[INSIDE]], %[[V]], %[[LEAST]]
// CHECK: %[[M1:.+]] = vector.reduction <maximumf>, %[[M0]]
// CHECK: %[[MAX:.+]] = norm.thread_reduce <maximumf> along {{ *}}x rows 1 threads 32(%[[M1]]) : f32
// CHECK: %[[MB:.+]] = vector.broadcast %[[MAX]]
// CHECK: %[[D:.+]] = arith.subf %[[V]], %[[MB]]
// CHECK: %[[E:.+]] = math.exp %[[D]]
// CHECK: %[[S0:.+]] = arith.select %[[INSIDE]], %[[E]], %[[ZERO]]
// CHECK: %[[S1:.+]] = vector.reduction <add>, %[[S0]]
// CHECK: norm.thread_reduce <add> along {{ *}}x rows 1 threads 32(%[[S1]]) : f32
// CHECK: arith.divf
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.store %{{.+}}, %[[Y]]
func.func @softmax(%x: memref<?x100xf32>, %y: memref<?x100xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %least = arith.constant dense<0xFF800000> : vector<1xf32>
  %zero = arith.constant dense<0.0> : vector<1xf32>
  scf.forall (%row) in (%m) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<?x100xf32>, vector<1x100xf32>
    %max = vector.multi_reduction <maximumf>, %v, %least [1] : vector<1x100xf32> to vector<1xf32>
    %ms = vector.extract %max[0] : f32 from vector<1xf32>
    %mb = vector.broadcast %ms : f32 to vector<1x100xf32>
    %d = arith.subf %v, %mb : vector<1x100xf32>
    %e = math.exp %d : vector<1x100xf32>
    %sum = vector.multi_reduction <add>, %e, %zero [1] : vector<1x100xf32> to vector<1xf32>
    %s = vector.extract %sum[0] : f32 from vector<1xf32>
    %sb = vector.broadcast %s : f32 to vector<1x100xf32>
    %q = arith.divf %e, %sb : vector<1x100xf32>
    vector.transfer_write %q, %y[%row, %c0] {in_bounds = [true, true]} : vector<1x100xf32>, memref<?x100xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 4, threads = 32>}
  return
}

// -----

// Mean and variance, in tiles of two rows: two sums over threads, each with the
// number that it starts from.

// CHECK-LABEL: func.func @moments(
// CHECK: %[[SUM:.+]] = norm.thread_reduce <add> along {{ *}}x rows 2 threads 32(%{{.+}}) : f32
// CHECK: %[[MEAN:.+]] = arith.mulf %[[SUM]], %{{.+}} : f32
// CHECK: %[[SPREAD:.+]] = vector.broadcast %[[MEAN]] : f32 to vector<2xf32>
// CHECK: arith.subf %{{.+}}, %[[SPREAD]]
// CHECK: %[[SQUARES:.+]] = norm.thread_reduce <add> along {{ *}}x rows 2 threads 32(%{{.+}}) : f32
// CHECK: arith.addf %[[SQUARES]], %{{.+}} : f32
// CHECK: math.rsqrt %{{.+}} : f32
// CHECK: vector.store
func.func @moments(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %epsilon = arith.constant dense<1.0e-5> : vector<2xf32>
  %inverse = arith.constant dense<0.015625> : vector<2xf32>
  scf.forall (%row) = (0) to (8) step (2) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<2x64xf32>
    %sum = vector.multi_reduction <add>, %v, %zero [1] : vector<2x64xf32> to vector<2xf32>
    %mean = arith.mulf %sum, %inverse : vector<2xf32>
    %mb = vector.broadcast %mean : vector<2xf32> to vector<64x2xf32>
    %mt = vector.transpose %mb, [1, 0] : vector<64x2xf32> to vector<2x64xf32>
    %d = arith.subf %v, %mt : vector<2x64xf32>
    %square = arith.mulf %d, %d : vector<2x64xf32>
    %variance = vector.multi_reduction <add>, %square, %epsilon [1] : vector<2x64xf32> to vector<2xf32>
    %r = math.rsqrt %variance : vector<2xf32>
    %rb = vector.broadcast %r : vector<2xf32> to vector<64x2xf32>
    %rt = vector.transpose %rb, [1, 0] : vector<64x2xf32> to vector<2x64xf32>
    %o = arith.mulf %d, %rt : vector<2x64xf32>
    vector.transfer_write %o, %y[%row, %c0] {in_bounds = [true, true]} : vector<2x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 2>}
  return
}

// -----

// A loop of two dimensions is one grid: blocks count the last dimension first.

// CHECK-LABEL: func.func @two_dimensions(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8x64xf32>, %[[B:[a-z0-9]+]]: index
// CHECK: %[[BLOCKS:.+]] = arith.muli %[[B]], %c8
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[BLOCKS]],
// CHECK-DAG: %[[J:.+]] = arith.remui %[[BLOCK]], %c8
// CHECK-DAG: %[[I:.+]] = arith.divui %[[BLOCK]], %c8
// CHECK: vector.store %{{.+}}, %[[X]][%[[I]], %[[J]], %{{.+}}]
func.func @two_dimensions(%x: memref<?x8x64xf32>, %b: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall (%i, %j) in (%b, 8) {
    vector.transfer_write %zero, %x[%i, %j, %c0] {in_bounds = [true]} : vector<64xf32>, memref<?x8x64xf32>
  } {mapping = [#norm.task<0>, #norm.task<1>], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// What an access says of the caches goes to each of its pieces.

// CHECK-LABEL: func.func @policies(
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 8 : i64, norm.cache = "evict_first"}
// CHECK-COUNT-2: vector.store %{{.*}} {alignment = 8 : i64, norm.cache = "streaming"}
func.func @policies(%x: memref<8x128xf32>, %y: memref<8x128xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true], norm.cache = "evict_first"} : memref<8x128xf32>, vector<128xf32>
    vector.transfer_write %v, %y[%row, %c0] {in_bounds = [true], norm.cache = "streaming"} : vector<128xf32>, memref<8x128xf32>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// Rows on their way to workgroup memory: asynchronous copies where pieces have
// 4, 8 or 16 aligned bytes, else a read and a write. A row that does not exist
// is zeros: nothing of it is read.

// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xbf16>
// CHECK: gpu.launch
// CHECK: %[[SLOT:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x64xbf16, #gpu.address_space<workgroup>>
// CHECK: %[[EXISTS:.+]] = arith.cmpi slt, %{{.+}}, %{{.+}}
// CHECK: %[[COUNT:.+]] = arith.select %[[EXISTS]], %c4, %c0
// CHECK: nvgpu.device_async_copy %[[X]][%{{.+}}, %{{.+}}], %[[SLOT]][%{{.+}}, %{{.+}}], 4, %[[COUNT]]
// CHECK: gpu.launch
// CHECK: %[[NARROW:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x64xbf16, #gpu.address_space<workgroup>>
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: %[[V:.+]] = memref.load %[[X]]
// CHECK: %[[W:.+]] = vector.broadcast %[[V]]
// CHECK: %[[OR0:.+]] = arith.select %{{.+}}, %[[W]], %{{.+}} : vector<1xbf16>
// CHECK: vector.store %[[OR0]], %[[NARROW]]
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: return
func.func @copies(%x: memref<?x64xbf16>, %m: index) {
  %c0 = arith.constant 0 : index
  scf.forall (%row) = (0) to (%m) step (2) {
    %slot = memref.alloc() {alignment = 16 : i64} : memref<2x64xbf16, #gpu.address_space<workgroup>>
    norm.copy_rows %x[%row, %c0] to %slot[%c0, %c0] in_bounds [false, true] : vector<2x64xbf16>, memref<?x64xbf16>, memref<2x64xbf16, #gpu.address_space<workgroup>>
  } {mapping = [#norm.task<0>], norm.aligned, norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 2>}
  scf.forall (%row) = (0) to (%m) step (2) {
    %slot = memref.alloc() {alignment = 16 : i64} : memref<2x64xbf16, #gpu.address_space<workgroup>>
    norm.copy_rows %x[%row, %c0] to %slot[%c0, %c0] in_bounds [false, true] : vector<2x64xbf16>, memref<?x64xbf16>, memref<2x64xbf16, #gpu.address_space<workgroup>>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 64, rows = 2>}
  return
}

// -----

// A program without dimensions is one block.

// CHECK-LABEL: func.func @single(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.+}} = %c1, %{{.+}} = %c1, %{{.+}} = %c1) threads({{.*}}) in (%{{.+}} = %c32,
// CHECK: vector.store
func.func @single(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64xf32>
  scf.forall () in () {
    vector.transfer_write %zero, %x[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  } {mapping = [], norm.aligned, norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}
