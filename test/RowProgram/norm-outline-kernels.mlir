// RUN: rudnn-opt %s --split-input-file --norm-outline-kernels --verify-diagnostics | FileCheck %s

// Kernels are called after the function and numbered in it, each in a module of
// its own. They carry the schedule; the number of blocks that it promises is
// what the assembler is told.

// CHECK: module attributes {gpu.container_module
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf32>
// CHECK: gpu.launch_func {{ *}}@forward_kernel_0::@forward_kernel_0 blocks in (%{{.+}}, %c1, %c1) threads in (%c32, %c1, %c1) args(
// CHECK: gpu.launch_func {{ *}}@forward_kernel_1::@forward_kernel_1
// CHECK: gpu.module @forward_kernel_0
// CHECK: gpu.func @forward_kernel_0({{.*}}) kernel attributes {known_block_size = array<i32: 32, 1, 1>, norm.schedule = #norm.schedule<vector = 2, threads = 32, blocks = 4>, nvvm.minctasm = 4 : i32}
// CHECK: gpu.block_id {{ *}}x
// CHECK: memref.store
// CHECK: gpu.return
// CHECK: gpu.module @forward_kernel_1
// CHECK: gpu.func @forward_kernel_1({{.*}}) kernel attributes {known_block_size = array<i32: 64, 1, 1>, {{.*}}norm.schedule = #norm.schedule<vector = 4, threads = 64>
// CHECK-LABEL: func.func @other(
// CHECK: gpu.launch_func {{ *}}@other_kernel_0::@other_kernel_0
// CHECK: gpu.module @other_kernel_0
func.func @forward(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 2, threads = 32, blocks = 4>}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%tx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 4, threads = 64>}
  return
}
func.func @other(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// A name that is taken is passed over.

// CHECK-LABEL: func.func @f(
// CHECK: gpu.launch_func {{ *}}@f_kernel_1::@f_kernel_1
// CHECK: gpu.module @f_kernel_1
// CHECK: func.func private @f_kernel_0()
func.func @f(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}
func.func private @f_kernel_0()

// -----

// Other launches are outlined as upstream does it, and get nothing of ours.

// CHECK-LABEL: func.func @foreign(
// CHECK: gpu.launch_func {{ *}}@foreign_kernel::@foreign_kernel
// CHECK: gpu.func @foreign_kernel
// CHECK-NOT: norm.schedule
// CHECK-NOT: minctasm
// CHECK: gpu.return
func.func @foreign(%x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %zero, %x[%bx] : memref<?xf32>
    gpu.terminator
  }
  return
}
