// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_86" --verify-diagnostics --split-input-file
// RUN: rudnn-opt %s --norm-to-nvvm="chip=sm_86" --verify-diagnostics --split-input-file -o %t
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_90" --split-input-file | FileCheck %s

// Schedules that fit some chip, and thus their op, but not the one that is
// lowered for.

// CHECK: threads = 512, rows = 2, stage = shared, stages = 4
func.func @shared(%x: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  // expected-error @below {{'norm.rms_norm_backward' op schedule for sm_86: expected <= 99328 bytes of shared memory, got 163840: 4 stages * 2 rows of 4096 * 4 bytes + 2 sums of 4096 * 4 bytes}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>) {schedule = #norm.schedule<vector = 8, threads = 512, rows = 2, stage = shared, stages = 4>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}

// -----

// CHECK: threads = 512, blocks = 4
func.func @threads(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  // expected-error @below {{schedule for sm_86: expected blocks * rows * threads <= 1536, got 4 * 1 * 512 = 2048}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x4096xf32>) outs(%x : tensor<8x4096xf32>) {schedule = #norm.schedule<vector = 4, threads = 512, blocks = 4>} -> tensor<8x4096xf32>
  return %y : tensor<8x4096xf32>
}

// -----

// CHECK: threads = 512, cluster = 2
func.func @cluster(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  // expected-error @below {{schedule for sm_86: expected cluster = 1 before sm_90, got 2 for sm_86}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x4096xf32>) outs(%x : tensor<8x4096xf32>) {schedule = #norm.schedule<vector = 4, threads = 512, cluster = 2>} -> tensor<8x4096xf32>
  return %y : tensor<8x4096xf32>
}

// -----

// CHECK: threads = 512, launch = dependent
func.func @launch(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  // expected-error @below {{schedule for sm_86: expected launch = normal before sm_90, got dependent for sm_86}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x4096xf32>) outs(%x : tensor<8x4096xf32>) {schedule = #norm.schedule<vector = 4, threads = 512, launch = dependent>} -> tensor<8x4096xf32>
  return %y : tensor<8x4096xf32>
}
