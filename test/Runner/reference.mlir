// The f64 reference against results worked out by hand; no lowering takes part.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{write} = %python %S/Inputs/write_npy.py
// DEFINE: %{pair} = rudnn-runner %S/Inputs/pair.mlir --device=reference --expect-ulp=0
// DEFINE: %{run} = rudnn-runner %s --device=reference --expect-ulp=0

// mean(3^2, 4^2) + 12.5 = 25, so rstd = 1/5; a row of zeros has 1/sqrt(12.5).
// RUN: %{write} %t/x.npy '<f4' 2,2 3,4,0,0
// RUN: %{write} %t/gamma.npy '<f4' 2 1,2
// RUN: %{write} %t/y.npy '<f4' 2,2 0.6,1.6,0,0
// RUN: %{write} %t/rstd.npy '<f4' 2 0.2,0.28284271247461906
// RUN: %{pair} --entry=forward --input=0=%t/x.npy --input=1=%t/gamma.npy --expect=0=%t/y.npy --expect=1=%t/rstd.npy

// Two rows: c = 11/8 and -7/2.
// RUN: %{write} %t/x.npy '<f4' 2,2 3,4,1,-2
// RUN: %{write} %t/dy.npy '<f4' 2,2 1,1,2,4
// RUN: %{write} %t/rstd.npy '<f4' 2 0.25,0.5
// RUN: %{write} %t/dx.npy '<f4' 2,2 -0.0078125,0.15625,1.875,2.25
// RUN: %{write} %t/dgamma.npy '<f4' 2 1.75,-3
// RUN: %{pair} --entry=backward --input=0=%t/x.npy --input=1=%t/dy.npy --input=2=%t/rstd.npy --input=3=%t/gamma.npy --expect=0=%t/dx.npy --expect=1=%t/dgamma.npy

// No rows: the weight gradient is zero, whatever was there.
// RUN: %{write} %t/none.npy '<f4' 0,2 ''
// RUN: %{write} %t/zeros.npy '<f4' 2 0
// RUN: %{pair} --entry=backward --rows=0 --cols=2 --expect=0=%t/none.npy --expect=1=%t/zeros.npy

// The same with gamma - 1 and an offset, added to a gradient that is there.
// RUN: %{write} %t/less.npy '<f4' 2 0,1
// RUN: %{write} %t/before.npy '<f4' 2 10,20
// RUN: %{write} %t/after.npy '<f4' 2 11.75,17
// RUN: %{run} --entry=accumulate --input=0=%t/x.npy --input=1=%t/dy.npy --input=2=%t/rstd.npy --input=3=%t/less.npy --input=5=%t/before.npy --expect=0=%t/dx.npy --expect=1=%t/after.npy
func.func @accumulate(%x: memref<2x2xf32>, %dy: memref<2x2xf32>,
                      %rstd: memref<2xf32>, %gamma: memref<2xf32>,
                      %dx: memref<2x2xf32>, %dgamma: memref<2xf32>) {
  norm.rms_norm_backward accumulate gamma_offset(1.0)
      ins(%x, %dy, %rstd, %gamma : memref<2x2xf32>, memref<2x2xf32>, memref<2xf32>, memref<2xf32>)
      input_grad(%dx : memref<2x2xf32>) weight_grad(%dgamma : memref<2xf32>)
  return
}

// rstd is exactly 1, so y is half of gamma: halfway between two neighbours goes
// to the even one, and just above halfway goes up.
// RUN: %{write} %t/x.npy '<V2' 1,4 0.5
// RUN: %{write} %t/gamma.npy '<f4' 4 1.00390625,1.01171875,1.0039063692092896,-1.00390625
// RUN: %{write} %t/y.npy '<V2' 1,4 0.5,0.5078125,0.50390625,-0.5
// RUN: %{run} --entry=ties_bf16 --input=0=%t/x.npy --input=1=%t/gamma.npy --expect=0=%t/y.npy
func.func @ties_bf16(%x: memref<1x4xbf16>, %gamma: memref<4xf32>, %y: memref<1x4xbf16>) {
  norm.rms_norm epsilon(0.75) ins(%x, %gamma : memref<1x4xbf16>, memref<4xf32>)
      outs(%y : memref<1x4xbf16>)
  return
}

// RUN: %{write} %t/x.npy '<f2' 4 0.5
// RUN: %{write} %t/gamma.npy '<f4' 4 1.00048828125,1.00146484375,1.0004884004592896,-1.00048828125
// RUN: %{write} %t/y.npy '<f2' 4 0.5,0.5009765625,0.50048828125,-0.5
// RUN: %{write} %t/rstd.npy '<f4' '' 1
// RUN: %{run} --entry=ties_f16 --input=0=%t/x.npy --input=1=%t/gamma.npy --expect=0=%t/y.npy --expect=1=%t/rstd.npy
func.func @ties_f16(%x: memref<4xf16>, %gamma: memref<4xf32>, %y: memref<4xf16>,
                    %rstd: memref<f32>) {
  norm.rms_norm epsilon(0.75) ins(%x, %gamma : memref<4xf16>, memref<4xf32>)
      outs(%y, %rstd : memref<4xf16>, memref<f32>)
  return
}

// Rank 3, rows 5 apart in a plane of 12, from offset 2 on; an expanded dy.
// RUN: %{write} %t/x.npy '<f4' 2,2,2 3,4,1,-2,3,4,1,-2
// RUN: %{write} %t/dy.npy '<f4' 2,2,2 2
// RUN: %{write} %t/rstd.npy '<f4' 2,2 0.25,0.5,0.25,0.5
// RUN: %{write} %t/dx.npy '<f4' 2,2,2 0.171875,0.0625,1.125,0.75,0.171875,0.0625,1.125,0.75
// RUN: %{write} %t/dgamma.npy '<f4' 2 5,0
// RUN: %{run} --entry=strided --guard --strides=0=12,5,1 --offset=0=2 --input=0=%t/x.npy --input=1=%t/dy.npy --input=2=%t/rstd.npy --expect=0=%t/dx.npy --expect=1=%t/dgamma.npy
func.func @strided(%x: memref<2x2x2xf32, strided<[?, ?, 1], offset: ?>>,
                   %dy: memref<2x2x2xf32, strided<[0, 0, 0]>>,
                   %rstd: memref<2x2xf32>,
                   %dx: memref<2x2x2xf32, strided<[7, 3, 1], offset: 1>>,
                   %dgamma: memref<2xf32>) {
  norm.rms_norm_backward
      ins(%x, %dy, %rstd : memref<2x2x2xf32, strided<[?, ?, 1], offset: ?>>, memref<2x2x2xf32, strided<[0, 0, 0]>>, memref<2x2xf32>)
      input_grad(%dx : memref<2x2x2xf32, strided<[7, 3, 1], offset: 1>>)
      weight_grad(%dgamma : memref<2xf32>)
  return
}
