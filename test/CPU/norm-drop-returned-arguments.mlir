// RUN: rudnn-opt %s --norm-drop-returned-arguments | FileCheck %s

// CHECK-LABEL: func.func @public(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32>, %[[I:[a-z0-9]+]]: index) -> (memref<4xf32>, index) {
// CHECK: %[[NEW:.+]] = memref.alloc
// CHECK: return %[[NEW]], %[[I]] : memref<4xf32>, index
func.func @public(%x: memref<8xf32>, %i: index) -> (memref<8xf32>, memref<4xf32>, index) {
  %new = memref.alloc() : memref<4xf32>
  return %x, %new, %i : memref<8xf32>, memref<4xf32>, index
}

// CHECK-LABEL: func.func private @private(
// CHECK-SAME: %{{.+}}: memref<8xf32>) {
// CHECK-NEXT: return{{$}}
func.func private @private(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}

// A caller uses its own argument instead.
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32>
// CHECK: call @private(%[[X]]) : (memref<8xf32>) -> ()
// CHECK: %[[NEW:.+]]:2 = call @public(%[[X]]
// CHECK: memref.load %[[X]]
func.func @caller(%x: memref<8xf32>, %i: index) -> (f32, memref<4xf32>) {
  %y = call @private(%x) : (memref<8xf32>) -> memref<8xf32>
  %z:3 = call @public(%y, %i) : (memref<8xf32>, index) -> (memref<8xf32>, memref<4xf32>, index)
  %v = memref.load %z#0[%i] : memref<8xf32>
  return %v, %z#1 : f32, memref<4xf32>
}

// A declaration stays as it is.
// CHECK: func.func private @declared(memref<8xf32>) -> memref<8xf32>
func.func private @declared(%x: memref<8xf32>) -> memref<8xf32>

// A function whose address is taken keeps its type.
// CHECK-LABEL: func.func private @address_taken(
// CHECK-SAME: -> memref<8xf32>
// CHECK: return %{{.+}} : memref<8xf32>
func.func private @address_taken(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
// CHECK-LABEL: func.func @takes_address(
// CHECK: constant @address_taken : (memref<8xf32>) -> memref<8xf32>
func.func @takes_address() -> ((memref<8xf32>) -> memref<8xf32>) {
  %f = func.constant @address_taken : (memref<8xf32>) -> memref<8xf32>
  return %f : (memref<8xf32>) -> memref<8xf32>
}

// What a loop or a branch hands through is the argument too, and so is a view
// of it that is turned back.
// CHECK-LABEL: func.func @through_loop(
// CHECK-SAME: memref<8xf32>, %{{.+}}: index) {
func.func @through_loop(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<8xf32>) {
    memref.store %zero, %a[%i] : memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  return %y : memref<8xf32>
}

// CHECK-LABEL: func.func @through_branch(
// CHECK-SAME: memref<8xf32>, %{{.+}}: i1) {
func.func @through_branch(%x: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %y = scf.if %c -> (memref<8xf32>) {
    memref.store %zero, %x[%c0] : memref<8xf32>
    scf.yield %x : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %y : memref<8xf32>
}

// CHECK-LABEL: func.func @through_reshape(
// CHECK-SAME: memref<?xf32>, %{{.+}}: index) {
func.func @through_reshape(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %row = memref.expand_shape %x [[0, 1]] output_shape [1, %n] : memref<?xf32> into memref<1x?xf32>
  %y = memref.collapse_shape %row [[0, 1]] : memref<1x?xf32> into memref<?xf32>
  return %y : memref<?xf32>
}

// A view that is something else is no argument.
// CHECK-LABEL: func.func @view(
// CHECK-SAME: -> memref<2x4xf32>
func.func @view(%x: memref<8xf32>) -> memref<2x4xf32> {
  %y = memref.expand_shape %x [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return %y : memref<2x4xf32>
}

// Callers after their callees, in any order.
// CHECK-LABEL: func.func @outermost(
// CHECK-SAME: memref<8xf32>) {
func.func @outermost(%x: memref<8xf32>) -> memref<8xf32> {
  %y = call @outer(%x) : (memref<8xf32>) -> memref<8xf32>
  return %y : memref<8xf32>
}
// CHECK-LABEL: func.func @outer(
// CHECK-SAME: memref<8xf32>) {
func.func @outer(%x: memref<8xf32>) -> memref<8xf32> {
  %y = call @private(%x) : (memref<8xf32>) -> memref<8xf32>
  return %y : memref<8xf32>
}

// Of two returns, each has to give the same argument.
// CHECK-LABEL: func.func @two_returns(
// CHECK-SAME: -> memref<8xf32>
func.func @two_returns(%x: memref<8xf32>, %y: memref<8xf32>, %c: i1) -> memref<8xf32> {
  cf.cond_br %c, ^first, ^second
^first:
  return %x : memref<8xf32>
^second:
  return %y : memref<8xf32>
}
