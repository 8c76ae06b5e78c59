// DEFINE: %{rows} =
// DEFINE: %{schedule} =
// DEFINE: %{device} =
// DEFINE: %{fuse} = sed -e 's/sizes \[1\]/sizes [%{rows}]/' -e 's/schedule<vector[^>]*>/schedule<%{schedule}>/' %S/Inputs/fuse-around.mlir > %t.fuse.mlir
// DEFINE: %{lower} = rudnn-opt %s --transform-preload-library="transform-library-paths=%t.fuse.mlir" --transform-interpreter -o %t.mlir
// DEFINE: %{check} = rudnn-runner %t.mlir --device=%{device} --seed=1 --check --guard

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 8, unroll = 2
// REDEFINE: %{device} = cpu
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 4, unroll = 1
// REDEFINE: %{device} = cpu
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 2, threads = 32
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 4
// REDEFINE: %{schedule} = vector = 1, threads = 32, rows = 4
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 8
// REDEFINE: %{schedule} = vector = 2, threads = 32, rows = 8
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 4, unroll = 2, threads = 32, stage = loop
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 1, threads = 64, stage = reload
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// REDEFINE: %{rows} = 1
// REDEFINE: %{schedule} = vector = 2, threads = 64, cluster = 2
// REDEFINE: %{device} = emulate
// RUN: %{fuse} && %{lower} && %{check} --entry=forward && %{check} --entry=backward

// The indices of a producer and a consumer are those of the whole tensor,
// however the schedule cuts rows and columns.

#all = affine_map<(m, n) -> (m, n)>

func.func @forward(%x: tensor<8x203xf32>, %gamma: tensor<203xf32>, %z0: tensor<8x203xf32>) -> tensor<8x203xf32> {
  %empty = tensor.empty() : tensor<8x203xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x203xf32>) outs(%empty : tensor<8x203xf32>) attrs = {producer} {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %d = arith.subi %m, %n : index
    %i = arith.index_cast %d : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x203xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum, %gamma : tensor<8x203xf32>, tensor<203xf32>) outs(%empty : tensor<8x203xf32>) -> tensor<8x203xf32>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<8x203xf32>) outs(%z0 : tensor<8x203xf32>) attrs = {consumer} {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %later = arith.cmpi ult, %m, %n : index
    %negated = arith.negf %a : f32
    %s = arith.select %later, %negated, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x203xf32>
  return %z : tensor<8x203xf32>
}

func.func @backward(%x: tensor<8x203xf32>, %dy: tensor<8x203xf32>, %rstd: tensor<8xf32>, %z0: tensor<8x203xf32>) -> tensor<8x203xf32> {
  %empty = tensor.empty() : tensor<8x203xf32>
  %sum = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dy : tensor<8x203xf32>) outs(%empty : tensor<8x203xf32>) attrs = {producer} {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %d = arith.subi %m, %n : index
    %i = arith.index_cast %d : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.mulf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x203xf32>
  %dx = norm.rms_norm_backward ins(%x, %sum, %rstd : tensor<8x203xf32>, tensor<8x203xf32>, tensor<8xf32>) input_grad(%empty : tensor<8x203xf32>) -> tensor<8x203xf32>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%dx : tensor<8x203xf32>) outs(%z0 : tensor<8x203xf32>) attrs = {consumer} {
  ^bb0(%a: f32, %out: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %later = arith.cmpi ult, %m, %n : index
    %negated = arith.negf %a : f32
    %s = arith.select %later, %negated, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x203xf32>
  return %z : tensor<8x203xf32>
}
