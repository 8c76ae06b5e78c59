// Claims of alignment that do not hold: a GPU would fault.
//
// DEFINE: %{entry} =
// DEFINE: %{option} =
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --rows=2 --seed=1 %{option}
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{run} 2>&1

module attributes {gpu.container_module} {
  // Of a buffer: it holds as the driver allocates, not for every buffer.
  // REDEFINE: %{entry} = global
  // RUN: %{run} | FileCheck %s --check-prefix=GOOD
  // GOOD: result 0, argument 1: f32 [2, 8]
  // REDEFINE: %{option} = --misalign=0
  // RUN: %{bad} | FileCheck %s --check-prefix=LOAD
  // LOAD: error: kernel @global_kernel::@k, block (0, 0, 0), thread ({{[0-9]}}, {{[01]}}, 0): access at address 0x{{[0-9a-f]+}}4, which is not aligned to 16 bytes
  // LOAD-NEXT: at: {{.*}}vector.load {{.*}}alignment.mlir:
  // REDEFINE: %{option} = --misalign=1
  // RUN: %{bad} | FileCheck %s --check-prefix=STORE
  // STORE: access at address 0x{{[0-9a-f]+}}4, which is not aligned to 8 bytes
  // STORE-NEXT: at: vector.store
  // REDEFINE: %{option} =
  func.func @global(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %rows = memref.dim %x, %c0 : memref<?x8xf32>
    gpu.launch_func @global_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c2, %rows, %c1)
        args(%x : memref<?x8xf32>, %y : memref<?x8xf32>)
    return
  }
  gpu.module @global_kernel {
    gpu.func @k(%x: memref<?x8xf32>, %y: memref<?x8xf32>) kernel {
      %c4 = arith.constant 4 : index
      %tid = gpu.thread_id x
      %row = gpu.thread_id y
      %column = arith.muli %tid, %c4 : index
      %v = vector.load %x[%row, %column] {alignment = 16} : memref<?x8xf32>, vector<4xf32>
      vector.store %v, %y[%row, %column] {alignment = 8} : memref<?x8xf32>, vector<4xf32>
      gpu.return
    }
  }

  // Of an element of workgroup memory: small buffers are aligned to their
  // elements only, large ones to 16 bytes, others as they say.
  // REDEFINE: %{entry} = small
  // RUN: %{bad} | FileCheck %s --check-prefix=SMALL
  // SMALL: which is not aligned to 8 bytes
  // SMALL-NEXT: at: vector.store {{.*}} : memref<2xf32, #gpu.address_space<workgroup>>
  func.func @small() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @small_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.module @small_kernel {
    gpu.func @k()
        workgroup(%large: memref<8xf32, #gpu.address_space<workgroup>>,
                  %said: memref<2xf32, #gpu.address_space<workgroup>> {llvm.align = 8 : i64},
                  %small: memref<2xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant dense<1.0> : vector<4xf32>
      %w = arith.constant dense<1.0> : vector<2xf32>
      vector.store %v, %large[%c0] {alignment = 16} : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %w, %said[%c0] {alignment = 8} : memref<2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      vector.store %w, %small[%c0] {alignment = 8} : memref<2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      gpu.return
    }
  }

  // Elements of a view of bytes that do not lie where elements lie.
  // REDEFINE: %{entry} = view
  // RUN: %{bad} | FileCheck %s --check-prefix=VIEW
  // VIEW: which is not aligned to 4 bytes
  // VIEW-NEXT: at: memref.store
  func.func @view() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 64 : i32
    gpu.launch_func @view_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @view_kernel {
    gpu.func @k() kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %v = arith.constant 1.0 : f32
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %slots = memref.view %bytes[%c2][]
          : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
      memref.store %v, %slots[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }

  // An asynchronous copy of 16 bytes wants both addresses aligned.
  // REDEFINE: %{entry} = copy
  // RUN: %{run} | FileCheck %s --check-prefix=COPY
  // COPY: argument 0: f32 [2, 8], read
  // COPY: guard: ok
  // REDEFINE: %{option} = --misalign=0
  // RUN: %{bad} | FileCheck %s --check-prefix=SOURCE
  // SOURCE: which is not aligned to 16 bytes
  // SOURCE-NEXT: at: {{.*}}nvgpu.device_async_copy
  func.func @copy(%x: memref<?x8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @copy_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<?x8xf32>)
    return
  }
  gpu.module @copy_kernel {
    gpu.func @k(%x: memref<?x8xf32>)
        workgroup(%slots: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %t = nvgpu.device_async_copy %x[%c0, %c4], %slots[%c4], 4 {bypassL1}
          : memref<?x8xf32> to memref<8xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
      gpu.return
    }
  }
}
