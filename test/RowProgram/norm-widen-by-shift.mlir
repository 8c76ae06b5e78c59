// RUN: rudnn-opt %s --split-input-file --norm-widen-by-shift | FileCheck %s

// Two values of a word take an instruction each.

// CHECK-LABEL: func.func @words(
// CHECK: %[[WORDS:.+]] = vector.bitcast %{{.+}} : vector<8xbf16> to vector<4xi32>
// CHECK-DAG: %[[EVEN:.+]] = arith.shli %[[WORDS]], %{{.+}} : vector<4xi32>
// CHECK-DAG: %[[ODD:.+]] = arith.andi %[[WORDS]], %{{.+}} : vector<4xi32>
// CHECK: %[[ALL:.+]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<4xi32> -> vector<8xi32>
// CHECK: arith.bitcast %[[ALL]] : vector<8xi32> to vector<8xf32>
// CHECK-NOT: arith.extf
func.func @words(%x: memref<8xbf16>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %narrow = vector.load %x[%c0] : memref<8xbf16>, vector<8xbf16>
    %wide = arith.extf %narrow : vector<8xbf16> to vector<8xf32>
    vector.store %wide, %y[%c0] : memref<8xf32>, vector<8xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 8, threads = 1, widen = shift>}
  return
}

// -----

// A value that fills no word is widened alone.

// CHECK-LABEL: func.func @alone(
// CHECK: arith.extui %{{.+}} : vector<1xi16> to vector<1xi32>
// CHECK: arith.shli
// CHECK: arith.bitcast %{{.+}} : vector<1xi32> to vector<1xf32>
// CHECK-NOT: arith.extf
func.func @alone(%x: memref<8xbf16>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %narrow = vector.load %x[%c0] : memref<8xbf16>, vector<1xbf16>
    %wide = arith.extf %narrow : vector<1xbf16> to vector<1xf32>
    vector.store %wide, %y[%c0] : memref<8xf32>, vector<1xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 1, threads = 1, widen = shift>}
  return
}

// -----

// Other schedules convert.

// CHECK-LABEL: func.func @converted(
// CHECK: arith.extf
func.func @converted(%x: memref<8xbf16>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %narrow = vector.load %x[%c0] : memref<8xbf16>, vector<8xbf16>
    %wide = arith.extf %narrow : vector<8xbf16> to vector<8xf32>
    vector.store %wide, %y[%c0] : memref<8xf32>, vector<8xf32>
    gpu.terminator
  } {norm.schedule = #norm.schedule<vector = 8, threads = 1>}
  return
}
