// T5 base: the layer norm of T5 has no mean and no bias, which makes it an
// RMSNorm; hidden size 768, all in f32, epsilon 1e-6. Batches of sequences, so
// x has three axes and rstd two. `freeze_weight` is fine-tuning with the norms
// frozen: only the input gradient is asked for and only that is computed.
//
//   rudnn-runner t5-base.mlir --entry=train --rows=16 --check
//
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-runner %s --entry=train --rows=3 --check
// RUN: rudnn-runner %s --entry=freeze_weight --rows=3 --check

// CHECK-LABEL: func.func @train
// CHECK: norm.rms_norm epsilon({{1.0+e-0?6}}) ins(%{{.*}}, %{{.*}} : tensor<?x64x768xf32>, tensor<768xf32>) outs(%{{.*}}, %{{.*}} : tensor<?x64x768xf32>, tensor<?x64xf32>)
func.func @train(%x: tensor<?x64x768xf32>, %gamma: tensor<768xf32>, %dy: tensor<?x64x768xf32>)
    -> (tensor<?x64x768xf32>, tensor<?x64xf32>, tensor<?x64x768xf32>, tensor<768xf32>) {
  %c0 = arith.constant 0 : index
  %batch = tensor.dim %x, %c0 : tensor<?x64x768xf32>
  %y0 = tensor.empty(%batch) : tensor<?x64x768xf32>
  %rstd0 = tensor.empty(%batch) : tensor<?x64xf32>
  %dx0 = tensor.empty(%batch) : tensor<?x64x768xf32>
  %dgamma0 = tensor.empty() : tensor<768xf32>
  %y, %rstd = norm.rms_norm epsilon(1.0e-06)
      ins(%x, %gamma : tensor<?x64x768xf32>, tensor<768xf32>)
      outs(%y0, %rstd0 : tensor<?x64x768xf32>, tensor<?x64xf32>)
      -> tensor<?x64x768xf32>, tensor<?x64xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x64x768xf32>, tensor<?x64x768xf32>, tensor<?x64xf32>, tensor<768xf32>)
      input_grad(%dx0 : tensor<?x64x768xf32>) weight_grad(%dgamma0 : tensor<768xf32>)
      -> tensor<?x64x768xf32>, tensor<768xf32>
  return %y, %rstd, %dx, %dgamma
      : tensor<?x64x768xf32>, tensor<?x64xf32>, tensor<?x64x768xf32>, tensor<768xf32>
}

// CHECK-LABEL: func.func @freeze_weight
// CHECK: norm.rms_norm_backward
// CHECK-NOT: weight_grad
// CHECK: return
func.func @freeze_weight(%x: tensor<?x64x768xf32>, %dy: tensor<?x64x768xf32>,
                         %rstd: tensor<?x64xf32>, %gamma: tensor<768xf32>,
                         %dx0: tensor<?x64x768xf32>) -> tensor<?x64x768xf32> {
  %dx = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x64x768xf32>, tensor<?x64x768xf32>, tensor<?x64xf32>, tensor<768xf32>)
      input_grad(%dx0 : tensor<?x64x768xf32>) -> tensor<?x64x768xf32>
  return %dx : tensor<?x64x768xf32>
}
