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
// CHECK: call_indirect %{{.+}} : (memref<8xf32>) -> memref<8xf32>
func.func @takes_address(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %f = func.constant @address_taken : (memref<8xf32>) -> memref<8xf32>
  %y = func.call_indirect %f(%x) : (memref<8xf32>) -> memref<8xf32>
  %v = memref.load %y[%c0] : memref<8xf32>
  return %v : f32
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
