// RUN: rudnn-opt %s --norm-prefetch-rows --canonicalize --cse --split-input-file | FileCheck %s

// The loop that reads most of x asks for each cache line of the row two further
// on: one request for each vector of 64 bytes, one for every second of 32.

// CHECK-LABEL: func.func @two_rows_ahead(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[B:[a-z0-9]+]]: memref<8x64xbf16>
// CHECK: scf.forall (%[[ROW:.+]]) in (8)
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %[[COLUMN:.+]] =
// CHECK-DAG: %[[AHEAD:.+]] = arith.addi %[[ROW]], %c2
// CHECK-DAG: %[[NEXT:.+]] = arith.addi %[[COLUMN]], %c16
// CHECK-DAG: memref.prefetch %[[X]][%[[AHEAD]], %[[COLUMN]]], read, locality<{{[0-3]}}>, data : memref<8x64xf32>
// CHECK-DAG: memref.prefetch %[[X]][%[[AHEAD]], %[[NEXT]]], read, locality<{{[0-3]}}>, data : memref<8x64xf32>
// CHECK-DAG: memref.prefetch %[[B]][%[[AHEAD]], %[[COLUMN]]], read, locality<{{[0-3]}}>, data : memref<8x64xbf16>
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @two_rows_ahead(%x: memref<8x64xf32>, %b: memref<8x64xbf16>, %gamma: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c64 step %c32 {
      %v = vector.load %x[%i, %j] : memref<8x64xf32>, vector<16xf32>
      vector.store %v, %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
    }
    scf.for %j = %c0 to %c64 step %c32 {
      %v = vector.load %x[%i, %j] : memref<8x64xf32>, vector<16xf32>
      %k = arith.addi %j, %c16 : index
      %w = vector.load %x[%i, %k] : memref<8x64xf32>, vector<16xf32>
      %a = vector.load %b[%i, %j] : memref<8x64xbf16>, vector<16xbf16>
      %d = vector.load %b[%i, %k] : memref<8x64xbf16>, vector<16xbf16>
      %af = arith.extf %a : vector<16xbf16> to vector<16xf32>
      %df = arith.extf %d : vector<16xbf16> to vector<16xf32>
      %g = vector.load %gamma[%j] : memref<64xf32>, vector<16xf32>
      // What the program writes is not asked for.
      %o = vector.load %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
      %s = arith.addf %v, %o : vector<16xf32>
      %t = arith.addf %w, %g : vector<16xf32>
      %sa = arith.addf %s, %af : vector<16xf32>
      %td = arith.addf %t, %df : vector<16xf32>
      vector.store %sa, %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
      vector.store %td, %y[%i, %k] : memref<8x64xf32>, vector<16xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<prefetch = 2>}
  return
}

// -----

// CHECK-LABEL: func.func @none(
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @none(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c64 step %c16 {
      %v = vector.load %x[%i, %j] : memref<8x64xf32>, vector<16xf32>
      vector.store %v, %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// Loops that read as much of a row as each other share its lines.

// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>
// CHECK: scf.for %[[COLUMN:.+]] =
// CHECK: memref.prefetch %[[X]][%{{.+}}, %[[COLUMN]]], read
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %[[COLUMN:.+]] =
// CHECK: %[[NEXT:.+]] = arith.addi %[[COLUMN]], %c16
// CHECK: memref.prefetch %[[X]][%{{.+}}, %[[NEXT]]], read
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @shared(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i) in (8) {
    scf.for %j = %c0 to %c64 step %c32 {
      %k = arith.addi %j, %c16 : index
      %v = vector.load %x[%i, %j] : memref<8x64xf32>, vector<16xf32>
      %w = vector.load %x[%i, %k] : memref<8x64xf32>, vector<16xf32>
      vector.store %v, %y[%i, %k] : memref<8x64xf32>, vector<16xf32>
      vector.store %w, %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
    }
    scf.for %j = %c0 to %c64 step %c32 {
      %k = arith.addi %j, %c16 : index
      %v = vector.load %x[%i, %j] : memref<8x64xf32>, vector<16xf32>
      %w = vector.load %x[%i, %k] : memref<8x64xf32>, vector<16xf32>
      vector.store %v, %y[%i, %j] : memref<8x64xf32>, vector<16xf32>
      vector.store %w, %y[%i, %k] : memref<8x64xf32>, vector<16xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<prefetch = 1>}
  return
}
