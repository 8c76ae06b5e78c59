// RUN: rudnn-opt %s --norm-emulate-kernels --canonicalize --cse | FileCheck %s

// The launch packs its arguments, and names the kernel's function and what
// resumes its threads.
// CHECK: module {
// CHECK: func.func @host(%[[X:.*]]: memref<?x8xf16>, %[[Y:.*]]: memref<?x8xf16>)
// CHECK-DAG: %[[KERNEL:.*]] = constant @kernels_copy : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-DAG: %[[RESUME:.*]] = constant @rudnn_resume_thread : (!llvm.ptr) -> ()
// CHECK-DAG: builtin.unrealized_conversion_cast %[[X]] : memref<?x8xf16> to !llvm.struct
// CHECK: llvm.store
// CHECK: call @rudnnEmulatorLaunch(%{{.*}}) : (!llvm.ptr) -> ()
// CHECK: llvm.mlir.global internal constant @kernels_copy_description("kernels::@copy\0A{{.*}}vector.load{{.*}}
// CHECK-NOT: gpu.

// The thread's function: ids are asked for; the indices and the claimed
// alignment of a global access are checked in place; accesses to workgroup
// memory are told before they happen; memory spaces are gone.
// CHECK: func.func private @kernels_copy(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr) attributes {rudnn.thread_function}
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?x8xf16>
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?x8xf16>
// CHECK: call @rudnnEmulatorGetWorkgroupMemory(%[[THREAD]], %{{.*}})
// CHECK: %[[SLOTS:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<4x8xf16>
// CHECK: %[[TID:.*]] = call @rudnnEmulatorGetIndex(%[[THREAD]], %c0_i32, %c0_i32)
// CHECK: %[[ROW:.*]] = call @rudnnEmulatorGetIndex(%[[THREAD]], %c1_i32, %c0_i32)
// CHECK: %[[ROWS:.*]] = memref.dim %[[X]]
// CHECK: arith.cmpi uge, %[[ROW]], %[[ROWS]]
// CHECK: scf.if
// CHECK: func.call @rudnnEmulatorReportOutOfBounds(%[[THREAD]], %c0_i32,
// CHECK: scf.if
// CHECK: func.call @rudnnEmulatorReportMisaligned(%[[THREAD]], %c0_i32, %{{.*}}, %c16_i64)
// CHECK: %[[V:.*]] = vector.load %[[X]][%[[ROW]], %c0] {alignment = 16 : i64} : memref<?x8xf16>, vector<8xf16>
// CHECK: call @rudnnEmulatorWrite(%[[THREAD]], %c1_i32, %{{.*}}, %c16_i64)
// CHECK-NEXT: vector.store %[[V]], %[[SLOTS]][%[[TID]], %c0] : memref<4x8xf16>, vector<8xf16>
// CHECK-NEXT: call @rudnnEmulatorBarrier(%[[THREAD]], %c2_i32)
// CHECK: call @rudnnEmulatorRead(%[[THREAD]], %c3_i32, %{{.*}}, %c16_i64)
// CHECK-NEXT: %[[W:.*]] = vector.load %[[SLOTS]]
// CHECK: vector.store %[[W]], %[[Y]]
// CHECK-NEXT: call @rudnnEmulatorExit(%[[THREAD]])
// CHECK-NEXT: return

// CHECK: func.func private @rudnn_resume_thread(%[[HANDLE:.*]]: !llvm.ptr)
// CHECK-NEXT: llvm.intr.coro.resume %[[HANDLE]]
// CHECK-NOT: gpu.module
module attributes {gpu.container_module} {
  func.func @host(%x: memref<?x8xf16>, %y: memref<?x8xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %rows = memref.dim %x, %c0 : memref<?x8xf16>
    gpu.launch_func @kernels::@copy blocks in (%rows, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%x : memref<?x8xf16>, %y : memref<?x8xf16>)
    return
  }
  gpu.module @kernels {
    gpu.func @copy(%x: memref<?x8xf16>, %y: memref<?x8xf16>)
        workgroup(%slots: memref<4x8xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %tid = gpu.thread_id x
      %row = gpu.block_id x
      %v = vector.load %x[%row, %c0] {alignment = 16} : memref<?x8xf16>, vector<8xf16>
      vector.store %v, %slots[%tid, %c0] : memref<4x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      gpu.barrier
      %other = arith.subi %c3, %tid : index
      %w = vector.load %slots[%other, %c0] : memref<4x8xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      vector.store %w, %y[%row, %c0] : memref<?x8xf16>, vector<8xf16>
      gpu.return
    }
  }
}
