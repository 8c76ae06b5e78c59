// Kernels that are there already, and waits, stay where they are beside norm ops.
//
// RUN: rudnn-opt %s --norm-to-gpu | FileCheck %s
// RUN: rudnn-opt %s --norm-to-nvvm | FileCheck %s --check-prefix=BINARY
// RUN: rudnn-opt %s --norm-to-cuda -o /dev/null
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.npy '<f4' 3,64 1.99999
// RUN: rudnn-runner %s --device=emulate --rows=3 --fill=ones --expect=0=%t.npy

// CHECK-LABEL: func.func @norm_and_double(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>)
// CHECK: gpu.launch_func @norm_and_double_kernel_0::@norm_and_double_kernel_0 {{.*}} args({{.*}}%[[Y]] : memref<?x64xf32>)
// CHECK: %[[TOKEN:.+]] = gpu.wait async
// CHECK: %[[LATER:.+]] = gpu.launch_func async [%[[TOKEN]]] @own::@double {{.*}} args(%[[Y]] : memref<?x64xf32>)
// CHECK: gpu.wait [%[[LATER]]]
// BINARY: gpu.binary @own
module attributes {gpu.container_module} {
  gpu.module @own {
    gpu.func @double(%x: memref<?x64xf32>) kernel {
      %row = gpu.block_id x
      %column = gpu.thread_id x
      %v = memref.load %x[%row, %column] : memref<?x64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%row, %column] : memref<?x64xf32>
      gpu.return
    }
  }
  func.func @norm_and_double(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %m = memref.dim %x, %c0 : memref<?x64xf32>
    norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x64xf32>) outs(%y : memref<?x64xf32>)
    %begin = gpu.wait async
    %done = gpu.launch_func async [%begin] @own::@double blocks in (%m, %c1, %c1) threads in (%c64, %c1, %c1) args(%y : memref<?x64xf32>)
    gpu.wait [%done]
    return
  }
}
