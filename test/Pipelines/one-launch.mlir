// RUN: rudnn-opt %s --norm-to-gpu -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: rudnn-opt %s --norm-to-nvvm --norm-export-kernels=directory=%t -o /dev/null
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%t/dynamic_kernel_0.json
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/dynamic_kernel_0.ptx

// A backward of few rows whose buffers are aligned is one launch, and needs no
// memory besides. That for any buffers adds up in parts.

// CHECK-LABEL: func.func @chosen(
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: gpu.launch_func {{ *}}@chosen_kernel_0::@chosen_kernel_0 blocks in (%c24, %c1, %c1) threads in (%c512, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: } else {
// CHECK: memref.alloc() {{.*}} : memref<16x4096xf32>
// CHECK: gpu.launch_func {{ *}}@chosen_kernel_1
// CHECK: gpu.launch_func {{ *}}@chosen_kernel_2
// CHECK: return
// CHECK: gpu.func @chosen_kernel_0(
// CHECK-SAME: norm.schedule = #norm.schedule<vector = 8, parts = 1, threads = 512, blocks = 1, merge_columns = 16, strips = 8, launch = chained>
func.func @chosen(%x: tensor<16x4096xbf16>, %dy: tensor<16x4096xbf16>, %rstd: tensor<16xf32>, %gamma: tensor<4096xbf16>, %dx0: tensor<16x4096xbf16>, %dw0: tensor<4096xbf16>) -> (tensor<16x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<16x4096xbf16>, tensor<16x4096xbf16>, tensor<16xf32>, tensor<4096xbf16>)
      input_grad(%dx0 : tensor<16x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<16x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<16x4096xbf16>, tensor<4096xbf16>
}

// The number of rows need not be known; the grid is a formula of it.

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: memref.alloc
// CHECK-COUNT-3: cf.assert
// CHECK: scf.if
// CHECK: %[[BLOCKS:.+]] = arith.addi %{{.*}}dim{{.*}}, %c4
// CHECK: gpu.launch_func {{ *}}@dynamic_kernel_0::@dynamic_kernel_0 blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c64, %c1, %c1)
// CHECK: gpu.func @dynamic_kernel_0(
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[BLOCK:.+]] = gpu.block_id x
// CHECK: %[[STRIP:.+]] = arith.cmpi ult, %[[BLOCK]], %c4
// CHECK: scf.if %[[STRIP]] {
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: } else {
// CHECK-NOT: scf.for
// CHECK: gpu.barrier
// CHECK: gpu.return

// MANIFEST: "block": [
// MANIFEST-NEXT: "64",
// MANIFEST: "grid": [
// MANIFEST-NEXT: "(arg0.size0 + 4)",

// PTX: .maxntid 64, 1, 1
// PTX-COUNT-2: bar.sync
// PTX-NOT: bar.sync
func.func @dynamic(%x: tensor<?x512xbf16>, %dy: tensor<?x512xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<512xf32>, %dx0: tensor<?x512xbf16>, %dw0: tensor<512xf32>) -> (tensor<?x512xbf16>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x512xbf16>, tensor<?x512xbf16>, tensor<?xf32>, tensor<512xf32>)
      input_grad(%dx0 : tensor<?x512xbf16>) weight_grad(%dw0 : tensor<512xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 64, strips = 4>} -> tensor<?x512xbf16>, tensor<512xf32>
  return %dx, %dw : tensor<?x512xbf16>, tensor<512xf32>
}

// dx over x: what the strips read is written, so they are a launch before.

// CHECK-LABEL: func.func @in_place(
// CHECK: scf.if
// CHECK: gpu.launch_func {{ *}}@in_place_kernel_0
// CHECK: gpu.launch_func {{ *}}@in_place_kernel_1
// CHECK: } else {
func.func @in_place(%x: tensor<16x512xbf16>, %dy: tensor<16x512xbf16>, %rstd: tensor<16xf32>, %dw0: tensor<512xf32>) -> (tensor<16x512xbf16>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<16x512xbf16>, tensor<16x512xbf16>, tensor<16xf32>)
      input_grad(%x : tensor<16x512xbf16>) weight_grad(%dw0 : tensor<512xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 64, strips = 4>} -> tensor<16x512xbf16>, tensor<512xf32>
  return %dx, %dw : tensor<16x512xbf16>, tensor<512xf32>
}

// The weight gradient alone of long rows: strips of 1024 columns, in 4 parts.

// CHECK-LABEL: func.func @alone(
// CHECK: memref.alloc() {{.*}} : memref<4x65536xf32>
// CHECK: gpu.launch_func {{ *}}@alone_kernel_0::@alone_kernel_0 blocks in (%c256, %c1, %c1) threads in (%c128, %c4, %c1)
// CHECK: gpu.func @alone_kernel_0(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @alone(%x: tensor<?x65536xbf16>, %dy: tensor<?x65536xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<65536xf32>) -> tensor<65536xf32> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x65536xbf16>, tensor<?x65536xbf16>, tensor<?xf32>)
      weight_grad(%dw0 : tensor<65536xf32>) -> tensor<65536xf32>
  return %dw : tensor<65536xf32>
}
