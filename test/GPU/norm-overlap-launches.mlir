// RUN: rudnn-opt %s --norm-overlap-launches | FileCheck %s
// RUN: rudnn-opt %s --norm-overlap-launches --norm-overlap-launches | FileCheck %s

#dependent = #norm.schedule<vector = 4, threads = 32, launch = dependent>
#chained = #norm.schedule<vector = 4, threads = 32, launch = chained>
#normal = #norm.schedule<vector = 4, threads = 32>

// The host reads a size between them, which any order does for. The second is
// waited for by a third, so it begins with both.

// CHECK-LABEL: func.func @three(
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.load
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load
func.func @three(%x: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  %size = memref.dim %x, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %e = memref.load %x[%tx] : memref<?xf32>
    memref.store %e, %x[%bx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %e = memref.load %x[%tx] : memref<?xf32>
    memref.store %e, %x[%tx] : memref<?xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  return
}

// One of them is not asked to, or the host does something between them.

// CHECK-LABEL: func.func @normal(
// CHECK-NOT: nvvm.griddepcontrol
func.func @normal(%x: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #normal}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  memref.store %v, %x[%c0] : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  return
}

// Each waits, and lets the next one begin, also the first and those that other
// ops stand between.

// CHECK-LABEL: func.func @chained(
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: memref.store
func.func @chained(%x: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #chained}
  memref.store %v, %x[%c0] : memref<8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<8xf32>
    gpu.terminator
  } {norm.schedule = #chained}
  return
}

// CHECK-LABEL: func.func @twice(
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK: gpu.launch
// CHECK-NEXT: nvvm.griddepcontrol wait
func.func @twice(%x: memref<32xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %v, %x[%tx] : memref<32xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %e = memref.load %x[%tx] : memref<32xf32>
    %s = arith.addf %e, %e : f32
    memref.store %s, %x[%tx] : memref<32xf32>
    gpu.terminator
  } {norm.schedule = #dependent}
  return
}
