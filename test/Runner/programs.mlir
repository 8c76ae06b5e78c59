// What a module may be: several norm ops, other ops around them, loops and calls;
// results in arguments, results of their own, the same one twice, memrefs. Where
// an op works on what another computed, the tolerance is looser, and says so.
//
// DEFINE: %{run} = rudnn-runner %s --rows=19 --check --guard

// RUN: %{run} --entry=loop | FileCheck %s --check-prefix=LOOP
// LOOP: result 0: ok, bf16 [4, 19, 130], {{.*}} of the strict tolerance
func.func @loop(%x: tensor<4x?x130xbf16>, %gamma: tensor<130xf32>, %y: tensor<4x?x130xbf16>)
    -> tensor<4x?x130xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %rows = tensor.dim %x, %c1 : tensor<4x?x130xbf16>
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %y) -> tensor<4x?x130xbf16> {
    %slice = tensor.extract_slice %x[%i, 0, 0] [1, %rows, 130] [1, 1, 1]
        : tensor<4x?x130xbf16> to tensor<?x130xbf16>
    %to = tensor.extract_slice %out[%i, 0, 0] [1, %rows, 130] [1, 1, 1]
        : tensor<4x?x130xbf16> to tensor<?x130xbf16>
    %norm = norm.rms_norm epsilon(1.0e-6)
        ins(%slice, %gamma : tensor<?x130xbf16>, tensor<130xf32>)
        outs(%to : tensor<?x130xbf16>) -> tensor<?x130xbf16>
    %next = tensor.insert_slice %norm into %out[%i, 0, 0] [1, %rows, 130] [1, 1, 1]
        : tensor<?x130xbf16> into tensor<4x?x130xbf16>
    scf.yield %next : tensor<4x?x130xbf16>
  }
  return %all : tensor<4x?x130xbf16>
}

// RUN: %{run} --entry=chain | FileCheck %s --check-prefix=CHAIN
// CHAIN: result 0 (y): ok, bf16 [19, 130], {{.*}} of the loose tolerance
// CHAIN: result 1 (y): ok, bf16 [19, 130], {{.*}} of the strict tolerance
// CHAIN: result 2 (y): ok, bf16 [19, 130], {{.*}} of the strict tolerance
func.func @chain(%x: tensor<?x130xbf16>, %gamma: tensor<130xf32>, %y0: tensor<?x130xbf16>)
    -> (tensor<?x130xbf16>, tensor<?x130xbf16>, tensor<?x130xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x130xbf16>
  %empty = tensor.empty(%rows) : tensor<?x130xbf16>
  %first = func.call @norm(%x, %gamma, %empty)
      : (tensor<?x130xbf16>, tensor<130xf32>, tensor<?x130xbf16>) -> tensor<?x130xbf16>
  %again = norm.rms_norm epsilon(1.0e-6)
      ins(%x, %gamma : tensor<?x130xbf16>, tensor<130xf32>)
      outs(%empty : tensor<?x130xbf16>) -> tensor<?x130xbf16>
  %second = norm.rms_norm epsilon(1.0e-6)
      ins(%first, %gamma : tensor<?x130xbf16>, tensor<130xf32>)
      outs(%y0 : tensor<?x130xbf16>) -> tensor<?x130xbf16>
  return %second, %again, %again
      : tensor<?x130xbf16>, tensor<?x130xbf16>, tensor<?x130xbf16>
}
func.func private @norm(%x: tensor<?x130xbf16>, %gamma: tensor<130xf32>, %y0: tensor<?x130xbf16>)
    -> tensor<?x130xbf16> {
  %y = norm.rms_norm epsilon(1.0e-6)
      ins(%x, %gamma : tensor<?x130xbf16>, tensor<130xf32>)
      outs(%y0 : tensor<?x130xbf16>) -> tensor<?x130xbf16>
  return %y : tensor<?x130xbf16>
}

// RUN: %{run} --entry=residual | FileCheck %s --check-prefix=RESIDUAL
// RESIDUAL: argument 0: f16 [19, 130], read, made from the seed
// RESIDUAL: argument 3 (y): f16 [19, 130], written, poisoned
// RESIDUAL: result 0, argument 1 (x): ok, f16 [19, 130], {{.*}} of the loose tolerance
// RESIDUAL: result 1, argument 3 (y): ok, f16 [19, 130], {{.*}} of the loose tolerance
#all = affine_map<(m, n) -> (m, n)>
func.func @residual(%x: memref<?x130xf16>, %sum: memref<?x130xf16>, %gamma: memref<130xf16>,
                    %y: memref<?x130xf16>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x130xf16>) outs(%sum : memref<?x130xf16>) {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    linalg.yield %c : f16
  }
  norm.rms_norm epsilon(1.0e-6) gamma_offset(1.0)
      ins(%sum, %gamma : memref<?x130xf16>, memref<130xf16>)
      outs(%y : memref<?x130xf16>)
  return
}

// RUN: %{run} --entry=integers | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: result 0: ok, i32 [19], max error 0 {{.*}} of the exact tolerance
#one = affine_map<(m) -> (m)>
func.func @integers(%x: tensor<?xi32>) -> tensor<?xi32> {
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%x : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// RUN: %{run} --entry=copy | FileCheck %s --check-prefix=COPY
// COPY: result 0, argument 1: ok, f16 [3, 19, 5], max error 0 ulp
func.func @copy(%x: memref<3x?x5xf16, strided<[300, 7, 1]>>, %y: memref<3x?x5xf16, strided<[?, 5, 1], offset: 2>>) {
  memref.copy %x, %y : memref<3x?x5xf16, strided<[300, 7, 1]>> to memref<3x?x5xf16, strided<[?, 5, 1], offset: 2>>
  return
}
