// Sizes that the types leave open come from the files, through the norm ops to
// the other arguments, and else from --rows and --cols. What does not fit
// together is refused before anything is compiled or touched.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{write} = %python %S/Inputs/write_npy.py
// DEFINE: %{good} = rudnn-runner %S/Inputs/pair.mlir --device=reference
// DEFINE: %{bad} = %python %S/Inputs/exits.py 2 rudnn-runner %S/Inputs/pair.mlir

// RUN: %{write} %t/2x3.npy '<f4' 2,3 1
// RUN: %{write} %t/2x4.npy '<f4' 2,4 1
// RUN: %{write} %t/3.npy '<f4' 3 1
// RUN: %{write} %t/4.npy '<f4' 4 1
// RUN: %{write} %t/2x0.npy '<f4' 2,0 ''

// One file is enough here; nothing else is asked for.
// RUN: %{good} --entry=backward --input=1=%t/2x3.npy | FileCheck %s --check-prefix=FROMDY
// FROMDY: argument 0 (x): f32 [2, 3], read, made from the seed
// FROMDY: argument 1 (dy): f32 [2, 3], read, from
// FROMDY: argument 2 (rstd): f32 [2], read, made from argument 0
// FROMDY: argument 3 (gamma): f32 [3], read, made from the seed
// FROMDY: argument 4 (input_grad): f32 [2, 3], written, poisoned
// FROMDY: argument 5 (weight_grad): f32 [3], written, poisoned

// gamma fixes N, --rows M; a gamma alone is not rows.
// RUN: %{good} --entry=forward --rows=5 --input=1=%t/3.npy | FileCheck %s --check-prefix=FROMGAMMA
// FROMGAMMA: argument 0 (x): f32 [5, 3]
// FROMGAMMA: argument 3 (rstd): f32 [5]

// RUN: %{bad} --entry=forward --rows=5 2>&1 | FileCheck %s --check-prefix=NOCOLS
// NOCOLS: error: argument 0 (x): axis 1 of [?, ?] has no size: give --cols or --input
// RUN: %{bad} --entry=forward --cols=5 2>&1 | FileCheck %s --check-prefix=NOROWS
// NOROWS: error: argument 0 (x): axis 0 of [?, ?] has no size: give --rows or --input

// RUN: %{bad} --entry=forward --input=0=%t/2x3.npy --input=1=%t/4.npy 2>&1 | FileCheck %s --check-prefix=GAMMA
// GAMMA: error: norm.rms_norm: expected gamma of shape [3] for argument 0 (x) of shape [2, 3], got argument 1 (gamma) of shape [4]
// RUN: %{bad} --entry=backward --input=0=%t/2x3.npy --input=1=%t/2x4.npy 2>&1 | FileCheck %s --check-prefix=DY
// DY: error: norm.rms_norm_backward: expected dy of shape [2, 3] for argument 0 (x) of shape [2, 3], got argument 1 (dy) of shape [2, 4]
// RUN: %{bad} --entry=backward --input=0=%t/2x3.npy --input=2=%t/3.npy 2>&1 | FileCheck %s --check-prefix=RSTD
// RSTD: error: norm.rms_norm_backward: expected rstd of shape [2] for argument 0 (x) of shape [2, 3], got argument 2 (rstd) of shape [3]
// RUN: %{bad} --entry=forward --input=0=%t/2x0.npy 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: norm.rms_norm: expected a last axis of size >= 1, got argument 0 (x) of shape [2, 0]

// Where shapes go through a call, the reference sees them at run time; it touches
// nothing either.
// RUN: %python %S/Inputs/exits.py 2 rudnn-runner %s --check --input=0=%t/2x3.npy --input=1=%t/4.npy 2>&1 | FileCheck %s --check-prefix=CALL
// CALL: error: norm.rms_norm: expected gamma of shape [N] = [3], got [4]
func.func private @inner(%x: memref<?x?xf32>, %gamma: memref<?xf32>, %y: memref<?x?xf32>) {
  norm.rms_norm epsilon(1.0e-6) ins(%x, %gamma : memref<?x?xf32>, memref<?xf32>)
      outs(%y : memref<?x?xf32>)
  return
}
func.func @outer(%x: memref<?x?xf32>, %gamma: memref<?xf32>, %y: memref<2x3xf32>) {
  %dynamic = memref.cast %y : memref<2x3xf32> to memref<?x?xf32>
  call @inner(%x, %gamma, %dynamic) : (memref<?x?xf32>, memref<?xf32>, memref<?x?xf32>) -> ()
  return
}
