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

// -----

// CHECK-LABEL: .entry classes(
// CHECK-NOT: call
// CHECK-DAG: max.f32
// CHECK-DAG: min.f32
// CHECK-DAG: setp.nan.f32
// CHECK-DAG: setp.eq.f32 {{[^;]*}}, 0f7F800000
// CHECK-DAG: setp.ne.f32 {{[^;]*}}, 0f7F800000
gpu.module @kernels {
  gpu.func @classes(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : memref<?xf32>
    %b = memref.load %y[%t] : memref<?xf32>
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %max = arith.maxnumf %a, %b : f32
    %min = arith.minnumf %a, %b : f32
    %nan = math.isnan %a : f32
    %infinite = math.isinf %a : f32
    %finite = math.isfinite %a : f32
    %n = arith.uitofp %nan : i1 to f32
    %i = arith.uitofp %infinite : i1 to f32
    %f = arith.uitofp %finite : i1 to f32
    memref.store %max, %x[%t] : memref<?xf32>
    memref.store %min, %x[%c1] : memref<?xf32>
    memref.store %n, %x[%c2] : memref<?xf32>
    memref.store %i, %x[%c3] : memref<?xf32>
    memref.store %f, %x[%c4] : memref<?xf32>
    gpu.return
  }
}
