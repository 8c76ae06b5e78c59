// Arithmetic in 16 bits around norm ops, also where the CPU has none.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --check --guard --rows=7
//
// REDEFINE: %{entry} = residual
// RUN: %{run}
// RUN: %{run} --mcpu=x86-64
// RUN: %{run} --device=emulate
// RUN: %{run} --device=reference
// REDEFINE: %{entry} = exponential
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = gradient
// RUN: %{run}
// RUN: %{run} --mcpu=x86-64
// RUN: %{run} --device=emulate

//--- residual.mlir
func.func @residual(%x: memref<?x100xbf16>, %r: memref<?x100xbf16>, %h: memref<?x100xbf16>, %y: memref<?x100xbf16>) {
  linalg.add ins(%x, %r : memref<?x100xbf16>, memref<?x100xbf16>) outs(%h : memref<?x100xbf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%h : memref<?x100xbf16>) outs(%y : memref<?x100xbf16>)
  return
}
//--- exponential.mlir
func.func @exponential(%x: memref<?x100xf16>, %e: memref<?x100xf16>, %y: memref<?x100xf16>) {
  linalg.exp ins(%x : memref<?x100xf16>) outs(%e : memref<?x100xf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%e : memref<?x100xf16>) outs(%y : memref<?x100xf16>)
  return
}
//--- gradient.mlir
func.func @gradient(%x: tensor<?x100xbf16>, %dy: tensor<?x100xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<100xbf16>) -> tensor<100xbf16> {
  %half = arith.constant dense<0.5> : tensor<100xbf16>
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x100xbf16>, tensor<?x100xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<100xbf16>) -> tensor<100xbf16>
  %scaled = arith.mulf %dw, %half : tensor<100xbf16>
  return %scaled : tensor<100xbf16>
}
