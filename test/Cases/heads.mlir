// Weight gradients over rows of several axes that stay several: a loop in a
// loop adds up, with rows of one step and a tail, and of unknown length.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --check --guard --rows=5 --cols=41
//
// REDEFINE: %{entry} = sliced
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = strided
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = both
// RUN: %{run}
// RUN: %{run} --device=emulate
// RUN: %{run} --device=emulate --pipeline-options="set=stage=loop,threads=32"

//--- sliced.mlir
func.func @sliced(%x: tensor<3x8x33xf32>, %dy: tensor<3x4x33xf32>, %rstd: tensor<3x4xf32>, %dw0: tensor<33xf32>) -> tensor<33xf32> {
  %half = tensor.extract_slice %x[0, 0, 0] [3, 4, 33] [1, 1, 1] : tensor<3x8x33xf32> to tensor<3x4x33xf32>
  %dw = norm.rms_norm_backward ins(%half, %dy, %rstd : tensor<3x4x33xf32>, tensor<3x4x33xf32>, tensor<3x4xf32>) weight_grad(%dw0 : tensor<33xf32>) -> tensor<33xf32>
  return %dw : tensor<33xf32>
}
//--- strided.mlir
func.func @strided(%x: memref<?x4x?xf32>, %dy: memref<?x4x?xf32, strided<[1000, 65, 1]>>, %rstd: memref<?x4xf32>, %dw: memref<?xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<?x4x?xf32>, memref<?x4x?xf32, strided<[1000, 65, 1]>>, memref<?x4xf32>) weight_grad(%dw : memref<?xf32>)
  return
}
//--- both.mlir
func.func @both(%x: memref<?x4x?xbf16>, %dy: memref<?x4x?xbf16, strided<[1000, 65, 1]>>, %rstd: memref<?x4xf32>, %gamma: memref<?xf32>, %dx: memref<?x4x?xbf16>, %dw: memref<?xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x4x?xbf16>, memref<?x4x?xbf16, strided<[1000, 65, 1]>>, memref<?x4xf32>, memref<?xf32>) input_grad(%dx : memref<?x4x?xbf16>) weight_grad(%dw : memref<?xf32>)
  return
}
