// Gemma 2 2B: hidden size 2304, epsilon 1e-6. The stored weight is centred on
// zero: the norm multiplies by 1 + gamma, which `gamma_offset(1.0)` says.
//
//   rudnn-runner gemma2-2b.mlir --entry=train --rows=1024 --check
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=forward --rows=101 --check
// RUN: rudnn-runner %s --entry=train --rows=101 --check

// CHECK-LABEL: func.func @forward
// CHECK: norm.rms_norm epsilon({{1.0+e-0?6}}) gamma_offset({{1.0+e\+0+}}) ins(
func.func @forward(%x: tensor<?x2304xbf16>, %gamma: tensor<2304xbf16>,
                   %y0: tensor<?x2304xbf16>) -> tensor<?x2304xbf16> {
  %y = norm.rms_norm epsilon(1.0e-06) gamma_offset(1.0)
      ins(%x, %gamma : tensor<?x2304xbf16>, tensor<2304xbf16>)
      outs(%y0 : tensor<?x2304xbf16>) -> tensor<?x2304xbf16>
  return %y : tensor<?x2304xbf16>
}

// CHECK-LABEL: func.func @train
// CHECK: norm.rms_norm_backward gamma_offset({{1.0+e\+0+}}) ins(
func.func @train(%x: tensor<?x2304xbf16>, %gamma: tensor<2304xbf16>, %dy: tensor<?x2304xbf16>)
    -> (tensor<?x2304xbf16>, tensor<?x2304xbf16>, tensor<2304xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x2304xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x2304xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %dx0 = tensor.empty(%rows) : tensor<?x2304xbf16>
  %dgamma0 = tensor.empty() : tensor<2304xbf16>
  %y, %rstd = norm.rms_norm epsilon(1.0e-06) gamma_offset(1.0)
      ins(%x, %gamma : tensor<?x2304xbf16>, tensor<2304xbf16>)
      outs(%y0, %rstd0 : tensor<?x2304xbf16>, tensor<?xf32>)
      -> tensor<?x2304xbf16>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward gamma_offset(1.0)
      ins(%x, %dy, %rstd, %gamma : tensor<?x2304xbf16>, tensor<?x2304xbf16>, tensor<?xf32>, tensor<2304xbf16>)
      input_grad(%dx0 : tensor<?x2304xbf16>) weight_grad(%dgamma0 : tensor<2304xbf16>)
      -> tensor<?x2304xbf16>, tensor<2304xbf16>
  return %y, %dx, %dgamma : tensor<?x2304xbf16>, tensor<?x2304xbf16>, tensor<2304xbf16>
}
