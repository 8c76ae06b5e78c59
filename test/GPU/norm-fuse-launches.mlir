// RUN: rudnn-opt %s --split-input-file --norm-fuse-launches --canonicalize --cse | FileCheck %s

// Blocks of the first launch come first. Its threads stand in other rows than
// those of the second, which are as many.

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>, %[[Z:[a-z0-9]+]]: memref<64xf32>, %[[M:[a-z0-9]+]]: index
// CHECK-DAG: %[[BLOCKS:.+]] = arith.addi %[[M]], %c2
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[BLOCKS]], %{{.+}} = %c1, %{{.+}} = %c1) threads(%[[T:[a-z0-9]+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %c64, %{{.+}} = %c1, %{{.+}} = %c1)
// CHECK: %[[FIRST:.+]] = arith.cmpi ult, %[[BLOCK]], %c2
// CHECK: scf.if %[[FIRST]] {
// CHECK-DAG: %[[TX:.+]] = arith.remui %[[T]], %c8
// CHECK-DAG: %[[TY:.+]] = arith.divui %[[T]], %c8
// CHECK: memref.load %[[X]][%[[TY]], %[[TX]]]
// CHECK: gpu.barrier
// CHECK: %[[COLUMN:.+]] = arith.addi %[[TX]], %[[BLOCK]]
// CHECK: memref.store %{{.+}}, %[[Z]][%[[COLUMN]]]
// CHECK: } else {
// CHECK: %[[ROW:.+]] = arith.subi %[[BLOCK]], %c2
// CHECK: memref.load %[[X]][%[[ROW]], %[[T]]]
// CHECK: memref.store %{{.+}}, %[[Y]][%[[ROW]], %[[T]]]
// CHECK: gpu.terminator
// CHECK: norm.schedule = #norm.schedule<vector = 1, threads = 64, strips = 2>
// CHECK-NOT: gpu.launch
#launch = distinct[0]<#norm.schedule<vector = 1, threads = 64, strips = 2>>
func.func @both(%x: memref<?x64xf32>, %y: memref<?x64xf32>, %z: memref<64xf32>, %m: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c8, %sz = %c1) {
    %v = memref.load %x[%ty, %tx] : memref<?x64xf32>
    gpu.barrier
    %column = arith.addi %tx, %bx : index
    memref.store %v, %z[%column] : memref<64xf32>
    gpu.terminator
  } {norm.launch = #launch}
  // Not in the way.
  %rows = memref.dim %y, %c1 : memref<?x64xf32>
  %own = memref.alloc() : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx, %tx] : memref<?x64xf32>
    memref.store %v, %y[%bx, %tx] : memref<?x64xf32>
    gpu.terminator
  } {norm.launch = #launch}
  memref.dealloc %own : memref<8xf32>
  return
}

// -----

// Three that belong together, two to begin with. What a body reads of its launch
// stays what it was: the size of its own grid and block.

// CHECK-LABEL: func.func @three(
// CHECK-SAME: %[[Z:[a-z0-9]+]]: memref<?xindex>, %[[M:[a-z0-9]+]]: index
// CHECK-COUNT-1: gpu.launch
// CHECK-NOT: gpu.launch blocks
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.store %c4,
// CHECK: } else {
// CHECK: memref.store %[[M]],
// CHECK: } else {
// CHECK: memref.store %c32,
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @three(%z: memref<?xindex>, %m: index, %a: memref<8xindex>, %b: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c4, %sz = %c2) {
    memref.store %sx, %a[%bx] : memref<8xindex>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %m, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c4, %sz = %c1) {
    memref.store %gx, %z[%bx] : memref<?xindex>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %sx, %b[%bx] : memref<8xindex>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Nobody asked for one launch.

// CHECK-LABEL: func.func @not_together(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
#other = distinct[1]<#norm.schedule<threads = 32>>
func.func @not_together(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #other}
  return
}

// -----

// The second reads what the first writes.

// CHECK-LABEL: func.func @reads_result(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @reads_result(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %y[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// The second writes what the first reads, through a view.

// CHECK-LABEL: func.func @in_place(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @in_place(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %view = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %view[%bx] : memref<4xf32, strided<[1], offset: 4>>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Both write the same.

// CHECK-LABEL: func.func @same_result(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @same_result(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Of a buffer that a call gave nothing is known.

// CHECK-LABEL: func.func @unknown_buffer(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func private @get() -> memref<8xf32>
func.func @unknown_buffer(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %u = func.call @get() : () -> memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %u[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// An argument of another block may be any of the function's.

// CHECK-LABEL: func.func @other_block(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @other_block(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  cf.br ^next(%z : memref<8xf32>)
^next(%u: memref<8xf32>):
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %u[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Nor of one that is chosen inside.

// CHECK-LABEL: func.func @unknown_place(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @unknown_place(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    %u = arith.select %c, %x, %z : memref<8xf32>
    memref.store %v, %u[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Blocks of other sizes.

// CHECK-LABEL: func.func @other_threads(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @other_threads(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Blocks of unknown size.

// CHECK-LABEL: func.func @unknown_threads(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @unknown_threads(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %t: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %t, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// A grid of two dimensions.

// CHECK-LABEL: func.func @plane(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @plane(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c2, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Memory is written between them.

// CHECK-LABEL: func.func @between(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @between(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  memref.store %one, %x[%c0] : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// The body asks for its block by an op.

// CHECK-LABEL: func.func @reads_id(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @reads_id(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %id = gpu.block_id x
    %v = memref.load %x[%id] : memref<8xf32>
    memref.store %v, %z[%id] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Dynamic shared memory is that of one launch.

// CHECK-LABEL: func.func @dynamic_memory(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @dynamic_memory(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %bytes = arith.constant 64 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) dynamic_shared_memory_size %bytes {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%bx] : memref<8xf32>
    memref.store %v, %z[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Clusters.

// CHECK-LABEL: func.func @clusters(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @clusters(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch clusters(%cx, %cy, %cz) in (%kx = %c2, %ky = %c1, %kz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Asynchronous launches.

// CHECK-LABEL: func.func @async(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @async(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %token = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}

// -----

// Memory of a block by attribution.

// CHECK-LABEL: func.func @attribution(
// CHECK-COUNT-2: gpu.launch {{.*}}blocks
// CHECK: return
#launch = distinct[0]<#norm.schedule<threads = 32>>
func.func @attribution(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) workgroup(%w : memref<8xf32, 3>) {
    memref.store %zero, %w[%bx] : memref<8xf32, 3>
    memref.store %zero, %x[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %y[%bx] : memref<8xf32>
    gpu.terminator
  } {norm.launch = #launch}
  return
}
