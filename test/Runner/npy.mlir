// Arrays come back from a run as they went in, byte by byte: each element type,
// ranks 0 to 3, no elements at all, and the headers that other writers make.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{write} = %python %S/Inputs/write_npy.py
// DEFINE: %{run} = rudnn-runner %s --device=reference --seed=1

// RUN: %{write} %t/f32.npy '<f4' 2,3 1,-2.5,3e38,1e-45,nan,inf
// RUN: %{run} --entry=f32 --input=0=%t/f32.npy --output-dir=%t/out
// RUN: cmp %t/f32.npy %t/out/result-0.npy
func.func @f32(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

// RUN: %{write} %t/f16.npy '<f2' 4 1,-65504,6e-8,inf
// RUN: %{run} --entry=f16 --input=0=%t/f16.npy --output-dir=%t/out
// RUN: cmp %t/f16.npy %t/out/result-0.npy
func.func @f16(%x: tensor<?xf16>) -> tensor<?xf16> {
  return %x : tensor<?xf16>
}

// RUN: %{write} %t/bf16.npy '<V2' 1,2,2 1,-0.5,3.015625,-inf
// RUN: %{run} --entry=bf16 --input=0=%t/bf16.npy --output-dir=%t/out
// RUN: cmp %t/bf16.npy %t/out/result-0.npy
// RUN: %{write} %t/void.npy '|V2' 1,2,2 1,-0.5,3.015625,-inf
// RUN: %{run} --entry=bf16 --input=0=%t/void.npy --output-dir=%t/out
// RUN: cmp %t/bf16.npy %t/out/result-0.npy
func.func @bf16(%x: tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16> {
  return %x : tensor<1x2x2xbf16>
}

// RUN: %{write} %t/f64.npy '<f8' '' 3.0000000000000004
// RUN: %{run} --entry=f64 --input=0=%t/f64.npy --output-dir=%t/out
// RUN: cmp %t/f64.npy %t/out/result-0.npy
func.func @f64(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}

// RUN: %{write} %t/i8.npy '|i1' 3 -128,0,127
// RUN: %{run} --entry=i8 --input=0=%t/i8.npy --output-dir=%t/out
// RUN: cmp %t/i8.npy %t/out/result-0.npy
func.func @i8(%x: memref<3xi8>) -> memref<3xi8> {
  return %x : memref<3xi8>
}

// RUN: %{write} %t/i64.npy '<i8' 0,5 ''
// RUN: %{run} --entry=i64 --input=0=%t/i64.npy --output-dir=%t/out
// RUN: cmp %t/i64.npy %t/out/result-0.npy
func.func @i64(%x: tensor<?x5xi64>) -> tensor<?x5xi64> {
  return %x : tensor<?x5xi64>
}

// Versions 2 and 3, and a header of another order, spacing and quoting.
// RUN: %{write} %t/v2.npy '<f4' 2,3 7 --version=2
// RUN: %{write} %t/v3.npy '<f4' 2,3 7 --version=3
// RUN: %{write} %t/odd.npy '<f4' 2,3 7 --header='{"shape":(2, 3 ,),"fortran_order" : False,"descr":"<f4"}'
// RUN: %{run} --entry=f32 --input=0=%t/v2.npy --expect=0=%t/v3.npy --expect-ulp=0
// RUN: %{run} --entry=f32 --input=0=%t/odd.npy --expect=0=%t/v3.npy --expect-ulp=0
