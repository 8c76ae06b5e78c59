// SmolLM2 135M on real text: the norm before the LM head (hidden size 576,
// epsilon 1e-5) with the trained weight, on the hidden states of two paragraphs
// of a book and the gradient that their cross-entropy sends back. data/README.md
// tells where these come from. Each row is one token.
//
//   rudnn-runner smollm2-real.mlir --entry=train_bf16 --check \
//       --input=0=data/hidden_bf16.npy --input=1=data/gamma_bf16.npy \
//       --input=2=data/grad_bf16.npy
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=forward_bf16 --check --input=0=%S/data/hidden_bf16.npy --input=1=%S/data/gamma_bf16.npy
// RUN: rudnn-runner %s --entry=train_bf16 --check --input=0=%S/data/hidden_bf16.npy --input=1=%S/data/gamma_bf16.npy --input=2=%S/data/grad_bf16.npy
// RUN: rudnn-runner %s --entry=train_f32 --check --input=0=%S/data/hidden_f32.npy --input=1=%S/data/gamma_f32.npy --input=2=%S/data/grad_f32.npy
// RUN: rudnn-runner %s --entry=train_mixed --check --input=0=%S/data/hidden_bf16.npy --input=1=%S/data/gamma_f32.npy --input=2=%S/data/grad_f32.npy

// CHECK-LABEL: func.func @forward_bf16
// CHECK: norm.rms_norm epsilon({{1.0+e-0?5}}) ins(%{{.*}}, %{{.*}} : tensor<?x576xbf16>, tensor<576xbf16>)
func.func @forward_bf16(%x: tensor<?x576xbf16>, %gamma: tensor<576xbf16>)
    -> (tensor<?x576xbf16>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x576xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x576xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x576xbf16>, tensor<576xbf16>)
      outs(%y0, %rstd0 : tensor<?x576xbf16>, tensor<?xf32>)
      -> tensor<?x576xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x576xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @train_bf16
// CHECK: norm.rms_norm_backward
func.func @train_bf16(%x: tensor<?x576xbf16>, %gamma: tensor<576xbf16>, %dy: tensor<?x576xbf16>)
    -> (tensor<?x576xbf16>, tensor<?x576xbf16>, tensor<576xbf16>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x576xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x576xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %dx0 = tensor.empty(%rows) : tensor<?x576xbf16>
  %dgamma0 = tensor.empty() : tensor<576xbf16>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x576xbf16>, tensor<576xbf16>)
      outs(%y0, %rstd0 : tensor<?x576xbf16>, tensor<?xf32>)
      -> tensor<?x576xbf16>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x576xbf16>, tensor<?x576xbf16>, tensor<?xf32>, tensor<576xbf16>)
      input_grad(%dx0 : tensor<?x576xbf16>) weight_grad(%dgamma0 : tensor<576xbf16>)
      -> tensor<?x576xbf16>, tensor<576xbf16>
  return %y, %dx, %dgamma : tensor<?x576xbf16>, tensor<?x576xbf16>, tensor<576xbf16>
}

// CHECK-LABEL: func.func @train_f32
// CHECK: norm.rms_norm_backward
func.func @train_f32(%x: tensor<?x576xf32>, %gamma: tensor<576xf32>, %dy: tensor<?x576xf32>)
    -> (tensor<?x576xf32>, tensor<?x576xf32>, tensor<576xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x576xf32>
  %y0 = tensor.empty(%rows) : tensor<?x576xf32>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %dx0 = tensor.empty(%rows) : tensor<?x576xf32>
  %dgamma0 = tensor.empty() : tensor<576xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x576xf32>, tensor<576xf32>)
      outs(%y0, %rstd0 : tensor<?x576xf32>, tensor<?xf32>)
      -> tensor<?x576xf32>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x576xf32>, tensor<?x576xf32>, tensor<?xf32>, tensor<576xf32>)
      input_grad(%dx0 : tensor<?x576xf32>) weight_grad(%dgamma0 : tensor<576xf32>)
      -> tensor<?x576xf32>, tensor<576xf32>
  return %y, %dx, %dgamma : tensor<?x576xf32>, tensor<?x576xf32>, tensor<576xf32>
}

// Activations in bf16, weight and gradient in f32.
// CHECK-LABEL: func.func @train_mixed
// CHECK: norm.rms_norm_backward
func.func @train_mixed(%x: tensor<?x576xbf16>, %gamma: tensor<576xf32>, %dy: tensor<?x576xf32>)
    -> (tensor<?x576xbf16>, tensor<?x576xbf16>, tensor<576xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x576xbf16>
  %y0 = tensor.empty(%rows) : tensor<?x576xbf16>
  %rstd0 = tensor.empty(%rows) : tensor<?xf32>
  %dx0 = tensor.empty(%rows) : tensor<?x576xbf16>
  %dgamma0 = tensor.empty() : tensor<576xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x576xbf16>, tensor<576xf32>)
      outs(%y0, %rstd0 : tensor<?x576xbf16>, tensor<?xf32>)
      -> tensor<?x576xbf16>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x576xbf16>, tensor<?x576xf32>, tensor<?xf32>, tensor<576xf32>)
      input_grad(%dx0 : tensor<?x576xbf16>) weight_grad(%dgamma0 : tensor<576xf32>)
      -> tensor<?x576xbf16>, tensor<576xf32>
  return %y, %dx, %dgamma : tensor<?x576xbf16>, tensor<?x576xbf16>, tensor<576xf32>
}
