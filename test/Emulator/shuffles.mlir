// What each mode of a shuffle brings, and whether it says so.
//
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.npy '<i4' 8,5 \
// RUN:   '1,1,-100,3,-1,0,2,0,3,-1,3,3,1,3,-1,2,4,2,3,-1,5,5,3,3,-1,4,6,4,3,-1,7,7,5,3,-1,6,-100,6,3,-1'
// RUN: rudnn-runner %s --device=emulate --seed=7 --expect=0=%t.npy | FileCheck %s
// CHECK: result 0, argument 0 against {{.*}}: ok

// All types of at most 64 bits travel.
// RUN: rudnn-runner %s --device=emulate --entry=types --seed=7 | FileCheck %s --check-prefix=TYPES
// TYPES: result 0, argument 0: i32 [32]

module attributes {gpu.container_module} {
  func.func @modes(%y: memref<8x5xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@modes blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
        args(%y : memref<8x5xi32>)
    return
  }
  func.func private @types(%y: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@types blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%y : memref<32xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @modes(%y: memref<8x5xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      %nine = arith.constant 9 : i32
      %width = arith.constant 8 : i32
      %nothing = arith.constant -100 : i32
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      %xor, %xorValid = gpu.shuffle xor %v, %one, %width : i32
      memref.store %xor, %y[%tid, %c0] : memref<8x5xi32>
      %down, %downValid = gpu.shuffle down %v, %one, %width : i32
      %d = arith.select %downValid, %down, %nothing : i32
      memref.store %d, %y[%tid, %c1] : memref<8x5xi32>
      %up, %upValid = gpu.shuffle up %v, %one, %width : i32
      %u = arith.select %upValid, %up, %nothing : i32
      memref.store %u, %y[%tid, %c2] : memref<8x5xi32>
      %idx, %idxValid = gpu.shuffle idx %v, %three, %width : i32
      memref.store %idx, %y[%tid, %c3] : memref<8x5xi32>
      %far, %farValid = gpu.shuffle idx %v, %nine, %width : i32
      %f = arith.extsi %farValid : i1 to i32
      %minus = arith.constant -1 : i32
      %g = arith.subi %minus, %f : i32
      memref.store %g, %y[%tid, %c4] : memref<8x5xi32>
      gpu.return
    }

    gpu.func @types(%y: memref<32xi32>) kernel {
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %i32 = arith.index_cast %tid : index to i32
      %i64 = arith.extsi %i32 : i32 to i64
      %i8 = arith.trunci %i32 : i32 to i8
      %f32 = arith.sitofp %i32 : i32 to f32
      %f64 = arith.sitofp %i32 : i32 to f64
      %f16 = arith.truncf %f32 : f32 to f16
      %bf16 = arith.truncf %f32 : f32 to bf16
      %s0, %v0 = gpu.shuffle xor %i64, %one, %width : i64
      %s1, %v1 = gpu.shuffle xor %i8, %one, %width : i8
      %s2, %v2 = gpu.shuffle xor %f32, %one, %width : f32
      %s3, %v3 = gpu.shuffle xor %f64, %one, %width : f64
      %s4, %v4 = gpu.shuffle xor %f16, %one, %width : f16
      %s5, %v5 = gpu.shuffle xor %bf16, %one, %width : bf16
      %w0 = arith.trunci %s0 : i64 to i32
      %w1 = arith.extsi %s1 : i8 to i32
      %w2 = arith.fptosi %s2 : f32 to i32
      %w3 = arith.fptosi %s3 : f64 to i32
      %e4 = arith.extf %s4 : f16 to f32
      %w4 = arith.fptosi %e4 : f32 to i32
      %e5 = arith.extf %s5 : bf16 to f32
      %w5 = arith.fptosi %e5 : f32 to i32
      %expected = arith.xori %i32, %one : i32
      %c0 = arith.cmpi eq, %w0, %expected : i32
      cf.assert %c0, "i64 did not travel"
      %c1 = arith.cmpi eq, %w1, %expected : i32
      cf.assert %c1, "i8 did not travel"
      %c2 = arith.cmpi eq, %w2, %expected : i32
      cf.assert %c2, "f32 did not travel"
      %c3 = arith.cmpi eq, %w3, %expected : i32
      cf.assert %c3, "f64 did not travel"
      %c4 = arith.cmpi eq, %w4, %expected : i32
      cf.assert %c4, "f16 did not travel"
      %c5 = arith.cmpi eq, %w5, %expected : i32
      cf.assert %c5, "bf16 did not travel"
      memref.store %w0, %y[%tid] : memref<32xi32>
      gpu.return
    }
  }
}
