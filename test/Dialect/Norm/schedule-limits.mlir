// RUN: rudnn-opt %s | FileCheck %s

// Schedules at the limits of what their ops allow; invalid-schedule.mlir has
// those past them.

// CHECK-LABEL: func.func @forward(
// CHECK-COUNT-7: norm.rms_norm {{.*}}#norm.schedule<
func.func @forward(%x: tensor<?x16384xbf16>, %gamma: tensor<16384xf32>, %short: tensor<?x64xf16>, %any: tensor<?x?xf16>) {
  // 1024 threads in a block, and 64 pieces of a row each.
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x16384xbf16>) outs(%x : tensor<?x16384xbf16>) {schedule = #norm.schedule<vector = 8, threads = 512, rows = 2>} -> tensor<?x16384xbf16>
  %1 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x16384xbf16>) outs(%x : tensor<?x16384xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32>} -> tensor<?x16384xbf16>
  // More pieces in a loop, and gamma is nowhere then.
  %2 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x16384xbf16>, tensor<16384xf32>) outs(%x : tensor<?x16384xbf16>) {schedule = #norm.schedule<vector = 1, threads = 32, stage = loop>} -> tensor<?x16384xbf16>
  // All threads of a multiprocessor.
  %3 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x16384xbf16>) outs(%x : tensor<?x16384xbf16>) {schedule = #norm.schedule<vector = 8, threads = 512, blocks = 4, stage = reload>} -> tensor<?x16384xbf16>
  // As many rows as columns but one row for each, and more rows than columns.
  %4 = norm.rms_norm epsilon(1.0e-05) ins(%short : tensor<?x64xf16>) outs(%short : tensor<?x64xf16>) {schedule = #norm.schedule<vector = 1, threads = 64>} -> tensor<?x64xf16>
  %5 = norm.rms_norm epsilon(1.0e-05) ins(%short : tensor<?x64xf16>) outs(%short : tensor<?x64xf16>) {schedule = #norm.schedule<vector = 8, threads = 8, rows = 128>} -> tensor<?x64xf16>
  // Unknown columns.
  %6 = norm.rms_norm epsilon(1.0e-05) ins(%any : tensor<?x?xf16>) outs(%any : tensor<?x?xf16>) {schedule = #norm.schedule<vector = 1, threads = 256, stage = loop>} -> tensor<?x?xf16>
  return
}

// CHECK-LABEL: func.func @backward(
// CHECK-COUNT-3: norm.rms_norm_backward {{.*}}#norm.schedule<
func.func @backward(%x: tensor<?x16384xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<16384xbf16>) {
  // 224 KiB of shared memory.
  %0:2 = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<?x16384xbf16>, tensor<?x16384xbf16>, tensor<?xf32>, tensor<16384xbf16>) input_grad(%x : tensor<?x16384xbf16>) weight_grad(%gamma : tensor<16384xbf16>) {schedule = #norm.schedule<vector = 8, threads = 512, stage = shared, stages = 3, gamma = shared>} -> tensor<?x16384xbf16>, tensor<16384xbf16>
  %1 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x16384xbf16>, tensor<?x16384xbf16>, tensor<?xf32>) weight_grad(%gamma : tensor<16384xbf16>) {schedule = #norm.schedule<vector = 8, threads = 512, prefetch = 1>} -> tensor<16384xbf16>
  // A ring of vectors of 4 bytes.
  %2 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x16384xbf16>, tensor<?x16384xbf16>, tensor<?xf32>) weight_grad(%gamma : tensor<16384xbf16>) {schedule = #norm.schedule<vector = 2, threads = 512, stage = shared>} -> tensor<16384xbf16>
  return
}
