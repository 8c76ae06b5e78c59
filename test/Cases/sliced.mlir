// Rows that are a slice of a larger buffer without one of its axes: keys in a
// buffer of queries, keys and values, a column of statistics.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --check --guard --rows=11
//
// REDEFINE: %{entry} = keys
// RUN: %{run}
// RUN: %{run} --device=emulate
// RUN: %{run} --device=emulate --pipeline-options="set=parts=3,stage=shared,threads=16,rows=2"
// RUN: %{run} --device=emulate --pipeline-options="set=rows=1,threads=32"
// REDEFINE: %{entry} = heads
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = statistics
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = backward
// RUN: %{run}
// RUN: %{run} --device=emulate
// RUN: %{run} --device=emulate --pipeline-options="set=stage=loop,threads=32"
// REDEFINE: %{entry} = unit_axes
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = one_row
// RUN: %{run}
// RUN: %{run} --device=emulate

//--- keys.mlir
func.func @keys(%qkv: memref<?x3x100xf32>, %y: memref<?x100xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %qkv, %c0 : memref<?x3x100xf32>
  %k = memref.subview %qkv[0, 1, 0] [%m, 1, 100] [1, 1, 1] : memref<?x3x100xf32> to memref<?x100xf32, strided<[300, 1], offset: 100>>
  norm.rms_norm epsilon(1.0e-05) ins(%k : memref<?x100xf32, strided<[300, 1], offset: 100>>) outs(%y : memref<?x100xf32>)
  return
}
//--- heads.mlir
func.func @heads(%qkv: tensor<?x2x3x96xbf16>, %gamma: tensor<96xbf16>, %y0: tensor<?x2x96xbf16>) -> tensor<?x2x96xbf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %qkv, %c0 : tensor<?x2x3x96xbf16>
  %k = tensor.extract_slice %qkv[0, 0, 2, 0] [%m, 2, 1, 96] [1, 1, 1, 1] : tensor<?x2x3x96xbf16> to tensor<?x2x96xbf16>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%k, %gamma : tensor<?x2x96xbf16>, tensor<96xbf16>) outs(%y0 : tensor<?x2x96xbf16>) -> tensor<?x2x96xbf16>
  return %y : tensor<?x2x96xbf16>
}
//--- statistics.mlir
func.func @statistics(%x: memref<17x64xf32>, %y: memref<17x64xf32>, %stats: memref<17x2xf32>) {
  %rstd = memref.subview %stats[0, 1] [17, 1] [1, 1] : memref<17x2xf32> to memref<17xf32, strided<[2], offset: 1>>
  %mean = memref.subview %stats[0, 0] [17, 1] [1, 1] : memref<17x2xf32> to memref<17xf32, strided<[2]>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%mean : memref<17xf32, strided<[2]>>)
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<17x64xf32>) outs(%y, %rstd : memref<17x64xf32>, memref<17xf32, strided<[2], offset: 1>>)
  return
}
//--- backward.mlir
func.func @backward(%x: memref<17x3x64xbf16>, %dy: memref<17x64xbf16>, %rstd: memref<17xf32>, %gamma: memref<2x64xf32>, %grads: memref<17x3x64xbf16>, %dw: memref<64xf32>) {
  %k = memref.subview %x[0, 1, 0] [17, 1, 64] [1, 1, 1] : memref<17x3x64xbf16> to memref<17x64xbf16, strided<[192, 1], offset: 64>>
  %w = memref.subview %gamma[1, 0] [1, 64] [1, 1] : memref<2x64xf32> to memref<64xf32, strided<[1], offset: 64>>
  %dk = memref.subview %grads[0, 2, 0] [17, 1, 64] [1, 1, 1] : memref<17x3x64xbf16> to memref<17x64xbf16, strided<[192, 1], offset: 128>>
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%grads : memref<17x3x64xbf16>)
  norm.rms_norm_backward ins(%k, %dy, %rstd, %w : memref<17x64xbf16, strided<[192, 1], offset: 64>>, memref<17x64xbf16>, memref<17xf32>, memref<64xf32, strided<[1], offset: 64>>)
      input_grad(%dk : memref<17x64xbf16, strided<[192, 1], offset: 128>>) weight_grad(%dw : memref<64xf32>)
  return
}
//--- one_row.mlir
func.func @one_row(%x: memref<?x100xf32>, %y: memref<?x100xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.subview %x[4, 0] [1, 100] [1, 1] : memref<?x100xf32> to memref<100xf32, strided<[1], offset: 400>>
  %b = memref.subview %y[7, 0] [1, 100] [1, 1] : memref<?x100xf32> to memref<100xf32, strided<[1], offset: 700>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x100xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%a : memref<100xf32, strided<[1], offset: 400>>) outs(%b : memref<100xf32, strided<[1], offset: 700>>)
  return
}
//--- unit_axes.mlir
func.func @unit_axes(%x: memref<2x1x64xf32>, %a: memref<2x2x2x64xf32, strided<[?, 128, ?, 1]>>) {
  %y = memref.subview %a[0, 1, 1, 0] [2, 1, 1, 64] [1, 1, 1, 1] : memref<2x2x2x64xf32, strided<[?, 128, ?, 1]>> to memref<2x1x64xf32, strided<[?, 128, 1], offset: ?>>
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<2x1x64xf32>) outs(%y : memref<2x1x64xf32, strided<[?, 128, 1], offset: ?>>)
  return
}
