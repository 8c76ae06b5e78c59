// RUN: rm -rf %t && split-file %s %t
// RUN: rudnn-opt %t/marked.mlir --norm-mark-deallocations | FileCheck %t/marked.mlir
// RUN: rudnn-opt %t/invalid.mlir --norm-mark-deallocations --split-input-file --verify-diagnostics
// RUN: rudnn-opt %t/run.mlir --norm-to-cuda -o /dev/null
// RUN: rudnn-runner %t/run.mlir --rows=5 --check --guard
// RUN: rudnn-runner %t/run.mlir --rows=5 --check --guard --device=emulate

//--- marked.mlir
// What is freed, also as a view, is the module's own; nobody else frees it.

// CHECK-LABEL: func.func @own(
// CHECK: memref.alloc() {bufferization.manual_deallocation} : memref<8x8xf32>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: scf.if
// CHECK: memref.dealloc %{{.+}} {bufferization.manual_deallocation} : memref<64xf32>
func.func @own(%p: i1) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8xf32>
  %v = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  scf.if %p {
    memref.dealloc %v : memref<64xf32>
  }
  return
}

// CHECK-LABEL: func.func @gpu(
// CHECK: gpu.alloc () {bufferization.manual_deallocation} : memref<8xf32>
// CHECK: gpu.dealloc %{{.+}} {bufferization.manual_deallocation} : memref<8xf32>
func.func @gpu() {
  %a = gpu.alloc () : memref<8xf32>
  gpu.dealloc %a : memref<8xf32>
  return
}

// What branches and selects lead to.

// CHECK-LABEL: func.func @branches(
// CHECK: memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
// CHECK: memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
// CHECK: memref.dealloc %{{.+}} {bufferization.manual_deallocation} : memref<f32>
func.func @branches(%p: i1, %x: memref<8xf32>) {
  %b = scf.if %p -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    %a = memref.alloc() : memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  %s = arith.select %p, %x, %b : memref<8xf32>
  %base, %offset, %size, %stride = memref.extract_strided_metadata %s : memref<8xf32> -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}

//--- invalid.mlir
func.func @argument(%x: memref<8xf32>) {
  // expected-error @below {{frees a buffer from elsewhere: expected one that is allocated in the same function, or a view of it}}
  memref.dealloc %x : memref<8xf32>
  return
}

//--- run.mlir
func.func @between(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x64xf32>
  %own = memref.alloc(%m) : memref<?x64xf32>
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x64xf32>) outs(%own : memref<?x64xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%own : memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  memref.dealloc %own : memref<?x64xf32>
  return
}
