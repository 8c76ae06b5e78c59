// RUN: rudnn-opt %s --split-input-file --norm-lower-thread-reduce --canonicalize --cse --verify-diagnostics | FileCheck %s

// Eight threads for a row, four rows in a warp: a butterfly within the row, no
// memory and no barrier.

// CHECK-LABEL: func.func @x8(
// CHECK-NOT: memref.alloc
// CHECK: %[[V:.+]] = memref.load
// CHECK-NEXT: %[[O4:.+]], %{{.+}} = gpu.shuffle {{ *}}xor %[[V]], %c4_i32, %c32_i32 : f32
// CHECK-NEXT: %[[S4:.+]] = arith.addf %[[V]], %[[O4]] : f32
// CHECK-NEXT: %[[O2:.+]], %{{.+}} = gpu.shuffle {{ *}}xor %[[S4]], %c2_i32, %c32_i32 : f32
// CHECK-NEXT: %[[S2:.+]] = arith.addf %[[S4]], %[[O2]] : f32
// CHECK-NEXT: %[[O1:.+]], %{{.+}} = gpu.shuffle {{ *}}xor %[[S2]], %c1_i32, %c32_i32 : f32
// CHECK-NEXT: %[[S1:.+]] = arith.addf %[[S2]], %[[O1]] : f32
// CHECK-NEXT: memref.store %[[S1]]
// CHECK-NOT: gpu.barrier
func.func @x8(%out: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c4, %sz = %c1) {
    %v = memref.load %out[%ty, %tx] : memref<4x8xf32>
    %s = norm.thread_reduce <add> along x rows 4 threads 8(%v) : f32
    memref.store %s, %out[%ty, %tx] : memref<4x8xf32>
    gpu.terminator
  }
  return
}

// -----

// A whole warp.

// CHECK-LABEL: func.func @x32(
// CHECK-NOT: memref.alloc
// CHECK-COUNT-5: gpu.shuffle
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @x32(%out: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %v = memref.load %out[%tx] : memref<32xf32>
    %s = norm.thread_reduce <maximumf> along x rows 1 threads 32(%v) : f32
    memref.store %s, %out[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Three warps: each leaves its part in a slot of its own, and after the barrier
// all combine four slots, of which the last stands for nothing, not even zero.

// CHECK-LABEL: func.func @x96(
// CHECK: %[[NONE:.+]] = arith.constant 0xFF800000 : f32
// CHECK: threads(%[[T:[a-z0-9]+]],
// CHECK: %[[SLOTS:.+]] = memref.alloc() {alignment = 16 : i64} : memref<1x1x3xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-5: gpu.shuffle
// CHECK: %[[OWN:.+]] = arith.maximumf
// CHECK-DAG: %[[LANE:.+]] = arith.remui %[[T]], %c32
// CHECK-DAG: %[[WARP:.+]] = arith.divui %[[T]], %c32
// CHECK: %[[ISFIRST:.+]] = arith.cmpi eq, %[[LANE]], %c0
// CHECK: scf.if %[[ISFIRST]] {
// CHECK-NEXT: memref.store %[[OWN]], %[[SLOTS]][%c0, %c0, %[[WARP]]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[SLOT:.+]] = arith.andi %[[LANE]], %c3
// CHECK-NEXT: %[[IS:.+]] = arith.cmpi ult, %[[SLOT]], %c3
// CHECK-NEXT: %[[THERE:.+]] = arith.select %[[IS]], %[[SLOT]], %c0
// CHECK-NEXT: %[[PART:.+]] = memref.load %[[SLOTS]][%c0, %c0, %[[THERE]]]
// CHECK-NEXT: %[[TERM:.+]] = arith.select %[[IS]], %[[PART]], %[[NONE]]
// CHECK-NEXT: gpu.shuffle {{ *}}xor %[[TERM]], %c2_i32
// CHECK: gpu.shuffle {{ *}}xor %{{.+}}, %c1_i32
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @x96(%out: memref<96xf32>) {
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c96, %sy = %c1, %sz = %c1) {
    %v = memref.load %out[%tx] : memref<96xf32>
    %s = norm.thread_reduce <maximumf> along x rows 1 threads 96(%v) : f32
    memref.store %s, %out[%tx] : memref<96xf32>
    gpu.terminator
  }
  return
}

// -----

// Two values for each of two rows share one barrier; all slots are there, so
// nothing is left out.

// CHECK-LABEL: func.func @x256(
// CHECK: threads(%[[T:[a-z0-9]+]], %[[Y:[a-z0-9]+]],
// CHECK: %[[SLOTS:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x2x8xf32, #gpu.address_space<workgroup>>
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.+}}, %[[SLOTS]][%c0, %[[Y]], %[[WARP:.+]]] :
// CHECK-NEXT: memref.store %{{.+}}, %[[SLOTS]][%c1, %[[Y]], %[[WARP]]] :
// CHECK: gpu.barrier
// CHECK: %[[SLOT:.+]] = arith.andi %{{.+}}, %c7
// CHECK-NOT: arith.select
// CHECK: memref.load %[[SLOTS]][%c0, %[[Y]], %[[SLOT]]]
// CHECK-COUNT-3: gpu.shuffle
// CHECK: memref.load %[[SLOTS]][%c1, %[[Y]], %[[SLOT]]]
// CHECK-COUNT-3: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @x256(%out: memref<2x256xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c2, %sz = %c1) {
    %v = memref.load %out[%ty, %tx] : memref<2x256xf32>
    %s:2 = norm.thread_reduce <add> along x rows 2 threads 256(%v, %v) : f32, f32
    %t = arith.mulf %s#0, %s#1 : f32
    memref.store %t, %out[%ty, %tx] : memref<2x256xf32>
    gpu.terminator
  }
  return
}

