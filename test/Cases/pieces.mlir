// Rows piece by piece through shared memory, thread by thread: for blocks that
// walk over rows to sum them up, and for those that walk because they have a
// number of parts, rows of unknown length and of several axes too. Lengths that fill no piece, that leave a single column;
// addresses at which nothing can be copied asynchronously; no rows, fewer than
// parts, and many for each.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --check --guard
//
// REDEFINE: %{entry} = forward
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// RUN: %{run} --rows=5 --misalign=0
// REDEFINE: %{entry} = cluster
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = tiles
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = registers
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = input_grad
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = both
// RUN: %{run} --rows=0
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// RUN: %{run} --rows=5 --misalign=0
// REDEFINE: %{entry} = unknown
// RUN: %{run} --rows=11 --cols=130
// REDEFINE: %{entry} = square
// RUN: %{run} --rows=33
// REDEFINE: %{entry} = heads
// RUN: %{run} --rows=5

//--- forward.mlir
func.func @forward(%x: tensor<?x1000xbf16>, %gamma: tensor<1000xbf16>, %y0: tensor<?x1000xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x1000xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x1000xbf16>, tensor<1000xbf16>) outs(%y0, %rstd0 : tensor<?x1000xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, stage = shared, stages = 1, extra = 2, widen = mixed>} -> tensor<?x1000xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x1000xbf16>, tensor<?xf32>
}

//--- cluster.mlir
func.func @cluster(%x: tensor<?x1096xf16>, %gamma: tensor<1096xf32>, %y0: tensor<?x1096xf16>, %rstd0: tensor<?xf32>) -> (tensor<?x1096xf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x1096xf16>, tensor<1096xf32>) outs(%y0, %rstd0 : tensor<?x1096xf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2, threads = 32, stage = shared, stages = 1, extra = 4, gamma = shared, cluster = 2>} -> tensor<?x1096xf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x1096xf16>, tensor<?xf32>
}

//--- tiles.mlir
func.func @tiles(%x: tensor<?x129xf32>, %gamma: tensor<129xbf16>, %y0: tensor<?x129xf32>, %rstd0: tensor<?xf32>) -> (tensor<?x129xf32>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x129xf32>, tensor<129xbf16>) outs(%y0, %rstd0 : tensor<?x129xf32>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2, threads = 16, rows = 4, stage = shared, stages = 2, extra = 1, gamma = shared>} -> tensor<?x129xf32>, tensor<?xf32>
  return %y, %rstd : tensor<?x129xf32>, tensor<?xf32>
}

//--- registers.mlir
func.func @registers(%x: tensor<?x300xbf16>, %gamma: tensor<300xf32>, %y0: tensor<?x300xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x300xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x300xbf16>, tensor<300xf32>) outs(%y0, %rstd0 : tensor<?x300xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 5, prefetch = 1, threads = 32, gamma = shared>} -> tensor<?x300xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x300xbf16>, tensor<?xf32>
}

//--- input_grad.mlir
func.func @input_grad(%x: tensor<?x1000xbf16>, %dy: tensor<?x1000xf32>, %rstd: tensor<?xf32>, %gamma: tensor<1000xbf16>, %dx0: tensor<?x1000xbf16>) -> tensor<?x1000xbf16> {
  %dx = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x1000xbf16>, tensor<?x1000xf32>, tensor<?xf32>, tensor<1000xbf16>) input_grad(%dx0 : tensor<?x1000xbf16>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, stage = shared, stages = 1, extra = 3, gamma = shared>} -> tensor<?x1000xbf16>
  return %dx : tensor<?x1000xbf16>
}

//--- both.mlir
func.func @both(%x: tensor<?x700xbf16>, %dy: tensor<?x700xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<700xf32>, %dx0: tensor<?x700xbf16>, %dw0: tensor<700xf32>) -> (tensor<?x700xbf16>, tensor<700xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x700xbf16>, tensor<?x700xbf16>, tensor<?xf32>, tensor<700xf32>) input_grad(%dx0 : tensor<?x700xbf16>) weight_grad(%dw0 : tensor<700xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 2, threads = 32, stage = shared, stages = 1, extra = 1, gamma = shared, cluster = 2>} -> tensor<?x700xbf16>, tensor<700xf32>
  return %dx, %dw : tensor<?x700xbf16>, tensor<700xf32>
}

//--- unknown.mlir
func.func @unknown(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>, %y0: tensor<?x?xf32>, %rstd0: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xf32>, tensor<?xf32>) outs(%y0, %rstd0 : tensor<?x?xf32>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 1, parts = 3, threads = 64, stage = loop>} -> tensor<?x?xf32>, tensor<?xf32>
  return %y, %rstd : tensor<?x?xf32>, tensor<?xf32>
}

//--- heads.mlir
func.func @heads(%x: memref<?x3x300xf16, strided<[1024, 320, 1]>>, %gamma: memref<300xf32>, %y: memref<?x3x300xf16>, %rstd: memref<?x3xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x3x300xf16, strided<[1024, 320, 1]>>, memref<300xf32>) outs(%y, %rstd : memref<?x3x300xf16>, memref<?x3xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2, threads = 32, stage = shared, stages = 1, extra = 1, gamma = shared>}
  return
}

//--- square.mlir
// Pieces of as many columns as a tile has rows.
func.func @square(%x: tensor<?x65xbf16>, %gamma: tensor<65xf32>, %y: tensor<?x65xbf16>) -> tensor<?x65xbf16> {
  %o = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x65xbf16>, tensor<65xf32>) outs(%y : tensor<?x65xbf16>) {schedule = #norm.schedule<vector = 4, parts = 4, threads = 4, rows = 16, stage = shared>} -> tensor<?x65xbf16>
  return %o : tensor<?x65xbf16>
}
