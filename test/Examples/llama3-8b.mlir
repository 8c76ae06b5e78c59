// Llama 3 8B: RMSNorm over a hidden size of 4096, weights in bf16, epsilon 1e-5.
// `forward` and `backward` are what a framework calls in two places, the
// backward with buffers that the caller provides; `train` is both in one.
//
//   rudnn-runner llama3-8b.mlir --entry=train --rows=2048 --check
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=forward --rows=300 --check
// RUN: rudnn-runner %s --entry=backward --rows=300 --check
// RUN: rudnn-runner %s --entry=train --rows=65 --check

// CHECK-LABEL: func.func @forward
// CHECK: norm.rms_norm epsilon({{1.0+e-0?5}}) ins(%{{.*}}, %{{.*}} : tensor<?x4096xbf16>, tensor<4096xbf16>) outs(%{{.*}}, %{{.*}} : tensor<?x4096xbf16>, tensor<?xf32>) -> tensor<?x4096xbf16>, tensor<?xf32>
func.func @forward(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xbf16>)
    -> (tensor<?x4096xbf16>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4096xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x4096xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xbf16>)
      outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>)
      -> tensor<?x4096xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x4096xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @backward
// CHECK: norm.rms_norm_backward ins(
// CHECK-SAME: input_grad(%{{.*}} : tensor<?x4096xbf16>) weight_grad(%{{.*}} : tensor<4096xbf16>) -> tensor<?x4096xbf16>, tensor<4096xbf16>
func.func @backward(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>,
                    %rstd: tensor<?xf32>, %gamma: tensor<4096xbf16>,
                    %dx0: tensor<?x4096xbf16>, %dgamma0: tensor<4096xbf16>)
    -> (tensor<?x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xbf16>)
      input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dgamma0 : tensor<4096xbf16>)
      -> tensor<?x4096xbf16>, tensor<4096xbf16>
  return %dx, %dgamma : tensor<?x4096xbf16>, tensor<4096xbf16>
}

// CHECK-LABEL: func.func @train
func.func @train(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xbf16>, %dy: tensor<?x4096xbf16>)
    -> (tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<4096xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4096xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x4096xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %dx0 = tensor.empty(%rows) : tensor<?x4096xbf16>
  %dgamma0 = tensor.empty() : tensor<4096xbf16>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xbf16>)
      outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>)
      -> tensor<?x4096xbf16>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xbf16>)
      input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dgamma0 : tensor<4096xbf16>)
      -> tensor<?x4096xbf16>, tensor<4096xbf16>
  return %y, %dx, %dgamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<4096xbf16>
}
