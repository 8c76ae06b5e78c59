// RUN: rudnn-opt %s --norm-vectorize --split-input-file --verify-diagnostics

#row = affine_map<(m, n) -> (m, n)>

// A row of run-time length has to be cut into chunks first.
func.func @dynamic(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %y = scf.forall (%i) in (%m) shared_outs(%out = %x) -> (tensor<?x?xf32>) {
    %xr = tensor.extract_slice %out[%i, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    // expected-error @below {{'linalg.generic' op in a row program can't be vectorized: expected static loop bounds, got 1x?; norm-strip-mine cuts columns, and an op beside a norm has to be fused into the innermost loop over rows}}
    %square = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%xr : tensor<1x?xf32>) outs(%xr : tensor<1x?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.mulf %a, %a : f32
      linalg.yield %t : f32
    } -> tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %square into %out[%i, 0] [1, %n] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<?x?xf32>
}

// -----

#row = affine_map<(m, n) -> (m, n)>

// A producer that is fused into the loop over parts, not into the one over the
// rows of a part.
func.func @rows_of_a_part(%x: tensor<?x64xf32>, %m: index) -> tensor<?x64xf32> {
  %y = scf.forall (%i) = (0) to (%m) step (16) shared_outs(%out = %x) -> (tensor<?x64xf32>) {
    %rows = affine.min affine_map<(i)[m] -> (16, m - i)>(%i)[%m]
    %part = tensor.extract_slice %out[%i, 0] [%rows, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
    // expected-error @below {{'linalg.generic' op in a row program can't be vectorized: expected static loop bounds, got ?x64;}}
    %square = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%part : tensor<?x64xf32>) outs(%part : tensor<?x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %t = arith.mulf %a, %a : f32
      linalg.yield %t : f32
    } -> tensor<?x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %square into %out[%i, 0] [%rows, 64] [1, 1] : tensor<?x64xf32> into tensor<?x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 32, rows = 4, parts = 2>}
  return %y : tensor<?x64xf32>
}
