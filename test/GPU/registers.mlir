// REQUIRES: ptxas
// RUN: rudnn-opt %s --norm-to-nvvm="chip=sm_90 format=bin" -o %t.mlir
// RUN: grep -o "kernel_metadata<.*stack_bytes = [0-9]*" %t.mlir | FileCheck %s

// The kernels of the chosen schedules on aligned buffers keep everything in
// registers; those with a weight gradient that several blocks share spill a few,
// and are faster so than with fewer threads that need not.

// CHECK: "forward_256_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_256(%x: tensor<?x256xbf16>, %gamma: tensor<256xbf16>, %y0: tensor<?x256xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x256xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x256xbf16>, tensor<256xbf16>) outs(%y0, %rstd0 : tensor<?x256xbf16>, tensor<?xf32>) -> tensor<?x256xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x256xbf16>, tensor<?xf32>
}

// CHECK: "forward_512_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_512(%x: tensor<?x512xbf16>, %gamma: tensor<512xbf16>, %y0: tensor<?x512xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x512xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x512xbf16>, tensor<512xbf16>) outs(%y0, %rstd0 : tensor<?x512xbf16>, tensor<?xf32>) -> tensor<?x512xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x512xbf16>, tensor<?xf32>
}

// CHECK: "forward_1024_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_1024(%x: tensor<?x1024xbf16>, %gamma: tensor<1024xbf16>, %y0: tensor<?x1024xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x1024xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x1024xbf16>, tensor<1024xbf16>) outs(%y0, %rstd0 : tensor<?x1024xbf16>, tensor<?xf32>) -> tensor<?x1024xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x1024xbf16>, tensor<?xf32>
}

// CHECK: "forward_2048_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_2048(%x: tensor<?x2048xbf16>, %gamma: tensor<2048xbf16>, %y0: tensor<?x2048xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x2048xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x2048xbf16>, tensor<2048xbf16>) outs(%y0, %rstd0 : tensor<?x2048xbf16>, tensor<?xf32>) -> tensor<?x2048xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x2048xbf16>, tensor<?xf32>
}

// CHECK: "forward_4096_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_4096(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xbf16>, %y0: tensor<?x4096xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x4096xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xbf16>) outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>) -> tensor<?x4096xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x4096xbf16>, tensor<?xf32>
}

// CHECK: "forward_8192_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_8192(%x: tensor<?x8192xbf16>, %gamma: tensor<8192xbf16>, %y0: tensor<?x8192xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x8192xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x8192xbf16>, tensor<8192xbf16>) outs(%y0, %rstd0 : tensor<?x8192xbf16>, tensor<?xf32>) -> tensor<?x8192xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x8192xbf16>, tensor<?xf32>
}

// CHECK: "forward_16384_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_16384(%x: tensor<?x16384xbf16>, %gamma: tensor<16384xbf16>, %y0: tensor<?x16384xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x16384xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x16384xbf16>, tensor<16384xbf16>) outs(%y0, %rstd0 : tensor<?x16384xbf16>, tensor<?xf32>) -> tensor<?x16384xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x16384xbf16>, tensor<?xf32>
}

// CHECK: "forward_32768_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_32768(%x: tensor<?x32768xbf16>, %gamma: tensor<32768xbf16>, %y0: tensor<?x32768xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x32768xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x32768xbf16>, tensor<32768xbf16>) outs(%y0, %rstd0 : tensor<?x32768xbf16>, tensor<?xf32>) -> tensor<?x32768xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x32768xbf16>, tensor<?xf32>
}

// CHECK: "forward_65536_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_65536(%x: tensor<?x65536xbf16>, %gamma: tensor<65536xbf16>, %y0: tensor<?x65536xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x65536xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x65536xbf16>, tensor<65536xbf16>) outs(%y0, %rstd0 : tensor<?x65536xbf16>, tensor<?xf32>) -> tensor<?x65536xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x65536xbf16>, tensor<?xf32>
}

// CHECK: "forward_131072_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_131072(%x: tensor<?x131072xbf16>, %gamma: tensor<131072xbf16>, %y0: tensor<?x131072xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x131072xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x131072xbf16>, tensor<131072xbf16>) outs(%y0, %rstd0 : tensor<?x131072xbf16>, tensor<?xf32>) -> tensor<?x131072xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x131072xbf16>, tensor<?xf32>
}

// CHECK: "forward_262144_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @forward_262144(%x: tensor<?x262144xbf16>, %gamma: tensor<262144xbf16>, %y0: tensor<?x262144xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x262144xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x262144xbf16>, tensor<262144xbf16>) outs(%y0, %rstd0 : tensor<?x262144xbf16>, tensor<?xf32>) -> tensor<?x262144xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x262144xbf16>, tensor<?xf32>
}

