// Inference, shapes of Llama 3.2 1B (hidden size 2048, epsilon 1e-5): nobody
// needs rstd, so it is left out and neither computed into a buffer nor stored.
// `decode` is one token: add the block's output to the residual stream, then
// normalise. `prefill` is a prompt. `no_weight` is a norm that learnt no weight.
//
//   rudnn-runner inference.mlir --entry=decode --check
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=decode --check
// RUN: rudnn-runner %s --entry=prefill --rows=200 --check
// RUN: rudnn-runner %s --entry=no_weight --rows=200 --check

// CHECK-LABEL: func.func @decode
// CHECK: linalg.add
// CHECK: norm.rms_norm epsilon({{1.0+e-0?5}}) ins(%{{.*}}, %{{.*}} : tensor<1x2048xf16>, tensor<2048xf16>) outs(%{{.*}} : tensor<1x2048xf16>) -> tensor<1x2048xf16>
func.func @decode(%residual: tensor<1x2048xf16>, %block: tensor<1x2048xf16>, %gamma: tensor<2048xf16>)
    -> (tensor<1x2048xf16>, tensor<1x2048xf16>) {
  %empty = tensor.empty() : tensor<1x2048xf16>
  %sum = linalg.add ins(%residual, %block : tensor<1x2048xf16>, tensor<1x2048xf16>)
      outs(%empty : tensor<1x2048xf16>) -> tensor<1x2048xf16>
  %y = norm.rms_norm epsilon(1.0e-05)
      ins(%sum, %gamma : tensor<1x2048xf16>, tensor<2048xf16>)
      outs(%empty : tensor<1x2048xf16>) -> tensor<1x2048xf16>
  return %y, %sum : tensor<1x2048xf16>, tensor<1x2048xf16>
}

// CHECK-LABEL: func.func @prefill
func.func @prefill(%x: tensor<?x2048xf16>, %gamma: tensor<2048xf16>) -> tensor<?x2048xf16> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x2048xf16>
  %y0 = tensor.empty(%rows) : tensor<?x2048xf16>
  %y = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x2048xf16>, tensor<2048xf16>)
      outs(%y0 : tensor<?x2048xf16>) -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}

// CHECK-LABEL: func.func @no_weight
// CHECK: norm.rms_norm epsilon({{1.0+e-0?5}}) ins(%{{[a-z0-9]+}} : tensor<?x2048xf16>) outs(
func.func @no_weight(%x: tensor<?x2048xf16>, %y0: tensor<?x2048xf16>) -> tensor<?x2048xf16> {
  %y = norm.rms_norm epsilon(1.0e-05)
      ins(%x : tensor<?x2048xf16>) outs(%y0 : tensor<?x2048xf16>) -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}
