// RUN: rudnn-opt %s --norm-store-nontemporal --canonicalize --cse --split-input-file | FileCheck %s

// Two versions of the program; which one runs is decided by the bytes that it
// writes and by the alignment of each row.

// CHECK-LABEL: func.func @large(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x4096xf32>, %[[Y:[a-z0-9]+]]: memref<?x4096xf32, strided<[?, 1], offset: ?>>
// CHECK-DAG: %[[ROW:.+]] = arith.constant 16384 : index
// CHECK-DAG: %[[LIMIT:.+]] = arith.constant 1048576 : index
// CHECK-DAG: %[[LOW:.+]] = arith.constant 63 : index
// CHECK-DAG: %[[M:.+]] = memref.dim %[[Y]]
// CHECK-DAG: %[[BYTES:.+]] = arith.muli %[[M]], %[[ROW]]
// CHECK-DAG: %[[LARGE:.+]] = arith.cmpi uge, %[[BYTES]], %[[LIMIT]]
// CHECK-DAG: %{{.+}}, %[[OFFSET:.+]], %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[Y]]
// CHECK-DAG: %[[POINTER:.+]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK-DAG: %[[OFFSETBYTES:.+]] = arith.muli %[[OFFSET]], %c4
// CHECK-DAG: %[[START:.+]] = arith.addi %[[POINTER]], %[[OFFSETBYTES]]
// CHECK-DAG: %[[PITCH:.+]] = arith.muli %[[STRIDES]]#0, %c4
// CHECK-DAG: %[[BITS:.+]] = arith.ori %[[START]], %[[PITCH]]
// CHECK-DAG: %[[REST:.+]] = arith.andi %[[BITS]], %[[LOW]]
// CHECK-DAG: %[[ALIGNED:.+]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[BOTH:.+]] = arith.andi %[[LARGE]], %[[ALIGNED]]
// CHECK: scf.if %[[BOTH]]
// CHECK: scf.forall
// CHECK-COUNT-2: vector.store %{{.+}}, %[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: norm.schedule = #norm.schedule<nontemporal = 1048576>
// CHECK: else
// CHECK: scf.forall
// CHECK-NOT: nontemporal = true
// CHECK-COUNT-2: vector.store %{{.+}}, %[[Y]]
// CHECK-NOT: nontemporal = true
// CHECK: return
func.func @large(%x: memref<?x4096xf32>, %y: memref<?x4096xf32, strided<[?, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c4096 = arith.constant 4096 : index
  %m = memref.dim %x, %c0 : memref<?x4096xf32>
  scf.forall (%i) in (%m) {
    scf.for %j = %c0 to %c4096 step %c32 {
      %v = vector.load %x[%i, %j] : memref<?x4096xf32>, vector<16xf32>
      %k = arith.addi %j, %c16 : index
      %w = vector.load %x[%i, %k] : memref<?x4096xf32>, vector<16xf32>
      vector.store %v, %y[%i, %j] : memref<?x4096xf32, strided<[?, 1], offset: ?>>, vector<16xf32>
      vector.store %w, %y[%i, %k] : memref<?x4096xf32, strided<[?, 1], offset: ?>>, vector<16xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<nontemporal = 1048576>}
  return
}

// -----

// Known to be too small: one version.

// CHECK-LABEL: func.func @small(
// CHECK-NOT: scf.if
// CHECK-NOT: nontemporal = true
// CHECK: return
func.func @small(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %v = vector.load %x[%i, %c0] : memref<8x64xf32>, vector<16xf32>
    vector.store %v, %y[%i, %c0] : memref<8x64xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<nontemporal = 1048576>}
  return
}

// -----

// 0 is never.

// CHECK-LABEL: func.func @never(
// CHECK-NOT: scf.if
// CHECK-NOT: nontemporal = true
// CHECK: return
func.func @never(%x: memref<?x4096xf32>, %y: memref<?x4096xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%m) {
    %v = vector.load %x[%i, %c0] : memref<?x4096xf32>, vector<16xf32>
    vector.store %v, %y[%i, %c0] : memref<?x4096xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// Not past the cache: a buffer that the program reads too (directly or through
// a view), a store at an odd place, one of less than 128 bits, a masked one, a
// buffer of the program's own.

// CHECK-LABEL: func.func @others(
// CHECK-NOT: scf.if
// CHECK-NOT: nontemporal = true
// CHECK: return
func.func @others(%sum: memref<?x4096xf32>, %y: memref<?x4096xf32>, %z: memref<?x4096xbf16>, %w: memref<?x4096xf32>, %m: index, %j: index, %mask: vector<16xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %view = memref.subview %sum[0, 0] [%m, 4096] [1, 1] : memref<?x4096xf32> to memref<?x4096xf32, strided<[4096, 1]>>
  scf.forall (%i) in (%m) {
    %own = memref.alloca() : memref<16xf32>
    %v = vector.load %view[%i, %c0] : memref<?x4096xf32, strided<[4096, 1]>>, vector<16xf32>
    vector.store %v, %sum[%i, %c0] : memref<?x4096xf32>, vector<16xf32>
    vector.store %v, %y[%i, %c1] : memref<?x4096xf32>, vector<16xf32>
    vector.store %v, %y[%i, %j] : memref<?x4096xf32>, vector<16xf32>
    %short = vector.extract_strided_slice %v {offsets = [0], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
    %half = arith.truncf %short : vector<4xf32> to vector<4xbf16>
    vector.store %half, %z[%i, %c0] : memref<?x4096xbf16>, vector<4xbf16>
    vector.maskedstore %w[%i, %c0], %mask, %v : memref<?x4096xf32>, vector<16xi1>, vector<16xf32>
    vector.store %v, %own[%c0] : memref<16xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<nontemporal = 1>}
  return
}

// -----

// Two results count together; each has to be aligned for its own vectors.

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1024x1024xf32>, %[[Y:[a-z0-9]+]]: memref<1024x1024xf32>, %[[Z:[a-z0-9]+]]: memref<1024x1024xbf16>
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK-DAG: memref.extract_aligned_pointer_as_index %[[Z]]
// CHECK: scf.if
// CHECK: vector.store {{.*}}%[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: vector.store {{.*}}%[[Z]]{{.*}} {alignment = 32 : i64, nontemporal = true}
func.func @two(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>, %z: memref<1024x1024xbf16>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (1024) {
    %v = vector.load %x[%i, %c0] : memref<1024x1024xf32>, vector<16xf32>
    vector.store %v, %y[%i, %c0] : memref<1024x1024xf32>, vector<16xf32>
    %h = arith.truncf %v : vector<16xf32> to vector<16xbf16>
    vector.store %h, %z[%i, %c0] : memref<1024x1024xbf16>, vector<16xbf16>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<nontemporal = 6291456>}
  return
}
