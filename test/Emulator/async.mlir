// Asynchronous copies: their data are there once they have been waited for, and
// not before.
//
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --rows=7 --seed=1
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{run} 2>&1
//
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.x.npy '<f4' 7,128 1*128,2*128,3*128,4*128,5*128,6*128,7*128
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.y.npy '<f4' 7,128 2*128,4*128,6*128,8*128,10*128,12*128,14*128
// REDEFINE: %{entry} = ring
// RUN: %{run} --input=0=%t.x.npy --expect=0=%t.y.npy --expect-ulp=0 | FileCheck %s --check-prefix=RING
// RING: result 0, argument 1 against {{.*}}: ok

module attributes {gpu.container_module} {
  // A ring of two slots: each row is copied while the one before it is doubled.
  func.func @ring(%x: memref<?x128xf32>, %y: memref<?x128xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @ring_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?x128xf32>, %y : memref<?x128xf32>)
    return
  }
  gpu.module @ring_kernel {
    gpu.func @k(%x: memref<?x128xf32>, %y: memref<?x128xf32>)
        workgroup(%slots: memref<2x128xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %column = arith.muli %tid, %c4 : index
      %rows = memref.dim %x, %c0 : memref<?x128xf32>
      %last = arith.subi %rows, %c1 : index
      %t0 = nvgpu.device_async_copy %x[%c0, %column], %slots[%c0, %column], 4 {bypassL1}
          : memref<?x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
      %g0 = nvgpu.device_async_create_group %t0
      %end = scf.for %row = %c0 to %rows step %c1 iter_args(%slot = %c0) -> index {
        %other = arith.subi %c1, %slot : index
        %after = arith.addi %row, %c1 : index
        %next = arith.minsi %after, %last : index
        %t = nvgpu.device_async_copy %x[%next, %column], %slots[%other, %column], 4 {bypassL1}
            : memref<?x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
        %g = nvgpu.device_async_create_group %t
        nvgpu.device_async_wait %g {numGroups = 1 : i32}
        %v = vector.load %slots[%slot, %column] {alignment = 16}
            : memref<2x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        %w = arith.addf %v, %v : vector<4xf32>
        vector.store %w, %y[%row, %column] {alignment = 16} : memref<?x128xf32>, vector<4xf32>
        scf.yield %other : index
      }
      gpu.return
    }
  }

  // The same with a wait for one group too few.
  // REDEFINE: %{entry} = early
  // RUN: %{bad} | FileCheck %s --check-prefix=EARLY
  // EARLY: error: kernel @early_kernel::@k, block (0, 0, 0), thread ({{[0-9]+}}, 0, 0):
  // EARLY-SAME: read of workgroup memory that an asynchronous copy, not waited for, is to write
  // EARLY-NEXT: at: {{.*}}vector.load
  // EARLY-NEXT: before, thread ({{[0-9]+}}, 0, 0) at: {{.*}}nvgpu.device_async_copy
  func.func @early(%x: memref<?x128xf32>, %y: memref<?x128xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @early_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?x128xf32>, %y : memref<?x128xf32>)
    return
  }
  gpu.module @early_kernel {
    gpu.func @k(%x: memref<?x128xf32>, %y: memref<?x128xf32>)
        workgroup(%slots: memref<2x128xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %column = arith.muli %tid, %c4 : index
      %t0 = nvgpu.device_async_copy %x[%c0, %column], %slots[%c0, %column], 4 {bypassL1}
          : memref<?x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
      %g0 = nvgpu.device_async_create_group %t0
      %t1 = nvgpu.device_async_copy %x[%c1, %column], %slots[%c1, %column], 4 {bypassL1}
          : memref<?x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
      %g1 = nvgpu.device_async_create_group %t1
      nvgpu.device_async_wait %g1 {numGroups = 2 : i32}
      %v = vector.load %slots[%c0, %column] {alignment = 16}
          : memref<2x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %v, %y[%c0, %column] {alignment = 16} : memref<?x128xf32>, vector<4xf32>
      gpu.return
    }
  }

  // A wait brings a thread its own copies; those of others need a barrier too.
  // REDEFINE: %{entry} = neighbour
  // RUN: %{bad} | FileCheck %s --check-prefix=NEIGHBOUR
  // NEIGHBOUR: read of workgroup memory that {{(another thread has written, with no barrier in between|nobody has written|an asynchronous copy, not waited for, is to write)}}
  // NEIGHBOUR-NEXT: at: {{.*}}memref.load
  func.func @neighbour(%x: memref<?x128xf32>, %y: memref<?x128xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @neighbour_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%x : memref<?x128xf32>, %y : memref<?x128xf32>)
    return
  }
  gpu.module @neighbour_kernel {
    gpu.func @k(%x: memref<?x128xf32>, %y: memref<?x128xf32>)
        workgroup(%slots: memref<128xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c127 = arith.constant 127 : index
      %tid = gpu.thread_id x
      %t = nvgpu.device_async_copy %x[%c0, %tid], %slots[%tid], 1
          : memref<?x128xf32> to memref<128xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      %mirrored = arith.subi %c127, %tid : index
      %v = memref.load %slots[%mirrored] : memref<128xf32, #gpu.address_space<workgroup>>
      memref.store %v, %y[%c0, %tid] : memref<?x128xf32>
      gpu.return
    }
  }

  // A slot that others still read when it is copied to again.
  // REDEFINE: %{entry} = reuse
  // RUN: %{bad} | FileCheck %s --check-prefix=REUSE
  // REUSE: {{(asynchronous write of workgroup memory that another thread has read|read of workgroup memory that another thread has written)}}, with no barrier in between
  // REUSE-NEXT: at: {{.*}}{{nvgpu.device_async_copy|memref.load}}
  // REUSE-NEXT: before, {{(thread|several threads).*}} at: {{.*}}{{memref.load|nvgpu.device_async_copy}}
  func.func @reuse(%x: memref<?x128xf32>, %y: memref<?x128xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @reuse_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?x128xf32>, %y : memref<?x128xf32>)
    return
  }
  gpu.module @reuse_kernel {
    gpu.func @k(%x: memref<?x128xf32>, %y: memref<?x128xf32>)
        workgroup(%slots: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c31 = arith.constant 31 : index
      %tid = gpu.thread_id x
      %mirrored = arith.subi %c31, %tid : index
      scf.for %row = %c0 to %c2 step %c1 {
        %t = nvgpu.device_async_copy %x[%row, %tid], %slots[%tid], 1
            : memref<?x128xf32> to memref<32xf32, #gpu.address_space<workgroup>>
        %g = nvgpu.device_async_create_group %t
        nvgpu.device_async_wait %g
        gpu.barrier
        %v = memref.load %slots[%mirrored] : memref<32xf32, #gpu.address_space<workgroup>>
        memref.store %v, %y[%row, %tid] : memref<?x128xf32>
      }
      gpu.return
    }
  }

  // Only as many elements are read as are there; the others become zeros. What
  // is read is what the source holds in the end.
  // RUN: %python %S/../Runner/Inputs/write_npy.py %t.z.npy '<f4' 1,4 9,9,0,0
  // REDEFINE: %{entry} = part
  // RUN: %{run} --expect=0=%t.z.npy --expect-ulp=0 | FileCheck %s --check-prefix=PART
  // PART: result 0, argument 0 against {{.*}}: ok
  func.func @part(%y: memref<1x4xf32>) {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<2xf32>
    gpu.launch_func @part_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<2xf32>, %y : memref<1x4xf32>)
    memref.dealloc %x : memref<2xf32>
    return
  }
  gpu.module @part_kernel {
    gpu.func @k(%x: memref<2xf32>, %y: memref<1x4xf32>)
        workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %nine = arith.constant 9.0 : f32
      %t = nvgpu.device_async_copy %x[%c0], %slots[%c0], 4, %c2
          : memref<2xf32> to memref<8xf32, #gpu.address_space<workgroup>>
      memref.store %nine, %x[%c0] : memref<2xf32>
      memref.store %nine, %x[%c1] : memref<2xf32>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      %v = vector.load %slots[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %v, %y[%c0, %c0] : memref<1x4xf32>, vector<4xf32>
      gpu.return
    }
  }
}