// CHECK: "backward_256_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_256(%x: tensor<?x256xbf16>, %dy: tensor<?x256xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<256xbf16>, %dx0: tensor<?x256xbf16>, %dw0: tensor<256xbf16>) -> (tensor<?x256xbf16>, tensor<256xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?xf32>, tensor<256xbf16>) input_grad(%dx0 : tensor<?x256xbf16>) weight_grad(%dw0 : tensor<256xbf16>) -> tensor<?x256xbf16>, tensor<256xbf16>
  return %dx, %dw : tensor<?x256xbf16>, tensor<256xbf16>
}

// CHECK: "backward_512_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_512(%x: tensor<?x512xbf16>, %dy: tensor<?x512xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<512xbf16>, %dx0: tensor<?x512xbf16>, %dw0: tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?xf32>, tensor<512xbf16>) input_grad(%dx0 : tensor<?x512xbf16>) weight_grad(%dw0 : tensor<512xbf16>) -> tensor<?x512xbf16>, tensor<512xbf16>
  return %dx, %dw : tensor<?x512xbf16>, tensor<512xbf16>
}

// CHECK: "backward_1024_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_1024(%x: tensor<?x1024xbf16>, %dy: tensor<?x1024xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<1024xbf16>, %dx0: tensor<?x1024xbf16>, %dw0: tensor<1024xbf16>) -> (tensor<?x1024xbf16>, tensor<1024xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?xf32>, tensor<1024xbf16>) input_grad(%dx0 : tensor<?x1024xbf16>) weight_grad(%dw0 : tensor<1024xbf16>) -> tensor<?x1024xbf16>, tensor<1024xbf16>
  return %dx, %dw : tensor<?x1024xbf16>, tensor<1024xbf16>
}

// CHECK: "backward_2048_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_2048(%x: tensor<?x2048xbf16>, %dy: tensor<?x2048xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<2048xbf16>, %dx0: tensor<?x2048xbf16>, %dw0: tensor<2048xbf16>) -> (tensor<?x2048xbf16>, tensor<2048xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x2048xbf16>, tensor<?x2048xbf16>, tensor<?xf32>, tensor<2048xbf16>) input_grad(%dx0 : tensor<?x2048xbf16>) weight_grad(%dw0 : tensor<2048xbf16>) -> tensor<?x2048xbf16>, tensor<2048xbf16>
  return %dx, %dw : tensor<?x2048xbf16>, tensor<2048xbf16>
}

// CHECK: "backward_4096_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_4096(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xbf16>, %dx0: tensor<?x4096xbf16>, %dw0: tensor<4096xbf16>) -> (tensor<?x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xbf16>) input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<?x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<?x4096xbf16>, tensor<4096xbf16>
}

// CHECK: "backward_8192_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_8192(%x: tensor<?x8192xbf16>, %dy: tensor<?x8192xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<8192xbf16>, %dx0: tensor<?x8192xbf16>, %dw0: tensor<8192xbf16>) -> (tensor<?x8192xbf16>, tensor<8192xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x8192xbf16>, tensor<?x8192xbf16>, tensor<?xf32>, tensor<8192xbf16>) input_grad(%dx0 : tensor<?x8192xbf16>) weight_grad(%dw0 : tensor<8192xbf16>) -> tensor<?x8192xbf16>, tensor<8192xbf16>
  return %dx, %dw : tensor<?x8192xbf16>, tensor<8192xbf16>
}

// CHECK: "backward_16384_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_16384(%x: tensor<?x16384xbf16>, %dy: tensor<?x16384xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<16384xbf16>, %dx0: tensor<?x16384xbf16>, %dw0: tensor<16384xbf16>) -> (tensor<?x16384xbf16>, tensor<16384xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x16384xbf16>, tensor<?x16384xbf16>, tensor<?xf32>, tensor<16384xbf16>) input_grad(%dx0 : tensor<?x16384xbf16>) weight_grad(%dw0 : tensor<16384xbf16>) -> tensor<?x16384xbf16>, tensor<16384xbf16>
  return %dx, %dw : tensor<?x16384xbf16>, tensor<16384xbf16>
}

