// An epsilon that f32 has next to no digits of: the reference knows it as the op
// does, 1.4e-45 here.
//
// RUN: rudnn-runner %s --rows=5 --check --fill=zeros | FileCheck %s
// RUN: rudnn-runner %s --rows=5 --check --fill=zeros --device=emulate | FileCheck %s
//
// CHECK: result 1, argument 2 (rstd): ok, f32 [5]
func.func @f(%x: memref<?x96xf32>, %y: memref<?x96xf32>, %rstd: memref<?xf32>) {
  norm.rms_norm epsilon(1.0e-45) ins(%x : memref<?x96xf32>) outs(%y, %rstd : memref<?x96xf32>, memref<?xf32>)
  return
}
