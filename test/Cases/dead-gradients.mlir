// RUN: rudnn-opt %s --canonicalize | FileCheck %s

// A gradient without uses leaves the op, and the operand that only it read; an
// op without gradients goes.

// CHECK-LABEL: func.func @input_only(
// CHECK: norm.rms_norm_backward ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) input_grad(
// CHECK-NOT: weight_grad
// CHECK: return
func.func @input_only(%x: tensor<?x64xbf16>, %dy: tensor<?x64xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<64xf32>,
                      %dx0: tensor<?x64xbf16>, %dgamma0: tensor<64xf32>) -> tensor<?x64xbf16> {
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>, tensor<64xf32>)
      input_grad(%dx0 : tensor<?x64xbf16>) weight_grad(%dgamma0 : tensor<64xf32>)
      -> tensor<?x64xbf16>, tensor<64xf32>
  return %dx : tensor<?x64xbf16>
}

// CHECK-LABEL: func.func @weight_only(
// CHECK: norm.rms_norm_backward
// CHECK-SAME: ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>) weight_grad(
// CHECK-NOT: input_grad
// CHECK: return
func.func @weight_only(%x: tensor<?x64xbf16>, %dy: tensor<?x64xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<64xf32>,
                       %dx0: tensor<?x64xbf16>, %dgamma0: tensor<64xf32>) -> tensor<64xf32> {
  %dx, %dgamma = norm.rms_norm_backward gamma_offset(1.0)
      ins(%x, %dy, %rstd, %gamma : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>, tensor<64xf32>)
      input_grad(%dx0 : tensor<?x64xbf16>) weight_grad(%dgamma0 : tensor<64xf32>)
      -> tensor<?x64xbf16>, tensor<64xf32>
  return %dgamma : tensor<64xf32>
}

// CHECK-LABEL: func.func @neither(
// CHECK-NOT: norm.rms
// CHECK: return
func.func @neither(%x: tensor<?x64xbf16>, %dy: tensor<?x64xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<64xf32>,
                   %dx0: tensor<?x64xbf16>, %dgamma0: tensor<64xf32>) {
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>, tensor<64xf32>)
      input_grad(%dx0 : tensor<?x64xbf16>) weight_grad(%dgamma0 : tensor<64xf32>)
      -> tensor<?x64xbf16>, tensor<64xf32>
  %y, %r = norm.rms_norm epsilon(1.0e-05)
      ins(%x : tensor<?x64xbf16>) outs(%dx0, %rstd : tensor<?x64xbf16>, tensor<?xf32>)
      -> tensor<?x64xbf16>, tensor<?xf32>
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x64xbf16>, tensor<?x64xbf16>, tensor<?xf32>)
  return
}

// CHECK-LABEL: func.func @no_rstd(
// CHECK: norm.rms_norm epsilon({{1.0+e-0?5}}) ins(%{{[a-z0-9]+}} : tensor<?x64xbf16>) outs(%{{[a-z0-9]+}} : tensor<?x64xbf16>) -> tensor<?x64xbf16>
func.func @no_rstd(%x: tensor<?x64xbf16>, %y0: tensor<?x64xbf16>, %rstd0: tensor<?xf32>) -> tensor<?x64xbf16> {
  %y, %r = norm.rms_norm epsilon(1.0e-05)
      ins(%x : tensor<?x64xbf16>) outs(%y0, %rstd0 : tensor<?x64xbf16>, tensor<?xf32>)
      -> tensor<?x64xbf16>, tensor<?xf32>
  return %y : tensor<?x64xbf16>
}
