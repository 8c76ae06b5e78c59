// A check that compiled code makes at run time, and fails, is bad input.
//
// RUN: rudnn-runner %s --device=reference --rows=3
// RUN: %python %S/Inputs/exits.py 2 rudnn-runner %s --device=reference --rows=4 2>&1 | FileCheck %s
// CHECK: error: expected x of size 3
func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %right = arith.cmpi eq, %size, %c3 : index
  cf.assert %right, "expected x of size 3"
  return
}
