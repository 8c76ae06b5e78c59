// RUN: rm -rf %t.out && mkdir %t.out
// RUN: rudnn-runner %s --seed=1 --check --guard --output-dir=%t.out

// DEFINE: %{schedule} = vector = 4, unroll = 2, threads = 2, stage = loop
// DEFINE: %{lower} = sed -e 's/<vector.*>/<%{schedule}>/' %s | rudnn-opt --norm-to-gpu -o %t.mlir
// DEFINE: %{compare} = rudnn-runner %t.mlir --device=emulate --seed=1 --guard --expect=0=%t.out/result-0.npy
// RUN: %{lower} && %{compare}

// REDEFINE: %{schedule} = vector = 1, threads = 32, rows = 8
// RUN: %{lower} && %{compare}

// A weighted sum over rows: the weights are made of rows and columns counted
// from the first of the tensor, not of the row and the chunk.

#all = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
func.func @f(%x: tensor<8x37xf32>, %s0: tensor<37xf32>) -> tensor<37xf32> {
  %zero = arith.constant 0.0 : f32
  %s = scf.forall (%i) in (1) shared_outs(%out = %s0) -> (tensor<37xf32>) {
    %z = linalg.fill ins(%zero : f32) outs(%out : tensor<37xf32>) -> tensor<37xf32>
    %sum = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x37xf32>) outs(%z : tensor<37xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %m = linalg.index 0 : index
      %n = linalg.index 1 : index
      %d = arith.subi %m, %n : index
      %p = arith.index_cast %d : index to i32
      %w = arith.sitofp %p : i32 to f32
      %aw = arith.mulf %a, %w : f32
      %t = arith.addf %acc, %aw : f32
      linalg.yield %t : f32
    } -> tensor<37xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[0] [37] [1] : tensor<37xf32> into tensor<37xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, unroll = 2>}
  return %s : tensor<37xf32>
}
