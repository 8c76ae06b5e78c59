// RUN: rudnn-opt %s --norm-describe-kernels | FileCheck %s

// What a kernel may do to its arguments. Pointers to the shared memory of a
// block or of its cluster are none to an argument, as those to other memory may
// be.
module attributes {gpu.container_module} {
  // CHECK: gpu.func @cluster(
  // CHECK-SAME: {norm.access = "read", norm.alignment = 4 : i64}, {norm.access = "write", norm.alignment = 4 : i64}, {norm.access = "none", norm.alignment = 0 : i64}
  // CHECK: gpu.func @global(
  // CHECK-SAME: {norm.access = "read_write", norm.alignment = 4 : i64}, {norm.access = "write", norm.alignment = 0 : i64}
  // CHECK: gpu.func @generic(
  // CHECK-SAME: {norm.access = "read", norm.alignment = 4 : i64}, {norm.access = "read", norm.alignment = 0 : i64}
  gpu.module @kernels {
    gpu.func @cluster(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %address = arith.constant 128 : i64
      %there = arith.constant 1 : i32
      %v = memref.load %x[%c0] : memref<64xf32>
      %here = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %other = nvvm.mapa %here, %there : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %v, %other : f32, !llvm.ptr<7>
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %sum = llvm.load %here : !llvm.ptr<3> -> f32
      memref.store %sum, %y[%c0] : memref<64xf32>
      gpu.return
    }
    gpu.func @global(%x: memref<64xf32>, %y: memref<64xf32>, %p: !llvm.ptr<1>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<64xf32>
      llvm.store %v, %p : f32, !llvm.ptr<1>
      gpu.return
    }
    gpu.func @generic(%x: memref<64xf32>, %y: memref<64xf32>, %p: !llvm.ptr) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<64xf32>
      %w = llvm.load %p : !llvm.ptr -> f32
      gpu.return
    }
  }
}
