// Weight gradients by strips of columns, thread by thread: few rows, none at
// all, strips of which the last is short or ends inside a vector, and parts.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{rows} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --rows=%{rows} --check --guard
//
// REDEFINE: %{entry} = both
// REDEFINE: %{rows} = 0
// RUN: %{run}
// REDEFINE: %{rows} = 1
// RUN: %{run}
// REDEFINE: %{rows} = 7
// RUN: %{run}
// REDEFINE: %{rows} = 16
// RUN: %{run}
// RUN: %{run} --misalign=1
// REDEFINE: %{rows} = 128
// RUN: %{run}
// REDEFINE: %{entry} = parts
// REDEFINE: %{rows} = 0
// RUN: %{run}
// REDEFINE: %{rows} = 2
// RUN: %{run}
// REDEFINE: %{rows} = 37
// RUN: %{run}
// REDEFINE: %{entry} = alone
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{rows} = 0
// RUN: %{run}
// REDEFINE: %{entry} = shared
// RUN: %{run}
// REDEFINE: %{rows} = 21
// RUN: %{run}
// REDEFINE: %{entry} = heads
// RUN: %{run}
// REDEFINE: %{entry} = in_place
// RUN: %{run}
// REDEFINE: %{entry} = rows_in_steps
// RUN: %{run}
//
// Chosen schedules of few rows.
// REDEFINE: %{entry} = chosen_1
// RUN: %{run}
// REDEFINE: %{entry} = chosen_16
// RUN: %{run}
// REDEFINE: %{entry} = chosen_128
// RUN: %{run}
// REDEFINE: %{entry} = chosen_odd
// RUN: %{run}

