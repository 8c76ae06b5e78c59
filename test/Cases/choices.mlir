// Both branches of a choice between aligned and unaligned kernels may have a
// buffer of their own: whoever reads or frees it has to go by the same choice.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --check
//
// REDEFINE: %{entry} = long-in-place
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = gradient-in-place
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = into-source
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = rstd-alone
// RUN: %{run}
// RUN: %{run} --misalign=0

//--- long-in-place.mlir
func.func @long_in_place(%x: memref<2x9216xf32>) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<2x9216xf32>) outs(%x : memref<2x9216xf32>)
  return
}
//--- gradient-in-place.mlir
func.func @gradient_in_place(%x: memref<2x2048xf32>, %dy: memref<2x2048xf16>, %rstd: memref<2xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<2x2048xf32>, memref<2x2048xf16>, memref<2xf32>) input_grad(%x : memref<2x2048xf32>)
      {schedule = #norm.schedule<vector = 2, threads = 64, stage = loop>}
  return
}
//--- into-source.mlir
func.func @into_source(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %row = tensor.extract_slice %x[3, 0] [1, 128] [1, 1] : tensor<4x128xf32> to tensor<1x128xf32>
  %empty = tensor.empty() : tensor<1x128xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%row : tensor<1x128xf32>) outs(%empty : tensor<1x128xf32>) -> tensor<1x128xf32>
  %all = tensor.insert_slice %y into %x[3, 0] [1, 128] [1, 1] : tensor<1x128xf32> into tensor<4x128xf32>
  return %all : tensor<4x128xf32>
}
//--- rstd-alone.mlir
func.func @rstd_alone(%x: tensor<8x64xf16>) -> tensor<8xf32> {
  %y0 = tensor.empty() : tensor<8x64xf16>
  %rstd0 = tensor.empty() : tensor<8xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<8x64xf16>) outs(%y0, %rstd0 : tensor<8x64xf16>, tensor<8xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 2, threads = 32>} -> tensor<8x64xf16>, tensor<8xf32>
  return %rstd : tensor<8xf32>
}
