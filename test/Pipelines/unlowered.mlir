// RUN: not rudnn-opt %s --norm-to-cpu=threads=2 2>&1 | FileCheck %s

// CHECK: error: 'scf.forall' op expected memrefs in the default memory space, got 'memref<8x64xf32, "x">'
func.func @space(%x: memref<8x64xf32, "x">) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<8x64xf32, "x">) outs(%x : memref<8x64xf32, "x">)
  return
}
