// RUN: rudnn-opt %s --norm-gpu-to-nvvm | FileCheck %s
// RUN: rudnn-opt %s --norm-gpu-to-nvvm="chip=sm_80 features=+ptx70" | FileCheck %s --check-prefix=OLD

// Accesses of 16 and of 2 bytes; the buffer that is written is not read through
// the non-coherent path. PTX before 7.4 has no such hints.
// CHECK: .version 8.0\0A.target sm_90
// CHECK-DAG: createpolicy.fractional.L2::evict_last.b64
// CHECK-DAG: ld.global.L1::evict_last.L2::cache_hint.v4.b32
// CHECK-DAG: ld.global.nc.L1::no_allocate.b16
// CHECK-DAG: ld.global.L1::no_allocate.v4.b32
// CHECK-DAG: st.global.cs.v4.b32
// OLD-NOT: createpolicy
// OLD-NOT: L1::
// OLD: st.global.cs.v4.b32
gpu.module @kernels {
  gpu.func @policies(%x: memref<?xbf16>, %y: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %i = arith.muli %t, %c8 : index
    %a = vector.load %x[%i] {alignment = 16, norm.cache = "evict_last"} : memref<?xbf16>, vector<8xbf16>
    %b = memref.load %x[%t] {norm.cache = "no_allocate"} : memref<?xbf16>
    %c = vector.load %y[%i] {alignment = 16, norm.cache = "no_allocate"} : memref<?xbf16>, vector<8xbf16>
    %s = vector.broadcast %b : bf16 to vector<8xbf16>
    %d = arith.addf %a, %c : vector<8xbf16>
    %e = arith.addf %d, %s : vector<8xbf16>
    vector.store %e, %y[%i] {alignment = 16, norm.cache = "streaming"} : memref<?xbf16>, vector<8xbf16>
    gpu.return
  }
}
