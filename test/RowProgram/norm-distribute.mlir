// RUN: rudnn-opt %s --norm-distribute --canonicalize --cse --split-input-file | FileCheck %s

// A chunk of 32 columns is two machine vectors of 16, 64 bytes apart; loads and
// stores promise the alignment of an element and no more.

// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf16>, %[[Y:[a-z0-9]+]]: memref<8x64xf32, strided<[72, 1], offset: ?>>
// CHECK-DAG: %[[LANES:.+]] = arith.constant 16 : index
// CHECK: scf.forall (%[[ROW:.+]]) in (8)
// CHECK: scf.for %[[COLUMN:.+]] =
// CHECK-NEXT: %[[X0:.+]] = vector.load %[[X]][%[[ROW]], %[[COLUMN]]] : memref<8x64xf16>, vector<16xf16>
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[COLUMN]], %[[LANES]]
// CHECK-NEXT: %[[X1:.+]] = vector.load %[[X]][%[[ROW]], %[[NEXT]]] : memref<8x64xf16>, vector<16xf16>
// CHECK-DAG: %[[F0:.+]] = arith.extf %[[X0]]
// CHECK-DAG: %[[F1:.+]] = arith.extf %[[X1]]
// CHECK: vector.store %[[F0]], %[[Y]][%[[ROW]], %[[COLUMN]]] : memref<8x64xf32, {{.*}}>, vector<16xf32>
// CHECK: vector.store %[[F1]], %[[Y]][%[[ROW]], %[[NEXT]]] : memref<8x64xf32, {{.*}}>, vector<16xf32>
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
func.func @pieces(%x: memref<8x64xf16>, %y: memref<8x64xf32, strided<[72, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %pad = arith.constant 0.0 : f16
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c64 step %c32 {
      %v = vector.transfer_read %x[%i, %j], %pad {in_bounds = [true]} : memref<8x64xf16>, vector<32xf16>
      %w = arith.extf %v : vector<32xf16> to vector<32xf32>
      vector.transfer_write %w, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<8x64xf32, strided<[72, 1], offset: ?>>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// A row's sum: pieces first, in pairs, then lanes, then what it is added to; a
// value per row is a scalar, and is spread where a row needs it.

// CHECK-LABEL: func.func @reduction(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[S:[a-z0-9]+]]: memref<8xf32>
// CHECK: %[[BEFORE:.+]] = memref.load %[[S]][%[[ROW:.+]]] : memref<8xf32>
// CHECK-COUNT-4: vector.load %[[X]]
// CHECK-DAG: %[[P0:.+]] = arith.addf %{{.+}}, %{{.+}} : vector<16xf32>
// CHECK-DAG: %[[P1:.+]] = arith.addf %{{.+}}, %{{.+}} : vector<16xf32>
// CHECK: %[[ALL:.+]] = arith.addf %[[P0]], %[[P1]] {{.*}} : vector<16xf32>
// CHECK: %[[SUM:.+]] = vector.reduction <add>, %[[ALL]], %[[BEFORE]] {{.*}} : vector<16xf32> into f32
// CHECK: %[[ROOT:.+]] = math.rsqrt %[[SUM]] {{.*}}: f32
// CHECK: memref.store %[[ROOT]], %[[S]][%[[ROW]]]
// CHECK: %[[SPREAD:.+]] = vector.broadcast %[[ROOT]] : f32 to vector<16xf32>
// CHECK-COUNT-4: arith.mulf %{{.+}}, %[[SPREAD]]
func.func @reduction(%x: memref<8x64xf32>, %s: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %acc = vector.transfer_read %s[%i], %pad {in_bounds = [true]} : memref<8xf32>, vector<1xf32>
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<1x64xf32>
    %sum = vector.multi_reduction <add>, %v, %acc [1] : vector<1x64xf32> to vector<1xf32>
    %root = math.rsqrt %sum : vector<1xf32>
    vector.transfer_write %root, %s[%i] {in_bounds = [true]} : vector<1xf32>, memref<8xf32>
    %b = vector.broadcast %root : vector<1xf32> to vector<1x1xf32>
    %c = vector.broadcast %b : vector<1x1xf32> to vector<1x64xf32>
    %w = arith.mulf %v, %c : vector<1x64xf32>
    vector.transfer_write %w, %x[%i, %c0] {in_bounds = [true, true]} : vector<1x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// What may end past the row is masked by what is left of it; the padding stands
// in the lanes that are not read.

// CHECK-LABEL: func.func @tail(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x?xbf16>, %[[J:[a-z0-9]+]]: index
// CHECK-DAG: %[[PAD:.+]] = arith.constant dense<0.000000e+00> : vector<8xbf16>
// CHECK-DAG: %[[N:.+]] = memref.dim %[[X]], %c1
// CHECK: %[[LEFT:.+]] = arith.subi %[[N]], %[[J]]
// CHECK: %[[MASK:.+]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// CHECK: %[[V:.+]] = vector.maskedload %[[X]][%[[ROW:.+]], %[[J]]], %[[MASK]], %[[PAD]] : memref<8x?xbf16>, vector<8xi1>, vector<8xbf16> into vector<8xbf16>
// CHECK: vector.maskedstore %[[X]][%[[ROW]], %[[J]]], %[[MASK]], %{{.+}}
func.func @tail(%x: memref<8x?xbf16>, %j: index) {
  %pad = arith.constant 0.0 : bf16
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %j], %pad : memref<8x?xbf16>, vector<8xbf16>
    %w = arith.mulf %v, %v : vector<8xbf16>
    vector.transfer_write %w, %x[%i, %j] : vector<8xbf16>, memref<8x?xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
  return
}

// -----

// One value for all columns is read once, as one element.

// CHECK-LABEL: func.func @expanded(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: memref<8x64xf32, strided<[1, 0]>>
// CHECK-NOT: vector.load %[[DY]]
// CHECK: %[[ONE:.+]] = memref.load %[[DY]][
// CHECK: vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// CHECK-NOT: vector.load %[[DY]]
// CHECK: return
func.func @expanded(%dy: memref<8x64xf32, strided<[1, 0]>>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %dy[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32, strided<[1, 0]>>, vector<16xf32>
    vector.transfer_write %v, %y[%i, %c0] {in_bounds = [true]} : vector<16xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// Rows carried by a loop are carried as pieces; a row read above the program is
// read inside it.

// CHECK-LABEL: func.func @carried(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x32xf32>, %[[GAMMA:[a-z0-9]+]]: memref<32xf32>
// CHECK-NOT: vector.load
// CHECK: scf.forall
// CHECK-COUNT-2: vector.load %[[GAMMA]]
// CHECK: %[[SUM:.+]]:2 = scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: vector.load %[[X]]
// CHECK: scf.yield %{{.+}}, %{{.+}} : vector<16xf32>, vector<16xf32>
// CHECK: vector.store %[[SUM]]#0
// CHECK: vector.store %[[SUM]]#1
func.func @carried(%x: memref<8x32xf32>, %gamma: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  scf.forall (%i) in (1) {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%j, %c0], %pad {in_bounds = [true]} : memref<8x32xf32>, vector<32xf32>
      %p = arith.mulf %v, %g : vector<32xf32>
      %next = arith.addf %acc, %p : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.transfer_write %sum, %y[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// A loop that is no row program stays.

// CHECK-LABEL: func.func @no_schedule(
// CHECK: vector.transfer_read {{.*}} vector<64xf32>
func.func @no_schedule(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  }
  return
}

// -----

// A tile of one row numbers it 0.

// CHECK-LABEL: func.func @row_number(
// CHECK-SAME: %[[S:[a-z0-9]+]]: memref<8xindex>
// CHECK: %[[C0:.+]] = arith.constant 0 : index
// CHECK: scf.forall (%[[ROW:.+]]) in (8)
// CHECK-NEXT: memref.store %[[C0]], %[[S]][%[[ROW]]]
func.func @row_number(%s: memref<8xindex>) {
  scf.forall (%i) in (8) {
    %step = vector.step : vector<1xindex>
    vector.transfer_write %step, %s[%i] {in_bounds = [true]} : vector<1xindex>, memref<8xindex>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}