// -----

// Over rows: four share a warp and are added up by shuffles of what threads of
// the same column hold, element by element; the two warps' parts are added in
// order from memory.

// CHECK-LABEL: func.func @y(
// CHECK: threads(%[[T:[a-z0-9]+]], %[[Y:[a-z0-9]+]],
// CHECK: %[[SLOTS:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x1x16xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: gpu.shuffle {{ *}}xor %{{.+}}, %c16_i32, %c32_i32
// CHECK: arith.addf %{{.+}} : vector<2xf32>
// CHECK-COUNT-2: gpu.shuffle {{ *}}xor %{{.+}}, %c8_i32, %c32_i32
// CHECK: %[[OWN:.+]] = arith.addf %{{.+}} : vector<2xf32>
// CHECK-NOT: gpu.shuffle
// CHECK-DAG: %[[GROUP:.+]] = arith.divui %[[Y]], %c4
// CHECK-DAG: %[[COLUMN:.+]] = arith.muli %[[T]], %c2
// CHECK-DAG: %[[IN:.+]] = arith.remui %[[Y]], %c4
// CHECK: %[[ISFIRST:.+]] = arith.cmpi eq, %[[IN]], %c0
// CHECK-NEXT: scf.if %[[ISFIRST]] {
// CHECK-NEXT: vector.store %[[OWN]], %[[SLOTS]][%[[GROUP]], %c0, %[[COLUMN]]] {alignment = 8 : i64}
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: %[[P0:.+]] = vector.load %[[SLOTS]][%c0, %c0, %[[COLUMN]]] {alignment = 8 : i64}
// CHECK-NEXT: %[[P1:.+]] = vector.load %[[SLOTS]][%c1, %c0, %[[COLUMN]]] {alignment = 8 : i64}
// CHECK-NEXT: arith.addf %[[P0]], %[[P1]] : vector<2xf32>
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @y(%out: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c8, %sz = %c1) {
    %v = vector.load %out[%ty, %tx] : memref<8x8xf32>, vector<2xf32>
    %s = norm.thread_reduce <add> along y rows 8 threads 8(%v) : vector<2xf32>
    vector.store %s, %out[%ty, %tx] : memref<8x8xf32>, vector<2xf32>
    gpu.terminator
  }
  return
}

// -----

// Where a row is whole warps, rows meet in memory alone; two values share the
// barrier.

// CHECK-LABEL: func.func @y_warps(
// CHECK-NOT: gpu.shuffle
// CHECK: %[[SLOTS:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x2x64xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: memref.store %{{.+}}, %[[SLOTS]]
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-4: memref.load %[[SLOTS]]
// CHECK-NOT: gpu.barrier
// CHECK-NOT: gpu.shuffle
// CHECK: return
func.func @y_warps(%out: memref<2x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c2, %sz = %c1) {
    %v = memref.load %out[%ty, %tx] : memref<2x64xf32>
    %s:2 = norm.thread_reduce <add> along y rows 2 threads 64(%v, %v) : f32, f32
    memref.store %s#0, %out[%ty, %tx] : memref<2x64xf32>
    memref.store %s#1, %out[%ty, %tx] : memref<2x64xf32>
    gpu.terminator
  }
  return
}

// -----

// All rows in one warp: no memory.

// CHECK-LABEL: func.func @y_in_a_warp(
// CHECK-NOT: memref.alloc
// CHECK: gpu.shuffle {{ *}}xor %{{.+}}, %c16_i32, %c32_i32
// CHECK: gpu.shuffle {{ *}}xor %{{.+}}, %c8_i32, %c32_i32
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @y_in_a_warp(%out: memref<4x8xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c4, %sz = %c1) {
    %v = memref.load %out[%ty, %tx] : memref<4x8xf32>
    %s = norm.thread_reduce <add> along y rows 4 threads 8(%v) : f32
    memref.store %s, %out[%ty, %tx] : memref<4x8xf32>
    gpu.terminator
  }
  return
}

// -----

// In a loop there are two sets of slots for each op, taken in turns: one barrier
// for each op is enough.

