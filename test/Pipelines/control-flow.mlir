// DEFINE: %{only-llvm} = --implicit-check-not='{{(^|[ "])(affine|arith|bufferization|builtin|cf|func|linalg|math|memref|norm|scf|tensor|ub|vector)[.][a-z]}}'
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3" | FileCheck %s %{only-llvm}

// Norms where functions branch and loop: the pipeline leaves nothing behind.

// Each return gives another argument's values, so that one is made anew.
// CHECK-LABEL: llvm.func @two_returns(
func.func @two_returns(%x: tensor<8x64xf32>, %y0: tensor<8x64xf32>, %skip: i1) -> tensor<8x64xf32> {
  cf.cond_br %skip, ^norm, ^copy
^norm:
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%y0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
^copy:
  return %x : tensor<8x64xf32>
}

// CHECK-LABEL: llvm.func @repeat(
func.func @repeat(%x: tensor<8x64xf32>, %n: index) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %i = %c0) : (tensor<8x64xf32>, index) -> (tensor<8x64xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %i : tensor<8x64xf32>, index
  } do {
  ^bb0(%a: tensor<8x64xf32>, %i: index):
    %empty = tensor.empty() : tensor<8x64xf32>
    %y = norm.rms_norm epsilon(1.0e-05) ins(%a : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %y, %next : tensor<8x64xf32>, index
  }
  return %r#0 : tensor<8x64xf32>
}

// CHECK-LABEL: llvm.func @parallel(
func.func @parallel(%x: memref<4x8x64xf32>, %y: memref<4x8x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %xs = memref.subview %x[%i, 0, 0] [1, 8, 64] [1, 1, 1] : memref<4x8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
    %ys = memref.subview %y[%i, 0, 0] [1, 8, 64] [1, 1, 1] : memref<4x8x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
    norm.rms_norm epsilon(1.0e-05) ins(%xs : memref<8x64xf32, strided<[64, 1], offset: ?>>) outs(%ys : memref<8x64xf32, strided<[64, 1], offset: ?>>)
    scf.reduce
  }
  return
}

// CHECK-LABEL: llvm.func @forall(
func.func @forall(%x: tensor<4x8x64xf32>, %y0: tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
  %y = scf.forall (%i) in (4) shared_outs(%out = %y0) -> (tensor<4x8x64xf32>) {
    %xs = tensor.extract_slice %x[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xf32> to tensor<8x64xf32>
    %ys = tensor.extract_slice %out[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xf32> to tensor<8x64xf32>
    %n = norm.rms_norm epsilon(1.0e-05) ins(%xs : tensor<8x64xf32>) outs(%ys : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %out[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<8x64xf32> into tensor<4x8x64xf32>
    }
  }
  return %y : tensor<4x8x64xf32>
}

// One row and one column vector of run-time length, both returned.
// CHECK-LABEL: llvm.func @rank_1(
func.func @rank_1(%x: tensor<?xbf16>, %rstd: tensor<f32>, %gamma: tensor<?xf32>, %dx0: tensor<?xbf16>, %dw0: tensor<?xf32>) -> (tensor<?xbf16>, tensor<?xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<?xbf16>, tensor<?xbf16>, tensor<f32>, tensor<?xf32>)
      input_grad(%dx0 : tensor<?xbf16>) weight_grad(%dw0 : tensor<?xf32>) -> tensor<?xbf16>, tensor<?xf32>
  return %dx, %dw : tensor<?xbf16>, tensor<?xf32>
}
