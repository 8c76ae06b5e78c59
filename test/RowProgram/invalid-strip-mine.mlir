// RUN: rudnn-opt %s --norm-strip-mine --split-input-file --verify-diagnostics

// What the pass can't cut it says, and where.

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>

func.func @two_results(%x: tensor<1x64xf32>, %a0: tensor<1xf32>) -> tensor<1xf32> {
  %y = scf.forall (%i) in (1) shared_outs(%out = %a0) -> (tensor<1xf32>) {
    // expected-error @below {{'linalg.generic' op with several results in a row program}}
    %sums:2 = linalg.generic {indexing_maps = [#row, #scalar, #scalar], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x64xf32>) outs(%a0, %a0 : tensor<1xf32>, tensor<1xf32>) {
    ^bb0(%a: f32, %s: f32, %m: f32):
      %s1 = arith.addf %a, %s : f32
      %m1 = arith.maximumf %a, %m : f32
      linalg.yield %s1, %m1 : f32, f32
    } -> (tensor<1xf32>, tensor<1xf32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sums#0 into %out[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<1xf32>
}

// -----

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>

// A difference has no partial results that could be combined.
func.func @no_reduction(%x: tensor<1x64xf32>, %a0: tensor<1xf32>) -> tensor<1xf32> {
  %y = scf.forall (%i) in (1) shared_outs(%out = %a0) -> (tensor<1xf32>) {
    // expected-error @below {{'linalg.generic' op reduces a row in a way that can't be cut}}
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x64xf32>) outs(%a0 : tensor<1xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.subf %a, %s : f32
      linalg.yield %t : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<1xf32>
}

// -----

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>

// An exponential average has two steps.
func.func @two_steps(%x: tensor<1x64xf32>, %a0: tensor<1xf32>) -> tensor<1xf32> {
  %half = arith.constant 0.5 : f32
  %y = scf.forall (%i) in (1) shared_outs(%out = %a0) -> (tensor<1xf32>) {
    // expected-error @below {{'linalg.generic' op reduces a row in a way that can't be cut}}
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x64xf32>) outs(%a0 : tensor<1xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.mulf %s, %half : f32
      %u = arith.addf %t, %a : f32
      linalg.yield %u : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<1xf32>
}

// -----

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>

// A tile of several rows.
func.func @several_rows(%x: tensor<4x64xf32>, %a0: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.forall (%i) in (1) shared_outs(%out = %a0) -> (tensor<4xf32>) {
    // expected-error @below {{'linalg.generic' op writes several rows in a row program}}
    %sum = linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf32>) outs(%a0 : tensor<4xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.addf %a, %s : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<4xf32>
}

// -----

#row = affine_map<(m, n) -> (m, n)>
#scalar = affine_map<(m, n) -> (m)>

// Rows are cut before bufferization.
func.func @buffers(%x: memref<1x64xf32>, %s: memref<1xf32>) {
  scf.forall (%i) in (1) {
    // expected-error @below {{'linalg.generic' op expected a row program on tensors}}
    linalg.generic {indexing_maps = [#row, #scalar], iterator_types = ["parallel", "reduction"]} ins(%x : memref<1x64xf32>) outs(%s : memref<1xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %t = arith.addf %a, %acc : f32
      linalg.yield %t : f32
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// A product with a matrix has rows of its own.
func.func @matmul(%x: tensor<1x64xf32>, %w: tensor<64x64xf32>, %y0: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %y = scf.forall (%i) in (1) shared_outs(%out = %y0) -> (tensor<1x64xf32>) {
    // expected-error @below {{'linalg.generic' op writes several rows in a row program}}
    %r = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x64xf32>) outs(%out : tensor<1x64xf32>) -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[0, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<1x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<1x64xf32>
}
