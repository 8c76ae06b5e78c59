// Gradients of a sum, thread by thread: dy is one number for all elements, or
// one for each row, under schedules that would bring rows through shared
// memory, carry them or read them twice.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --check --guard
//
// REDEFINE: %{entry} = chosen
// RUN: %{run}
// REDEFINE: %{entry} = long
// RUN: %{run}
// REDEFINE: %{entry} = pieces
// RUN: %{run} --rows=0
// RUN: %{run} --rows=11
// RUN: %{run} --rows=5 --misalign=0
// REDEFINE: %{entry} = cluster
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = tiles
// RUN: %{run} --rows=2
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = carried
// RUN: %{run} --rows=11
// RUN: %{run} --rows=11 --misalign=0
// REDEFINE: %{entry} = reload
// RUN: %{run} --rows=11
// REDEFINE: %{entry} = strips
// RUN: %{run} --rows=0
// RUN: %{run} --rows=11

//--- chosen.mlir
func.func @chosen(%x: memref<131x1024xbf16>, %one: memref<1xbf16>, %rstd: memref<131xf32>, %gamma: memref<1024xbf16>, %dx: memref<131x1024xbf16>, %dw: memref<1024xbf16>) {
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [131, 1024], strides: [0, 0] : memref<1xbf16> to memref<131x1024xbf16, strided<[0, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<131x1024xbf16>, memref<131x1024xbf16, strided<[0, 0]>>, memref<131xf32>, memref<1024xbf16>)
      input_grad(%dx : memref<131x1024xbf16>) weight_grad(%dw : memref<1024xbf16>)
  return
}

//--- long.mlir
// One block for a row, which stays.
func.func @long(%x: memref<140x8192xbf16>, %sums: memref<140xf32>, %rstd: memref<140xf32>, %gamma: memref<8192xbf16>, %dx: memref<140x8192xbf16>, %dw: memref<8192xbf16>) {
  %dy = memref.reinterpret_cast %sums to offset: [0], sizes: [140, 8192], strides: [1, 0] : memref<140xf32> to memref<140x8192xf32, strided<[1, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<140x8192xbf16>, memref<140x8192xf32, strided<[1, 0]>>, memref<140xf32>, memref<8192xbf16>)
      input_grad(%dx : memref<140x8192xbf16>) weight_grad(%dw : memref<8192xbf16>)
  return
}

//--- pieces.mlir
func.func @pieces(%x: memref<?x1000xbf16>, %one: memref<1xf16>, %rstd: memref<?xf32>, %gamma: memref<1000xbf16>, %dx: memref<?x1000xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x1000xbf16>
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [%m, 1000], strides: [0, 0] : memref<1xf16> to memref<?x1000xf16, strided<[0, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x1000xbf16>, memref<?x1000xf16, strided<[0, 0]>>, memref<?xf32>, memref<1000xbf16>)
      input_grad(%dx : memref<?x1000xbf16>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, stage = shared, stages = 1, extra = 3, gamma = shared>}
  return
}

//--- cluster.mlir
func.func @cluster(%x: memref<?x700xbf16>, %sums: memref<?xbf16>, %rstd: memref<?xf32>, %gamma: memref<700xf32>, %dx: memref<?x700xbf16>, %dw: memref<700xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x700xbf16>
  %dy = memref.reinterpret_cast %sums to offset: [0], sizes: [%m, 700], strides: [1, 0] : memref<?xbf16> to memref<?x700xbf16, strided<[1, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x700xbf16>, memref<?x700xbf16, strided<[1, 0]>>, memref<?xf32>, memref<700xf32>)
      input_grad(%dx : memref<?x700xbf16>) weight_grad(%dw : memref<700xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 2, threads = 32, stage = shared, stages = 1, extra = 1, gamma = shared, cluster = 2>}
  return
}

//--- tiles.mlir
func.func @tiles(%x: memref<?x129xf32>, %one: memref<1xf32>, %rstd: memref<?xf32>, %dw: memref<129xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x129xf32>
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [%m, 129], strides: [0, 0] : memref<1xf32> to memref<?x129xf32, strided<[0, 0]>>
  norm.rms_norm_backward accumulate ins(%x, %dy, %rstd : memref<?x129xf32>, memref<?x129xf32, strided<[0, 0]>>, memref<?xf32>) weight_grad(%dw : memref<129xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2, threads = 16, rows = 4, stage = shared, stages = 2, extra = 1>}
  return
}

//--- carried.mlir
func.func @carried(%x: memref<?x300xbf16>, %one: memref<1xbf16>, %rstd: memref<?xf32>, %gamma: memref<300xf32>, %dx: memref<?x300xbf16>, %dw: memref<300xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x300xbf16>
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [%m, 300], strides: [0, 0] : memref<1xbf16> to memref<?x300xbf16, strided<[0, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x300xbf16>, memref<?x300xbf16, strided<[0, 0]>>, memref<?xf32>, memref<300xf32>)
      input_grad(%dx : memref<?x300xbf16>) weight_grad(%dw : memref<300xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2, prefetch = 2, threads = 32, rows = 2, product = early>}
  return
}

//--- reload.mlir
func.func @reload(%x: memref<?x300xf16>, %one: memref<1xbf16>, %rstd: memref<?xf32>, %dx: memref<?x300xf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x300xf16>
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [%m, 300], strides: [0, 0] : memref<1xbf16> to memref<?x300xbf16, strided<[0, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<?x300xf16>, memref<?x300xbf16, strided<[0, 0]>>, memref<?xf32>) input_grad(%dx : memref<?x300xf16>)
      {schedule = #norm.schedule<vector = 4, threads = 64, rows = 2, stage = reload, first_read = evict_last, second_read = evict_first, store = streaming>}
  return
}

//--- strips.mlir
func.func @strips(%x: memref<?x520xbf16>, %one: memref<1xbf16>, %rstd: memref<?xf32>, %dw: memref<520xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x520xbf16>
  %dy = memref.reinterpret_cast %one to offset: [0], sizes: [%m, 520], strides: [0, 0] : memref<1xbf16> to memref<?x520xbf16, strided<[0, 0]>>
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<?x520xbf16>, memref<?x520xbf16, strided<[0, 0]>>, memref<?xf32>) weight_grad(%dw : memref<520xbf16>)
      {schedule = #norm.schedule<vector = 8, parts = 2, threads = 16, rows = 4, stage = shared, stages = 3, strips = 5>}
  return
}