//--- both.mlir
// 250 columns are 63 vectors of 4: strips of 21 vectors, 32 threads each.
func.func @both(%x: tensor<?x250xbf16>, %dy: tensor<?x250xf32>, %rstd: tensor<?xf32>, %gamma: tensor<250xf16>, %dx0: tensor<?x250xbf16>, %dw0: tensor<250xf16>) -> (tensor<?x250xbf16>, tensor<250xf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x250xbf16>, tensor<?x250xf32>, tensor<?xf32>, tensor<250xf16>)
      input_grad(%dx0 : tensor<?x250xbf16>) weight_grad(%dw0 : tensor<250xf16>)
      {schedule = #norm.schedule<vector = 4, parts = 1, threads = 64, rows = 2, strips = 3>} -> tensor<?x250xbf16>, tensor<250xf16>
  return %dx, %dw : tensor<?x250xbf16>, tensor<250xf16>
}
//--- parts.mlir
// On top of what is there, through partial sums, beside dx; rows read ahead.
func.func @parts(%x: memref<?x96xf32>, %dy: memref<?x96xf16>, %rstd: memref<?xf32>, %gamma: memref<96xf32>, %dx: memref<?x96xf32>, %dw: memref<96xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %dy, %rstd, %gamma : memref<?x96xf32>, memref<?x96xf16>, memref<?xf32>, memref<96xf32>)
      input_grad(%dx : memref<?x96xf32>) weight_grad(%dw : memref<96xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 3, prefetch = 1, threads = 32, rows = 3, strips = 4, merge_columns = 8>}
  return
}
//--- alone.mlir
// More pieces than one for a thread, and the number of parts found at run time.
func.func @alone(%x: tensor<?x1000xbf16>, %dy: tensor<?x1000xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<1000xbf16>) -> tensor<1000xbf16> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x1000xbf16>, tensor<?x1000xbf16>, tensor<?xf32>)
      weight_grad(%dw0 : tensor<1000xbf16>)
      {schedule = #norm.schedule<vector = 8, threads = 16, rows = 4, strips = 3>} -> tensor<1000xbf16>
  return %dw : tensor<1000xbf16>
}
//--- shared.mlir
// Rows of a strip through a ring, on top of what is there.
func.func @shared(%x: memref<?x520xbf16>, %dy: memref<?x520xbf16>, %rstd: memref<?xf32>, %dw: memref<520xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %dy, %rstd : memref<?x520xbf16>, memref<?x520xbf16>, memref<?xf32>) weight_grad(%dw : memref<520xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 16, rows = 4, stage = shared, stages = 3, strips = 5>}
  return
}
//--- heads.mlir
// Rows of two axes that are no single one.
func.func @heads(%qkv: memref<?x3x512xbf16>, %dy: memref<?x2x96xbf16>, %rstd: memref<?x2xf32>, %gamma: memref<96xbf16>, %dx: memref<?x2x96xbf16>, %dw: memref<96xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %qkv, %c0 : memref<?x3x512xbf16>
  %x = memref.subview %qkv[0, 1, 32] [%m, 2, 96] [1, 1, 1] : memref<?x3x512xbf16> to memref<?x2x96xbf16, strided<[1536, 512, 1], offset: 544>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x2x96xbf16, strided<[1536, 512, 1], offset: 544>>, memref<?x2x96xbf16>, memref<?x2xf32>, memref<96xbf16>)
      input_grad(%dx : memref<?x2x96xbf16>) weight_grad(%dw : memref<96xbf16>)
      {schedule = #norm.schedule<vector = 8, parts = 2, threads = 16, rows = 4, strips = 3>}
  return
}
//--- in_place.mlir
// dx over x: two launches then, the weight gradient first.
func.func @in_place(%x: tensor<?x64xf32>, %dy: tensor<?x64xf32>, %rstd: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<64xf32>) {
  %dw0 = tensor.empty() : tensor<64xf32>
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?xf32>)
      input_grad(%x : tensor<?x64xf32>) weight_grad(%dw0 : tensor<64xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 1, threads = 16, rows = 2, strips = 2>} -> tensor<?x64xf32>, tensor<64xf32>
  return %dx, %dw : tensor<?x64xf32>, tensor<64xf32>
}
//--- rows_in_steps.mlir
// dx walks along its rows, strips do not.
func.func @rows_in_steps(%x: tensor<?x300xf16>, %dy: tensor<?x300xf16>, %rstd: tensor<?xf32>, %gamma: tensor<300xf32>, %dx0: tensor<?x300xf16>, %dw0: tensor<300xf32>) -> (tensor<?x300xf16>, tensor<300xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x300xf16>, tensor<?x300xf16>, tensor<?xf32>, tensor<300xf32>)
      input_grad(%dx0 : tensor<?x300xf16>) weight_grad(%dw0 : tensor<300xf32>)
      {schedule = #norm.schedule<vector = 4, unroll = 2, parts = 1, prefetch = 1, threads = 32, stage = loop, strips = 3>} -> tensor<?x300xf16>, tensor<300xf32>
  return %dx, %dw : tensor<?x300xf16>, tensor<300xf32>
}
//--- chosen_1.mlir
func.func @chosen_1(%x: tensor<1x1024xbf16>, %dy: tensor<1x1024xbf16>, %rstd: tensor<1xf32>, %gamma: tensor<1024xbf16>, %dx0: tensor<1x1024xbf16>, %dw0: tensor<1024xbf16>) -> (tensor<1x1024xbf16>, tensor<1024xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<1x1024xbf16>, tensor<1x1024xbf16>, tensor<1xf32>, tensor<1024xbf16>)
      input_grad(%dx0 : tensor<1x1024xbf16>) weight_grad(%dw0 : tensor<1024xbf16>) -> tensor<1x1024xbf16>, tensor<1024xbf16>
  return %dx, %dw : tensor<1x1024xbf16>, tensor<1024xbf16>
}
//--- chosen_16.mlir
func.func @chosen_16(%x: tensor<16x1024xbf16>, %dy: tensor<16x1024xbf16>, %rstd: tensor<16xf32>, %gamma: tensor<1024xbf16>, %dx0: tensor<16x1024xbf16>, %dw0: tensor<1024xbf16>) -> (tensor<16x1024xbf16>, tensor<1024xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<16x1024xbf16>, tensor<16x1024xbf16>, tensor<16xf32>, tensor<1024xbf16>)
      input_grad(%dx0 : tensor<16x1024xbf16>) weight_grad(%dw0 : tensor<1024xbf16>) -> tensor<16x1024xbf16>, tensor<1024xbf16>
  return %dx, %dw : tensor<16x1024xbf16>, tensor<1024xbf16>
}
//--- chosen_128.mlir
func.func @chosen_128(%x: tensor<128x512xf32>, %dy: tensor<128x512xf32>, %rstd: tensor<128xf32>, %gamma: tensor<512xf32>, %dx0: tensor<128x512xf32>, %dw0: tensor<512xf32>) -> (tensor<128x512xf32>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<128x512xf32>, tensor<128x512xf32>, tensor<128xf32>, tensor<512xf32>)
      input_grad(%dx0 : tensor<128x512xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<128x512xf32>, tensor<512xf32>
  return %dx, %dw : tensor<128x512xf32>, tensor<512xf32>
}
//--- chosen_odd.mlir
func.func @chosen_odd(%x: tensor<19x331xbf16>, %dy: tensor<19x331xf16>, %rstd: tensor<19xf32>, %gamma: tensor<331xf32>, %dx0: tensor<19x331xbf16>, %dw0: tensor<331xf32>) -> (tensor<19x331xbf16>, tensor<331xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<19x331xbf16>, tensor<19x331xf16>, tensor<19xf32>, tensor<331xf32>)
      input_grad(%dx0 : tensor<19x331xbf16>) weight_grad(%dw0 : tensor<331xf32>) -> tensor<19x331xbf16>, tensor<331xf32>
  return %dx, %dw : tensor<19x331xbf16>, tensor<331xf32>
}
