// RUN: rudnn-opt %s --norm-gpu-to-nvvm --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-NOT: __nv_
// CHECK-DAG: ex2.approx.f32
// CHECK-DAG: rsqrt.approx.f32
// CHECK-DAG: sqrt.rn.f32
gpu.module @kernels {
  gpu.func @math(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : memref<?xf32>
    %b = math.exp %a : f32
    %c = math.rsqrt %b : f32
    %d = math.tanh %c : f32
    %e = math.sqrt %d : f32
    %f = math.fma %e, %a, %b : f32
    memref.store %f, %x[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @sine(%x: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : memref<?xf32>
    // expected-error @below {{'math.sin' op of type 'f32' has no lowering to NVVM without a device library}}
    %b = math.sin %a : f32
    memref.store %b, %x[%t] : memref<?xf32>
    gpu.return
  }
}