// CHECK: "backward_32768_kernel_0"{{.*}} spill_store_bytes = 0 : i64
func.func @backward_32768(%x: tensor<?x32768xbf16>, %dy: tensor<?x32768xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<32768xbf16>, %dx0: tensor<?x32768xbf16>, %dw0: tensor<32768xbf16>) -> (tensor<?x32768xbf16>, tensor<32768xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x32768xbf16>, tensor<?x32768xbf16>, tensor<?xf32>, tensor<32768xbf16>) input_grad(%dx0 : tensor<?x32768xbf16>) weight_grad(%dw0 : tensor<32768xbf16>) -> tensor<?x32768xbf16>, tensor<32768xbf16>
  return %dx, %dw : tensor<?x32768xbf16>, tensor<32768xbf16>
}

// CHECK: "backward_65536_kernel_0"{{.*}} spill_store_bytes = {{0|8|16}} : i64
func.func @backward_65536(%x: tensor<?x65536xbf16>, %dy: tensor<?x65536xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<65536xbf16>, %dx0: tensor<?x65536xbf16>, %dw0: tensor<65536xbf16>) -> (tensor<?x65536xbf16>, tensor<65536xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x65536xbf16>, tensor<?x65536xbf16>, tensor<?xf32>, tensor<65536xbf16>) input_grad(%dx0 : tensor<?x65536xbf16>) weight_grad(%dw0 : tensor<65536xbf16>) -> tensor<?x65536xbf16>, tensor<65536xbf16>
  return %dx, %dw : tensor<?x65536xbf16>, tensor<65536xbf16>
}

// CHECK: "backward_131072_kernel_0"{{.*}} spill_store_bytes = {{0|8|16}} : i64
func.func @backward_131072(%x: tensor<?x131072xbf16>, %dy: tensor<?x131072xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<131072xbf16>, %dx0: tensor<?x131072xbf16>, %dw0: tensor<131072xbf16>) -> (tensor<?x131072xbf16>, tensor<131072xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x131072xbf16>, tensor<?x131072xbf16>, tensor<?xf32>, tensor<131072xbf16>) input_grad(%dx0 : tensor<?x131072xbf16>) weight_grad(%dw0 : tensor<131072xbf16>) -> tensor<?x131072xbf16>, tensor<131072xbf16>
  return %dx, %dw : tensor<?x131072xbf16>, tensor<131072xbf16>
}

// CHECK: "backward_262144_kernel_0"{{.*}} spill_store_bytes = {{0|8|16}} : i64
func.func @backward_262144(%x: tensor<?x262144xbf16>, %dy: tensor<?x262144xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<262144xbf16>, %dx0: tensor<?x262144xbf16>, %dw0: tensor<262144xbf16>) -> (tensor<?x262144xbf16>, tensor<262144xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x262144xbf16>, tensor<?x262144xbf16>, tensor<?xf32>, tensor<262144xbf16>) input_grad(%dx0 : tensor<?x262144xbf16>) weight_grad(%dw0 : tensor<262144xbf16>) -> tensor<?x262144xbf16>, tensor<262144xbf16>
  return %dx, %dw : tensor<?x262144xbf16>, tensor<262144xbf16>
}

// Few rows: both kinds of blocks in one kernel.

// CHECK: "backward_16_4096_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_16_4096(%x: tensor<16x4096xbf16>, %dy: tensor<16x4096xbf16>, %rstd: tensor<16xf32>, %gamma: tensor<4096xbf16>, %dx0: tensor<16x4096xbf16>, %dw0: tensor<4096xbf16>) -> (tensor<16x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<16x4096xbf16>, tensor<16x4096xbf16>, tensor<16xf32>, tensor<4096xbf16>) input_grad(%dx0 : tensor<16x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<16x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<16x4096xbf16>, tensor<4096xbf16>
}

// CHECK: "backward_128_4096_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @backward_128_4096(%x: tensor<128x4096xbf16>, %dy: tensor<128x4096xbf16>, %rstd: tensor<128xf32>, %gamma: tensor<4096xbf16>, %dx0: tensor<128x4096xbf16>, %dw0: tensor<4096xbf16>) -> (tensor<128x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<128x4096xbf16>, tensor<128x4096xbf16>, tensor<128xf32>, tensor<4096xbf16>) input_grad(%dx0 : tensor<128x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<128x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<128x4096xbf16>, tensor<4096xbf16>
}

// The weight gradient alone, in strips.

// CHECK: "weight_gradient_65536_kernel_0"{{.*}} spill_load_bytes = 0 : i64, spill_store_bytes = 0 : i64, stack_bytes = 0
func.func @weight_gradient_65536(%x: tensor<?x65536xbf16>, %dy: tensor<?x65536xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<65536xbf16>) -> tensor<65536xbf16> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x65536xbf16>, tensor<?x65536xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<65536xbf16>) -> tensor<65536xbf16>
  return %dw : tensor<65536xbf16>
}
