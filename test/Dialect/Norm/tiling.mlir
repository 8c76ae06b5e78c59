// RUN: rudnn-opt %s --split-input-file --transform-interpreter --canonicalize --cse --verify-diagnostics | FileCheck %s

// The transform dialect's stock tiling drives the ops through TilingInterface:
// one loop for each leading axis, whole rows in each tile.

// CHECK-LABEL: func.func @forall(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x512xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<512xf32>, %[[Y0:[a-z0-9]+]]: tensor<64x512xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<64xf32>
// CHECK: scf.forall (%[[TASK:.+]]) in (8) shared_outs(%[[Y:.+]] = %[[Y0]], %[[RSTD:.+]] = %[[RSTD0]])
// CHECK: %[[I:.+]] = affine.apply #{{.+}}(%[[TASK]])
// CHECK-DAG: %[[XT:.+]] = tensor.extract_slice %[[X]][%[[I]], 0] [8, 512] [1, 1]
// CHECK-DAG: %[[YT:.+]] = tensor.extract_slice %[[Y]][%[[I]], 0] [8, 512] [1, 1]
// CHECK-DAG: %[[RSTDT:.+]] = tensor.extract_slice %[[RSTD]][%[[I]]] [8] [1]
// CHECK: %[[TILE:.+]]:2 = norm.rms_norm epsilon(1.0e-5) ins(%[[XT]], %[[GAMMA]] : tensor<8x512xbf16>, tensor<512xf32>)
// CHECK-SAME: outs(%[[YT]], %[[RSTDT]] : tensor<8x512xbf16>, tensor<8xf32>)
// CHECK: scf.forall.in_parallel
// CHECK-NEXT: tensor.parallel_insert_slice %[[TILE]]#0 into %[[Y]][%[[I]], 0] [8, 512] [1, 1]
// CHECK-NEXT: tensor.parallel_insert_slice %[[TILE]]#1 into %[[RSTD]][%[[I]]] [8] [1]
func.func @forall(%x: tensor<64x512xbf16>, %gamma: tensor<512xf32>, %y0: tensor<64x512xbf16>, %rstd0: tensor<64xf32>) -> (tensor<64x512xbf16>, tensor<64xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<64x512xbf16>, tensor<512xf32>)
      outs(%y0, %rstd0 : tensor<64x512xbf16>, tensor<64xf32>) -> tensor<64x512xbf16>, tensor<64xf32>
  return %y, %rstd : tensor<64x512xbf16>, tensor<64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %norm tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A ragged last tile, rank 3, dynamic sizes: one loop per leading axis.

// CHECK-LABEL: func.func @for(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4x?xf32>
// CHECK: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %[[M]] step %c7 iter_args
// CHECK: scf.for %[[J:.+]] = %{{.+}} to %c4 step %c2 iter_args
// CHECK: %[[ROWS:.+]] = affine.min #{{.+}}(%[[I]])[%[[M]]]
// CHECK: tensor.extract_slice %[[X]][%[[I]], %[[J]], 0] [%[[ROWS]], 2, %{{.+}}] [1, 1, 1] : tensor<?x4x?xf32> to tensor<?x2x?xf32>
// CHECK: norm.rms_norm {{.*}} ins(%{{.+}} : tensor<?x2x?xf32>) outs(%{{.+}} : tensor<?x2x?xf32>)
func.func @for(%x: tensor<?x4x?xf32>, %y0: tensor<?x4x?xf32>) -> tensor<?x4x?xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x4x?xf32>) outs(%y0 : tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
  return %y : tensor<?x4x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %norm tile_sizes [7, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The input gradient has parallel rows.

// CHECK-LABEL: func.func @input_grad(
// CHECK: scf.forall {{.*}} in (4) shared_outs(%[[DX:.+]] = %{{.+}})
// CHECK: %[[TILE:.+]] = norm.rms_norm_backward ins({{.*}} : tensor<16x512xf32>, tensor<16x512xbf16>, tensor<16xf32>, tensor<512xf32>) input_grad({{.*}} : tensor<16x512xf32>)
// CHECK: tensor.parallel_insert_slice %[[TILE]] into %[[DX]]
func.func @input_grad(%x: tensor<64x512xf32>, %dy: tensor<64x512xbf16>, %rstd: tensor<64xf32>, %gamma: tensor<512xf32>, %dx0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %dx = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<64x512xf32>, tensor<64x512xbf16>, tensor<64xf32>, tensor<512xf32>) input_grad(%dx0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %dx : tensor<64x512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %norm tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The accumulating form is a sum over rows: a sequential loop carries it.

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[DW0:[a-z0-9]+]]: tensor<512xf32>)
// CHECK: scf.for {{.*}} iter_args(%[[DX:.+]] = %{{.+}}, %[[DW:.+]] = %[[DW0]])
// CHECK: %[[TILE:.+]]:2 = norm.rms_norm_backward accumulate ins({{.*}} : tensor<16x512xf32>, tensor<16x512xf32>, tensor<16xf32>)
// CHECK-SAME: input_grad({{.*}} : tensor<16x512xf32>) weight_grad(%[[DW]] : tensor<512xf32>)
// CHECK: %[[NEXT:.+]] = tensor.insert_slice %[[TILE]]#0 into %[[DX]]
// CHECK: scf.yield %[[NEXT]], %[[TILE]]#1
func.func @accumulate(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>, %dx0: tensor<64x512xf32>, %dw0: tensor<512xf32>) -> (tensor<64x512xf32>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>)
      input_grad(%dx0 : tensor<64x512xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<64x512xf32>, tensor<512xf32>
  return %dx, %dw : tensor<64x512xf32>, tensor<512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %norm tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A weight gradient that overwrites can't be cut into tiles one after another.

func.func @overwrite(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  // expected-error @below {{'norm.rms_norm_backward' op a weight gradient over tiles of rows needs the 'accumulate' form}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %norm tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Nothing to write: no crash.

// CHECK-LABEL: func.func @no_gradient(
func.func @no_gradient(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norm = transform.structured.match ops{["norm.rms_norm_backward"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %norm tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
