// DEFINE: %{check} = FileCheck %s --implicit-check-not='{{(^|[ "])(affine|arith|bufferization|builtin|cf|func|linalg|math|memref|norm|scf|tensor|ub|vector)[.][a-z]}}'
// RUN: rudnn-opt %s --norm-to-cpu | %{check}
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64 threads=1" | %{check}
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3 vector-bits=128 unroll=2 parts=4 prefetch=1 nontemporal=65536 threads=2" | %{check}
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=sapphirerapids" | %{check}

// All of it ends in the LLVM dialect, on any CPU and with any options, and each
// function keeps its name.

// CHECK-DAG: llvm.func @forward(
// CHECK-DAG: llvm.func @backward(
// CHECK-DAG: llvm.func @heads(
// CHECK-DAG: llvm.func @neighbours(

func.func @forward(%x: tensor<?x?xf16>, %gamma: tensor<?xbf16>, %y0: tensor<?x?xf16>, %rstd0: tensor<?xf32>) -> (tensor<?x?xf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x, %gamma : tensor<?x?xf16>, tensor<?xbf16>) outs(%y0, %rstd0 : tensor<?x?xf16>, tensor<?xf32>) -> tensor<?x?xf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x?xf16>, tensor<?xf32>
}

func.func @backward(%x: tensor<?x625xbf16>, %dy: tensor<?x625xf16>, %rstd: tensor<?xf32>, %gamma: tensor<625xbf16>, %dx0: tensor<?x625xbf16>, %dw0: tensor<625xbf16>) -> (tensor<?x625xbf16>, tensor<625xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x625xbf16>, tensor<?x625xf16>, tensor<?xf32>, tensor<625xbf16>)
      input_grad(%dx0 : tensor<?x625xbf16>) weight_grad(%dw0 : tensor<625xbf16>) -> tensor<?x625xbf16>, tensor<625xbf16>
  return %dx, %dw : tensor<?x625xbf16>, tensor<625xbf16>
}

func.func @heads(%q: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, %y: memref<?x32x128xbf16>, %rstd: memref<?x32xf32>, %dw: memref<128xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%q : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>) outs(%y, %rstd : memref<?x32x128xbf16>, memref<?x32xf32>)
  norm.rms_norm_backward ins(%q, %y, %rstd : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, memref<?x32x128xbf16>, memref<?x32xf32>) weight_grad(%dw : memref<128xf32>)
  return
}

// What stands around the norms is lowered too.
func.func @neighbours(%x: tensor<64x512xf32>, %residual: tensor<64x512xf32>, %y0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = linalg.add ins(%x, %residual : tensor<64x512xf32>, tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.exp ins(%y : tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}
