// RUN: rudnn-opt %s --norm-sink-copies | FileCheck %s

// The branch that has the target needs no copy.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[^:,]+]]: memref<8xf32>
// CHECK: scf.if
// CHECK-NOT: memref.copy
// CHECK: else
// CHECK: %[[ALLOC:.+]] = memref.alloc
// CHECK: memref.copy %[[ALLOC]], %[[X]]
// CHECK: scf.yield %[[ALLOC]]
// CHECK-NOT: memref.copy
func.func @in_place(%p: i1, %x: memref<8xf32>) {
  %b = scf.if %p -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    %alloc = memref.alloc() : memref<8xf32>
    scf.yield %alloc : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// What stands between may read the target.

// CHECK-LABEL: func.func @between(
// CHECK: memref.load
// CHECK-NEXT: memref.copy
func.func @between(%p: i1, %x: memref<8xf32>, %i: index) -> f32 {
  %b = scf.if %p -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    %alloc = memref.alloc() : memref<8xf32>
    scf.yield %alloc : memref<8xf32>
  }
  %old = memref.load %x[%i] : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return %old : f32
}

// Somebody else reads what was chosen.

// CHECK-LABEL: func.func @two_uses(
// CHECK: memref.copy %{{.+}}, %{{.+}}
// CHECK-NEXT: return
func.func @two_uses(%p: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %b = scf.if %p -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    %alloc = memref.alloc() : memref<8xf32>
    scf.yield %alloc : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}

// A target that comes later than the choice.

// CHECK-LABEL: func.func @later(
// CHECK: memref.subview
// CHECK-NEXT: memref.copy
func.func @later(%p: i1, %x: memref<8xf32>) {
  %b = scf.if %p -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    %alloc = memref.alloc() : memref<8xf32>
    scf.yield %alloc : memref<8xf32>
  }
  %v = memref.subview %x[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  memref.copy %b, %v : memref<8xf32> to memref<8xf32, strided<[1]>>
  return
}

// The example of the description.

// CHECK-LABEL: func.func @example(
// CHECK: scf.if
// CHECK-NOT: memref.copy
// CHECK: } else {
// CHECK-NEXT: memref.copy
// CHECK-NEXT: scf.yield
func.func @example(%p: i1, %x: memref<8xf32>, %alloc: memref<8xf32>) {
  %b = scf.if %p -> (memref<8xf32>) {
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %alloc : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}
