// Rows over an input, thread by thread, with every place that rows have in the
// meantime: what is read ahead or a second time is what was there before.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{set} = threads=32
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --check --guard --rows=11 --pipeline-options="set=%{set}"
//
// REDEFINE: %{entry} = forward
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{set} = stage=reload,rows=4,threads=16
// RUN: %{run}
// REDEFINE: %{set} = parts=3,prefetch=2,threads=32,rows=2
// RUN: %{run}
// REDEFINE: %{set} = parts=3,stage=shared,threads=32,rows=2
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{set} = parts=2,stage=shared,stages=1,extra=2,threads=32
// RUN: %{run}
// REDEFINE: %{set} = parts=2,stage=shared,stages=1,extra=1,threads=32,cluster=2
// RUN: %{run}
// REDEFINE: %{set} = stage=loop,threads=32
// RUN: %{run}
//
// REDEFINE: %{entry} = heads
// REDEFINE: %{set} = parts=3,stage=shared,threads=16,rows=2
// RUN: %{run}
// REDEFINE: %{set} = parts=3,prefetch=1,threads=16,rows=2
// RUN: %{run}
//
// REDEFINE: %{entry} = backward
// REDEFINE: %{set} = parts=3,stage=shared,stages=1,extra=1,threads=32
// RUN: %{run}
// REDEFINE: %{set} = parts=2,stage=reload,threads=64,rows=2
// RUN: %{run}
// REDEFINE: %{set} = parts=2,stage=shared,threads=32,cluster=2
// RUN: %{run}
// REDEFINE: %{set} = parts=1,stage=registers,threads=64,strips=3
// RUN: %{run}
//
// REDEFINE: %{entry} = one
// REDEFINE: %{set} = parts=2,stage=shared,threads=32,rows=2
// RUN: %{run}
// REDEFINE: %{set} = parts=3,stage=reload,threads=32,strips=2
// RUN: %{run}

//--- forward.mlir
func.func @forward(%x: memref<?x1000xbf16>, %gamma: memref<1000xbf16>, %rstd: memref<?xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x1000xbf16>, memref<1000xbf16>) outs(%x, %rstd : memref<?x1000xbf16>, memref<?xf32>)
  return
}
//--- heads.mlir
func.func @heads(%qkv: memref<?x3x100xf32>, %gamma: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %qkv, %c0 : memref<?x3x100xf32>
  %q = memref.subview %qkv[0, 0, 0] [%m, 2, 100] [1, 1, 1] : memref<?x3x100xf32> to memref<?x2x100xf32, strided<[300, 100, 1]>>
  norm.rms_norm epsilon(1.0e-05) ins(%q, %gamma : memref<?x2x100xf32, strided<[300, 100, 1]>>, memref<100xf32>) outs(%q : memref<?x2x100xf32, strided<[300, 100, 1]>>)
  return
}
//--- backward.mlir
func.func @backward(%x: tensor<?x1000xbf16>, %dy: tensor<?x1000xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<1000xf32>, %dw0: tensor<1000xf32>) -> (tensor<?x1000xbf16>, tensor<1000xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x1000xbf16>, tensor<?x1000xbf16>, tensor<?xf32>, tensor<1000xf32>)
      input_grad(%dy : tensor<?x1000xbf16>) weight_grad(%dw0 : tensor<1000xf32>) -> tensor<?x1000xbf16>, tensor<1000xf32>
  return %dx, %dw : tensor<?x1000xbf16>, tensor<1000xf32>
}
//--- one.mlir
// x, dy and dx.
func.func @one(%x: memref<?x4x50xf32>, %rstd: memref<?x4xf32>, %dw: memref<50xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<?x4x50xf32>, memref<?x4x50xf32>, memref<?x4xf32>)
      input_grad(%x : memref<?x4x50xf32>) weight_grad(%dw : memref<50xf32>)
  return
}
