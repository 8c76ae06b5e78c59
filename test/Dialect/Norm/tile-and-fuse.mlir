// RUN: rudnn-opt %s --split-input-file --transform-interpreter --canonicalize --cse | FileCheck %s

// Stock tile-and-fuse takes norm ops as producers and as consumers.

// A residual sum before the norm is fused into the norm's loop.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @producer_into_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x512xf32>, %[[R:[a-z0-9]+]]: tensor<64x512xf32>
// CHECK-NOT: linalg.
// CHECK: scf.forall
// CHECK-DAG: %[[XT:.+]] = tensor.extract_slice %[[X]]
// CHECK-DAG: %[[RT:.+]] = tensor.extract_slice %[[R]]
// CHECK: %[[SUM:.+]] = linalg.generic {{.*}} ins(%[[XT]], %[[RT]] : tensor<8x512xf32>, tensor<8x512xf32>)
// CHECK: norm.rms_norm {{.*}} ins(%[[SUM]], %{{.+}} : tensor<8x512xf32>, tensor<512xf32>)
// CHECK: scf.forall.in_parallel
// CHECK-NOT: linalg.
// CHECK: return
func.func @producer_into_norm(%x: tensor<64x512xf32>, %residual: tensor<64x512xf32>, %gamma: tensor<512xf32>, %y0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %residual : tensor<64x512xf32>, tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum, %gamma : tensor<64x512xf32>, tensor<512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %norm tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %sum into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The norm is fused into a consumer that multiplies and casts.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @norm_into_consumer(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x512xf32>
// CHECK-NOT: norm.rms_norm
// CHECK: scf.forall
// CHECK-DAG: %[[XT:.+]] = tensor.extract_slice %[[X]]{{.*}} to tensor<8x512xf32>
// CHECK: %[[Y:.+]] = norm.rms_norm {{.*}} ins(%[[XT]] : tensor<8x512xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %{{.+}} : tensor<8x512xf32>, tensor<8x512xf32>) outs({{.*}} : tensor<8x512xbf16>)
// CHECK: scf.forall.in_parallel
// CHECK-NOT: norm.rms_norm
// CHECK: return
func.func @norm_into_consumer(%x: tensor<64x512xf32>, %gate: tensor<64x512xf32>, %y0: tensor<64x512xf32>, %z0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y, %gate : tensor<64x512xf32>, tensor<64x512xf32>) outs(%z0 : tensor<64x512xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %p = arith.mulf %a, %b : f32
    %c = arith.truncf %p : f32 to bf16
    linalg.yield %c : bf16
  } -> tensor<64x512xbf16>
  return %z : tensor<64x512xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %mul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// structured.fuse from the last op pulls the whole chain into one loop.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @chain(
// CHECK-NOT: linalg.
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: norm.rms_norm {{.*}} : tensor<8x512xf32>
// CHECK: linalg.generic
// CHECK: scf.yield
// CHECK-NOT: linalg.
// CHECK-NOT: norm.
// CHECK: return
func.func @chain(%x: tensor<64x512xf32>, %residual: tensor<64x512xf32>, %gamma: tensor<512xf32>, %z0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %residual : tensor<64x512xf32>, tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum, %gamma : tensor<64x512xf32>, tensor<512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sum : tensor<64x512xf32>, tensor<64x512xf32>) outs(%z0 : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum, %mul = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %loop = transform.structured.fuse %mul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer that is tiled over columns too gets its columns out of whole
// rows: each row's statistics need all of them.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @columns_of_whole_rows(
// CHECK: scf.forall (%[[I:.+]], %[[J:.+]]) in (8, 4)
// CHECK: %[[COLUMN:.+]] = affine.apply #{{.+}}(%[[J]])
// CHECK: %[[Y:.+]] = norm.rms_norm {{.*}} -> tensor<8x512xf32>
// CHECK: %[[COLUMNS:.+]] = tensor.extract_slice %[[Y]][0, %[[COLUMN]]] [8, 128] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[COLUMNS]] : tensor<8x128xf32>)
func.func @columns_of_whole_rows(%x: tensor<64x512xf32>, %y0: tensor<64x512xf32>, %z0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x512xf32>) outs(%z0 : tensor<64x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.mulf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %mul tile_sizes [8, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// rstd is a result that can be asked for as well, and a backward takes the
// place of a producer.

#row = affine_map<(m) -> (m)>

// CHECK-LABEL: func.func @rstd(
// CHECK: scf.forall
// CHECK: %[[NORM:.+]]:2 = norm.rms_norm {{.*}} -> tensor<8x512xf32>, tensor<8xf32>
// CHECK: linalg.generic {{.*}} ins(%[[NORM]]#1 : tensor<8xf32>)
func.func @rstd(%x: tensor<64x512xf32>, %y0: tensor<64x512xf32>, %rstd0: tensor<64xf32>) -> tensor<64xf32> {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%y0, %rstd0 : tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32>, tensor<64xf32>
  %z = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%rstd : tensor<64xf32>) outs(%rstd0 : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.mulf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<64xf32>
  return %z : tensor<64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %mul tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @backward_into_consumer(
// CHECK: scf.forall
// CHECK: %[[DX:.+]] = norm.rms_norm_backward {{.*}} input_grad({{.*}} : tensor<8x512xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[DX]], %{{.+}} : tensor<8x512xf32>, tensor<8x512xf32>)
// CHECK: scf.forall.in_parallel
// CHECK-NOT: norm.
// CHECK: return
func.func @backward_into_consumer(%x: tensor<64x512xf32>, %dy: tensor<64x512xf32>, %rstd: tensor<64xf32>, %dx0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %dx = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>) input_grad(%dx0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%dx, %dy : tensor<64x512xf32>, tensor<64x512xf32>) outs(%dx0 : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %add tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %norm into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