// CHECK-LABEL: func.func @loop(
// CHECK: gpu.launch
// CHECK-DAG: %[[A:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x1x1x2xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[B:.+]] = memref.alloc() {alignment = 16 : i64} : memref<2x1x1x2xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for {{.*}} iter_args(%[[TURN:[a-z0-9]+]] = %c0) -> (index)
// CHECK: memref.store %{{.+}}, %[[FIRST:.+]][%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK: gpu.barrier
// CHECK: memref.load %[[FIRST]][%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK: memref.store %{{.+}}, %[[SECOND:.+]][%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SECOND]][%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK: %[[OTHER:.+]] = arith.subi %c1, %[[TURN]]
// CHECK: scf.yield %[[OTHER]] : index
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @loop(%out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %out[%tx] : memref<64xf32>
      %s = norm.thread_reduce <add> along x rows 1 threads 64(%v) : f32
      %t = norm.thread_reduce <mul> along x rows 1 threads 64(%s) : f32
      memref.store %t, %out[%tx] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// The turns of an inner loop begin anew, so all threads have to be done with the
// one before.

// CHECK-LABEL: func.func @nested(
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[TURN:[a-z0-9]+]] = %c0) -> (index)
// CHECK: memref.store %{{.+}}, %{{.+}}[%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK: gpu.barrier
// CHECK: memref.load %{{.+}}[%[[TURN]], %c0, %c0, %{{.+}}]
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @nested(%out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %v = memref.load %out[%tx] : memref<64xf32>
        %s = norm.thread_reduce <add> along x rows 1 threads 64(%v) : f32
        memref.store %s, %out[%tx] : memref<64xf32>
      }
    }
    gpu.terminator
  }
  return
}

// -----

// Shuffles need no turns.

// CHECK-LABEL: func.func @warp_loop(
// CHECK: scf.for {{.*}} step %c1 {
// CHECK-COUNT-5: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @warp_loop(%out: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %out[%tx] : memref<32xf32>
      %s = norm.thread_reduce <add> along x rows 1 threads 32(%v) : f32
      memref.store %s, %out[%tx] : memref<32xf32>
    }
    gpu.terminator
  }
  return
}

// -----

func.func @no_launch(%v: f32) -> f32 {
  // expected-error @below {{'norm.thread_reduce' op expected to be inside a gpu.launch}}
  %s = norm.thread_reduce <add> along x rows 1 threads 32(%v) : f32
  return %s : f32
}

// -----

// Two warps of each of three blocks: lane i of a warp leaves its part with block
// i, in slot rank * 2 + warp, and after the cluster's barrier lanes 0 to 5 take
// the slots. No other barrier: but for the one before anything is written to
// another block.

// CHECK-LABEL: func.func @cluster(
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: %[[SLOTS:.+]] = memref.alloc() {alignment = 16 : i64} : memref<1x1x6xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: %[[RANK:.+]] = gpu.cluster_block_id x
// CHECK: %[[FIRST:.+]] = arith.muli %[[RANK]], %{{.+}}
// CHECK: %[[SLOT:.+]] = arith.addi %[[FIRST]], %{{.+}}
// CHECK: %[[LEAVES:.+]] = arith.cmpi ult, %[[LANE:.+]], %{{.+}}
// CHECK: scf.if %[[LEAVES]] {
// CHECK: memref.extract_aligned_pointer_as_index %[[SLOTS]]
// CHECK: %[[BLOCK:.+]] = arith.index_cast %[[LANE]] : index to i32
// CHECK: %[[THERE:.+]] = nvvm.mapa %{{.+}}, %[[BLOCK]]
// CHECK: llvm.store %{{.+}}, %[[THERE]]
// CHECK: }
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK-NOT: gpu.barrier
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %{{.+}}, %{{.+}}
// CHECK: %[[PART:.+]] = memref.load %[[SLOTS]]
// CHECK: arith.select %[[INSIDE]], %[[PART]], %{{.+}}
// CHECK-COUNT-3: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.terminator
func.func @cluster(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%ncx = %c3, %ncy = %c1, %ncz = %c1) blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<64xf32>
    %sum = norm.thread_reduce <add> along x rows 1 threads 64 cluster 3(%v) : f32
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// More slots than lanes: each takes two.

// CHECK-LABEL: func.func @wide_cluster(
// CHECK: %[[SLOTS:.+]] = memref.alloc() {{.*}} : memref<1x1x64xf32, #gpu.address_space<workgroup>>
// CHECK: nvvm.mapa
// CHECK: nvvm.cluster.wait {aligned}
// CHECK: %[[A:.+]] = memref.load %[[SLOTS]]
// CHECK: %[[B:.+]] = memref.load %[[SLOTS]]
// CHECK: arith.addf %[[A]], %[[B]]
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.terminator
func.func @wide_cluster(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1024 = arith.constant 1024 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%ncx = %c2, %ncy = %c1, %ncz = %c1) blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1024, %sy = %c1, %sz = %c1) {
    %v = memref.load %x[%tx] : memref<1024xf32>
    %sum = norm.thread_reduce <add> along x rows 1 threads 1024 cluster 2(%v) : f32
    memref.store %sum, %y[%tx] : memref<1024xf32>
    gpu.terminator
  }
  return
}
