// Qwen3 8B: every head of the queries (32) and of the keys (8) is normalised by
// itself over 128 columns, before the rotary embedding; epsilon 1e-6. All heads
// share one weight. `from_qkv` reads q and k in place out of what one projection
// wrote (32 + 8 + 8 heads a token), and leaves v alone.
//
//   rudnn-runner qwen3-qk-norm.mlir --entry=qk_norm --rows=1024 --check
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=qk_norm --rows=77 --check
// RUN: rudnn-runner %s --entry=qk_norm_backward --rows=77 --check
// RUN: rudnn-runner %s --entry=from_qkv --rows=77 --check

// CHECK-LABEL: func.func @qk_norm(
// CHECK: norm.rms_norm epsilon({{1.0+e-0?6}}) ins(
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<?x32x128xbf16>, tensor<?x32xf32>)
// CHECK: norm.rms_norm
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<?x8x128xbf16>, tensor<?x8xf32>)
func.func @qk_norm(%q: tensor<?x32x128xbf16>, %k: tensor<?x8x128xbf16>,
                   %q_gamma: tensor<128xbf16>, %k_gamma: tensor<128xbf16>)
    -> (tensor<?x32x128xbf16>, tensor<?x32xf32>, tensor<?x8x128xbf16>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %q, %c0 : tensor<?x32x128xbf16>
  %qn0 = tensor.empty(%tokens) : tensor<?x32x128xbf16>
  %kn0 = tensor.empty(%tokens) : tensor<?x8x128xbf16>
  %q_rstd0 = tensor.empty(%tokens) : tensor<?x32xf32>
  %k_rstd0 = tensor.empty(%tokens) : tensor<?x8xf32>
  %qn, %q_rstd = norm.rms_norm epsilon(1.0e-06)
      ins(%q, %q_gamma : tensor<?x32x128xbf16>, tensor<128xbf16>)
      outs(%qn0, %q_rstd0 : tensor<?x32x128xbf16>, tensor<?x32xf32>)
      -> tensor<?x32x128xbf16>, tensor<?x32xf32>
  %kn, %k_rstd = norm.rms_norm epsilon(1.0e-06)
      ins(%k, %k_gamma : tensor<?x8x128xbf16>, tensor<128xbf16>)
      outs(%kn0, %k_rstd0 : tensor<?x8x128xbf16>, tensor<?x8xf32>)
      -> tensor<?x8x128xbf16>, tensor<?x8xf32>
  return %qn, %q_rstd, %kn, %k_rstd
      : tensor<?x32x128xbf16>, tensor<?x32xf32>, tensor<?x8x128xbf16>, tensor<?x8xf32>
}

// The gradients of both, into buffers that the caller provides.
// CHECK-LABEL: func.func @qk_norm_backward(
// CHECK-COUNT-2: norm.rms_norm_backward
func.func @qk_norm_backward(
    %q: tensor<?x32x128xbf16>, %dqn: tensor<?x32x128xbf16>, %q_rstd: tensor<?x32xf32>,
    %k: tensor<?x8x128xbf16>, %dkn: tensor<?x8x128xbf16>, %k_rstd: tensor<?x8xf32>,
    %q_gamma: tensor<128xbf16>, %k_gamma: tensor<128xbf16>,
    %dq0: tensor<?x32x128xbf16>, %dk0: tensor<?x8x128xbf16>,
    %dq_gamma0: tensor<128xbf16>, %dk_gamma0: tensor<128xbf16>)
    -> (tensor<?x32x128xbf16>, tensor<?x8x128xbf16>, tensor<128xbf16>, tensor<128xbf16>) {
  %dq, %dq_gamma = norm.rms_norm_backward
      ins(%q, %dqn, %q_rstd, %q_gamma : tensor<?x32x128xbf16>, tensor<?x32x128xbf16>, tensor<?x32xf32>, tensor<128xbf16>)
      input_grad(%dq0 : tensor<?x32x128xbf16>) weight_grad(%dq_gamma0 : tensor<128xbf16>)
      -> tensor<?x32x128xbf16>, tensor<128xbf16>
  %dk, %dk_gamma = norm.rms_norm_backward
      ins(%k, %dkn, %k_rstd, %k_gamma : tensor<?x8x128xbf16>, tensor<?x8x128xbf16>, tensor<?x8xf32>, tensor<128xbf16>)
      input_grad(%dk0 : tensor<?x8x128xbf16>) weight_grad(%dk_gamma0 : tensor<128xbf16>)
      -> tensor<?x8x128xbf16>, tensor<128xbf16>
  return %dq, %dk, %dq_gamma, %dk_gamma
      : tensor<?x32x128xbf16>, tensor<?x8x128xbf16>, tensor<128xbf16>, tensor<128xbf16>
}

// CHECK-LABEL: func.func @from_qkv(
func.func @from_qkv(%qkv: tensor<?x48x128xbf16>,
                    %q_gamma: tensor<128xbf16>, %k_gamma: tensor<128xbf16>)
    -> (tensor<?x32x128xbf16>, tensor<?x8x128xbf16>) {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %qkv, %c0 : tensor<?x48x128xbf16>
  %q = tensor.extract_slice %qkv[0, 0, 0] [%tokens, 32, 128] [1, 1, 1]
      : tensor<?x48x128xbf16> to tensor<?x32x128xbf16>
  %k = tensor.extract_slice %qkv[0, 32, 0] [%tokens, 8, 128] [1, 1, 1]
      : tensor<?x48x128xbf16> to tensor<?x8x128xbf16>
  %qn0 = tensor.empty(%tokens) : tensor<?x32x128xbf16>
  %kn0 = tensor.empty(%tokens) : tensor<?x8x128xbf16>
  %qn = norm.rms_norm epsilon(1.0e-06)
      ins(%q, %q_gamma : tensor<?x32x128xbf16>, tensor<128xbf16>)
      outs(%qn0 : tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16>
  %kn = norm.rms_norm epsilon(1.0e-06)
      ins(%k, %k_gamma : tensor<?x8x128xbf16>, tensor<128xbf16>)
      outs(%kn0 : tensor<?x8x128xbf16>) -> tensor<?x8x128xbf16>
  return %qn, %kn : tensor<?x32x128xbf16>, tensor<?x8x128xbf16>
}
