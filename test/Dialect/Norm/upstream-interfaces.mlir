// RUN: rudnn-opt %s --transform-interpreter --canonicalize | FileCheck %s --check-prefix=DECOMPOSE
// RUN: rudnn-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=DIMS

// Upstream's passes and transforms drive the ops through their interfaces:
// AggregatedOpInterface and ReifyRankedShapedTypeOpInterface.

// DECOMPOSE-LABEL: func.func @forward(
// DECOMPOSE-NOT: norm.rms_norm
// DECOMPOSE-COUNT-3: linalg.generic
// DECOMPOSE-NOT: linalg.generic
// DECOMPOSE: return
func.func @forward(%x: tensor<8x?xf32>, %y0: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x?xf32>) outs(%y0 : tensor<8x?xf32>) {decompose} -> tensor<8x?xf32>
  return %y : tensor<8x?xf32>
}

// DECOMPOSE-LABEL: func.func @weight_grad(
// DECOMPOSE-NOT: norm.rms_norm
// DECOMPOSE-COUNT-1: linalg.generic
// DECOMPOSE-NOT: linalg.generic
// DECOMPOSE: return
func.func @weight_grad(%x: tensor<8x?xf32>, %rstd: tensor<8xf32>, %dw0: tensor<?xf32>) -> tensor<?xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<8x?xf32>, tensor<8x?xf32>, tensor<8xf32>) weight_grad(%dw0 : tensor<?xf32>) {decompose} -> tensor<?xf32>
  return %dw : tensor<?xf32>
}

// DIMS-LABEL: func.func @forward_sizes(
// DIMS-SAME: %{{[a-z0-9]+}}: tensor<?x?xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x?xf32>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>
// DIMS-DAG: %[[M:.+]] = tensor.dim %[[Y0]], %c0
// DIMS-DAG: %[[N:.+]] = tensor.dim %[[Y0]], %c1
// DIMS-DAG: %[[R:.+]] = tensor.dim %[[RSTD0]], %c0
// DIMS: return %{{.+}}, %[[M]], %[[N]], %[[R]]
func.func @forward_sizes(%x: tensor<?x?xf32>, %y0: tensor<?x?xf32>, %rstd0: tensor<?xf32>) -> (tensor<?x?xf32>, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x?xf32>) outs(%y0, %rstd0 : tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>, tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  %r = tensor.dim %rstd, %c0 : tensor<?xf32>
  return %y, %m, %n, %r : tensor<?x?xf32>, index, index, index
}

// DIMS-LABEL: func.func @backward_sizes(
// DIMS-SAME: %[[DW0:[a-z0-9]+]]: tensor<?xf32>)
// DIMS: %[[N:.+]] = tensor.dim %[[DW0]], %c0
// DIMS: return %{{.+}}, %[[N]]
func.func @backward_sizes(%x: tensor<8x?xf32>, %rstd: tensor<8xf32>, %dw0: tensor<?xf32>) -> (tensor<8x?xf32>, tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x?xf32>, tensor<8x?xf32>, tensor<8xf32>) input_grad(%x : tensor<8x?xf32>) weight_grad(%dw0 : tensor<?xf32>) -> tensor<8x?xf32>, tensor<?xf32>
  %n = tensor.dim %dw, %c0 : tensor<?xf32>
  return %dx, %dw, %n : tensor<8x?xf32>, tensor<?xf32>, index
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %norms = transform.structured.match attributes{decompose} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %norms : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
