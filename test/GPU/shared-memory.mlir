// RUN: rudnn-opt %s --norm-allocate-shared-memory | FileCheck %s
// RUN: rudnn-opt %s --norm-gpu-to-nvvm | FileCheck %s --check-prefix=PTX

// 64 KiB don't fit what is static: the launch asks for them, and PTX has them
// behind what is static.
// CHECK-LABEL: func.func @host
// CHECK: dynamic_shared_memory_size %{{.*}}
// CHECK-LABEL: gpu.func @large
// CHECK: gpu.dynamic_shared_memory
// CHECK: memref.view
// CHECK-LABEL: gpu.func @small
// CHECK-SAME: workgroup(%{{.*}} : memref<32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// PTX: .extern .shared .align 16 .b8 __dynamic_shmem__0[]
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  func.func @host(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@large blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @large(%x: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %m = memref.alloc() : memref<16384xf32, #shared>
      %a = memref.load %x[%t] : memref<?xf32>
      memref.store %a, %m[%t] : memref<16384xf32, #shared>
      gpu.barrier
      %c0 = arith.constant 0 : index
      %b = memref.load %m[%c0] : memref<16384xf32, #shared>
      memref.store %b, %x[%t] : memref<?xf32>
      gpu.return
    }
    gpu.func @small(%x: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %m = memref.alloc() : memref<32xf32, #shared>
      %a = memref.load %x[%t] : memref<?xf32>
      memref.store %a, %m[%t] : memref<32xf32, #shared>
      gpu.barrier
      %c0 = arith.constant 0 : index
      %b = memref.load %m[%c0] : memref<32xf32, #shared>
      memref.store %b, %x[%t] : memref<?xf32>
      gpu.return
    }
  }
}
