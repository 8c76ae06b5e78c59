// M = 0 by the type: nothing is written but a weight gradient of zeros, whatever
// size the other axes have.
//
// DEFINE: %{entry} = forward
// DEFINE: %{on} = rudnn-runner %s --entry=%{entry} --rows=3 --cols=7 --check --guard --device
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = backward
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = first_axis
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = second_axis
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = on_buffers
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// RUN: rudnn-opt %s --norm-to-cuda -o /dev/null

func.func @forward(%x: tensor<0x?xf32>, %gamma: tensor<?xf32>, %y0: tensor<0x?xf32>, %rstd0: tensor<0xf32>) -> (tensor<0x?xf32>, tensor<0xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<0x?xf32>, tensor<?xf32>) outs(%y0, %rstd0 : tensor<0x?xf32>, tensor<0xf32>) -> tensor<0x?xf32>, tensor<0xf32>
  return %y, %rstd : tensor<0x?xf32>, tensor<0xf32>
}

func.func @backward(%x: tensor<0x64xbf16>, %dy: tensor<0x64xbf16>, %rstd: tensor<0xf32>, %gamma: tensor<64xbf16>, %dx0: tensor<0x64xbf16>, %dw0: tensor<64xbf16>) -> (tensor<0x64xbf16>, tensor<64xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<0x64xbf16>, tensor<0x64xbf16>, tensor<0xf32>, tensor<64xbf16>)
      input_grad(%dx0 : tensor<0x64xbf16>) weight_grad(%dw0 : tensor<64xbf16>) -> tensor<0x64xbf16>, tensor<64xbf16>
  return %dx, %dw : tensor<0x64xbf16>, tensor<64xbf16>
}

func.func @first_axis(%x: tensor<0x?x64xf32>, %dy: tensor<0x?x64xf32>, %rstd: tensor<0x?xf32>, %gamma: tensor<64xf32>, %dx0: tensor<0x?x64xf32>, %dw0: tensor<64xf32>) -> (tensor<0x?x64xf32>, tensor<64xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<0x?x64xf32>, tensor<0x?x64xf32>, tensor<0x?xf32>, tensor<64xf32>)
      input_grad(%dx0 : tensor<0x?x64xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<0x?x64xf32>, tensor<64xf32>
  return %dx, %dw : tensor<0x?x64xf32>, tensor<64xf32>
}

func.func @second_axis(%x: tensor<?x0x?xf16>, %gamma: tensor<?xf32>, %y0: tensor<?x0x?xf16>) -> tensor<?x0x?xf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x0x?xf16>, tensor<?xf32>) outs(%y0 : tensor<?x0x?xf16>) -> tensor<?x0x?xf16>
  return %y : tensor<?x0x?xf16>
}

func.func @on_buffers(%x: memref<?x0x?xf32>, %dy: memref<?x0x?xf32>, %rstd: memref<?x0xf32>, %dw: memref<?xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %dy, %rstd : memref<?x0x?xf32>, memref<?x0x?xf32>, memref<?x0xf32>) weight_grad(%dw : memref<?xf32>)
  return
}
