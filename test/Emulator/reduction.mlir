// Kernels that are right, in many orders of warps: sums over blocks of whole
// warps, and of a warp and a half.
//
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.x.npy '<f4' 5,192 1*192,2*192,3*192,4*192,-1*192
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.y.npy '<f4' 5 192,384,576,768,-192
// DEFINE: %{entry} = sum_whole
// DEFINE: %{seed} = 1
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --rows=5 \
// DEFINE:   --input=0=%t.x.npy --expect=0=%t.y.npy --expect-ulp=0 --seed=%{seed}
// RUN: %{run} | FileCheck %s
// REDEFINE: %{seed} = 2
// RUN: %{run} | FileCheck %s
// REDEFINE: %{seed} = 3
// RUN: %{run} | FileCheck %s
// REDEFINE: %{entry} = sum_partial
// RUN: %{run} | FileCheck %s
// REDEFINE: %{seed} = 4
// RUN: %{run} | FileCheck %s
// REDEFINE: %{seed} = 5
// RUN: %{run} | FileCheck %s
// CHECK: device emulate
// CHECK: seed {{[1-5]}}
// CHECK: argument 0: f32 [5, 192], read
// CHECK: argument 1: f32 [5], written
// CHECK: guard: ok
// CHECK: against {{.*}}: ok

// No rows: no blocks, and nothing runs.
// RUN: rudnn-runner %s --device=emulate --entry=sum_whole --rows=0 | FileCheck %s --check-prefix=EMPTY
// EMPTY: result 0, argument 1: f32 [0]

module attributes {gpu.container_module} {
  func.func @sum_whole(%x: memref<?x192xf32>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c96 = arith.constant 96 : index
    %rows = memref.dim %x, %c0 : memref<?x192xf32>
    gpu.launch_func @kernels::@whole blocks in (%rows, %c1, %c1) threads in (%c96, %c1, %c1)
        args(%x : memref<?x192xf32>, %y : memref<?xf32>)
    return
  }

  func.func @sum_partial(%x: memref<?x192xf32>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %rows = memref.dim %x, %c0 : memref<?x192xf32>
    %blocks = arith.ceildivui %rows, %c3 : index
    gpu.launch_func @kernels::@partial blocks in (%blocks, %c1, %c1) threads in (%c16, %c3, %c1)
        args(%x : memref<?x192xf32>, %y : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // A row per block of three warps: shuffles, then a slot for each warp.
    gpu.func @whole(%x: memref<?x192xf32>, %y: memref<?xf32>)
        workgroup(%slots: memref<3xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %width = arith.constant 32 : i32
      %far = arith.constant 16 : i32
      %near = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %row = gpu.block_id x
      %tid = gpu.thread_id x
      %column = arith.muli %tid, %c2 : index
      %pair = vector.load %x[%row, %column] {alignment = 8} : memref<?x192xf32>, vector<2xf32>
      %own = vector.reduction <add>, %pair : vector<2xf32> into f32
      %distance, %sum = scf.while (%d = %far, %s = %own) : (i32, f32) -> (i32, f32) {
        %more = arith.cmpi ne, %d, %near : i32
        scf.condition(%more) %d, %s : i32, f32
      } do {
      ^bb0(%d: i32, %s: f32):
        %other, %valid = gpu.shuffle xor %s, %d, %width : f32
        %next = arith.addf %s, %other : f32
        %half = arith.shrui %d, %one : i32
        scf.yield %half, %next : i32, f32
      }
      %warp = gpu.subgroup_id : index
      %lane = gpu.lane_id
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        memref.store %sum, %slots[%warp] : memref<3xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %s0 = memref.load %slots[%c0] : memref<3xf32, #gpu.address_space<workgroup>>
      %s1 = memref.load %slots[%c1] : memref<3xf32, #gpu.address_space<workgroup>>
      %s2 = memref.load %slots[%c2] : memref<3xf32, #gpu.address_space<workgroup>>
      %s01 = arith.addf %s0, %s1 : f32
      %total = arith.addf %s01, %s2 : f32
      %leads = arith.cmpi eq, %tid, %c0 : index
      scf.if %leads {
        memref.store %total, %y[%row] : memref<?xf32>
      }
      gpu.return
    }

    // Three rows per block of 48 threads, the last block has two.
    gpu.func @partial(%x: memref<?x192xf32>, %y: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c192 = arith.constant 192 : index
      %zero = arith.constant 0.0 : f32
      %width = arith.constant 32 : i32
      %block = gpu.block_id x
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %first = arith.muli %block, %c3 : index
      %row = arith.addi %first, %ty : index
      %rows = memref.dim %x, %c0 : memref<?x192xf32>
      %inside = arith.cmpi ult, %row, %rows : index
      %own = scf.if %inside -> f32 {
        %sum = scf.for %c = %tx to %c192 step %c16 iter_args(%s = %zero) -> f32 {
          %e = memref.load %x[%row, %c] : memref<?x192xf32>
          %next = arith.addf %s, %e : f32
          scf.yield %next : f32
        }
        scf.yield %sum : f32
      } else {
        scf.yield %zero : f32
      }
      %d8 = arith.constant 8 : i32
      %a8, %v8 = gpu.shuffle xor %own, %d8, %width : f32
      %s8 = arith.addf %own, %a8 : f32
      %d4 = arith.constant 4 : i32
      %a4, %v4 = gpu.shuffle xor %s8, %d4, %width : f32
      %s4 = arith.addf %s8, %a4 : f32
      %d2 = arith.constant 2 : i32
      %a2, %v2 = gpu.shuffle xor %s4, %d2, %width : f32
      %s2 = arith.addf %s4, %a2 : f32
      %d1 = arith.constant 1 : i32
      %a1, %v1 = gpu.shuffle xor %s2, %d1, %width : f32
      %s1 = arith.addf %s2, %a1 : f32
      %leads = arith.cmpi eq, %tx, %c0 : index
      %writes = arith.andi %leads, %inside : i1
      scf.if %writes {
        memref.store %s1, %y[%row] : memref<?xf32>
      }
      gpu.return
    }
  }
}
