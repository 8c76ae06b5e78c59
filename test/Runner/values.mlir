// Every fill, forward and backward, compiled and compared with the reference: all
// of it to the strict tolerance, for all operands are inputs.
//
// RUN: rudnn-runner %s --rows=7 --check --fill=normal | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=positive | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=zeros | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=ones --fill=1=zeros | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=signs --fill=2=zeros | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=large | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=tiny | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=small | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=spike | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=scales | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=nan | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=inf | FileCheck %s
// RUN: rudnn-runner %s --rows=7 --check --fill=zero-row | FileCheck %s
// RUN: rudnn-runner %s --rows=0 --check | FileCheck %s --check-prefix=EMPTY
//
// CHECK: result 0 (y): ok, f16 [7, 3001], {{.*}} of the strict tolerance
// CHECK: result 1 (rstd): ok, f32 [7], {{.*}} of the strict tolerance
// CHECK: result 2 (input_grad): ok, f16 [7, 3001], {{.*}} of the strict tolerance
// CHECK: result 3 (weight_grad): ok, f32 [3001], {{.*}} of the strict tolerance
// EMPTY: result 0 (y): ok, f16 [0, 3001], no elements
// EMPTY: result 3 (weight_grad): ok, f32 [3001], max error 0
func.func @train(%x: tensor<?x3001xf16>, %gamma: tensor<3001xf32>, %dy: tensor<?x3001xbf16>,
                 %y0: tensor<?x3001xf16>, %rstd0: tensor<?xf32>,
                 %dx0: tensor<?x3001xf16>, %dgamma0: tensor<3001xf32>)
    -> (tensor<?x3001xf16>, tensor<?xf32>, tensor<?x3001xf16>, tensor<3001xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-06)
      ins(%x, %gamma : tensor<?x3001xf16>, tensor<3001xf32>)
      outs(%y0, %rstd0 : tensor<?x3001xf16>, tensor<?xf32>)
      -> tensor<?x3001xf16>, tensor<?xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<?x3001xf16>, tensor<?x3001xbf16>, tensor<?xf32>, tensor<3001xf32>)
      input_grad(%dx0 : tensor<?x3001xf16>) weight_grad(%dgamma0 : tensor<3001xf32>)
      -> tensor<?x3001xf16>, tensor<3001xf32>
  return %y, %rstd, %dx, %dgamma
      : tensor<?x3001xf16>, tensor<?xf32>, tensor<?x3001xf16>, tensor<3001xf32>
}
