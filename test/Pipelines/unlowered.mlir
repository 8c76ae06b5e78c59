// RUN: not rudnn-opt %s --split-input-file --norm-to-cpu=threads=2 2>&1 | FileCheck %s

// What is left when the pipeline ends is named: no cast that stands beside it.
// CHECK: error: 'memref.dma_start' op could not be lowered to the LLVM dialect
func.func @transfer(%from: memref<8xf32>, %to: memref<8xf32>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  memref.dma_start %from[%c0], %to[%c0], %c8, %tag[%c0] : memref<8xf32>, memref<8xf32>, memref<1xi32>
  return
}

// -----

// CHECK: error: 'scf.forall' op expected memrefs in the default memory space, got 'memref<8x64xf32, "x">'
func.func @space(%x: memref<8x64xf32, "x">) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<8x64xf32, "x">) outs(%x : memref<8x64xf32, "x">)
  return
}
