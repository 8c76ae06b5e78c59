// DEFINE: %{check} = FileCheck %s --implicit-check-not='{{^ +(%[a-z0-9_]+(:[0-9]+)? = )?"?(affine[.]for|bufferization[.]|linalg[.]generic|norm[.]|scf[.]forall|tensor[.]|vector[.]transfer|vector[.]multi|memref[.]copy)}}'
// RUN: rudnn-opt %s --norm-to-gpu -o %t.mlir && %{check} --input-file=%t.mlir

// Other chips and fields go through as well.

// RUN: rudnn-opt %s --norm-to-gpu="chip=sm_80 set=merge_columns=128" -o /dev/null

// Kernels can be written to a file and read back.

// RUN: rudnn-opt %t.mlir | %{check}

// The forward: sizes are checked first; then one launch of a block for each tile
// of rows, of the kernel for aligned buffers or of that for any.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x1024xbf16>, %[[GAMMA:[a-z0-9]+]]: memref<1024xf32>, %[[Y:[a-z0-9]+]]: memref<?x1024xbf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: %[[M:.+]] = memref.dim %[[X]], %c0
// CHECK-COUNT-2: cf.assert
// CHECK-COUNT-3: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK: %[[BLOCKS:.+]] = arith.ceildivsi %[[M]], %c2
// CHECK: gpu.launch_func {{ *}}@forward_kernel_0::@forward_kernel_0 blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c64, %c2, %c1) {{ *}}args(
// CHECK: } else {
// CHECK: gpu.launch_func {{ *}}@forward_kernel_1::@forward_kernel_1 blocks in (%[[M]]{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1) {{ *}}args(
// CHECK: return
// CHECK: gpu.module @forward_kernel_0
// CHECK: gpu.func @forward_kernel_0(
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 64, 2, 1>, norm.schedule = #norm.schedule<vector = 8, threads = 64, rows = 2>
// CHECK-NOT: scf.for
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} : memref<1024xf32>, vector<8xf32>
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} : memref<?x1024xbf16{{.*}}>, vector<8xbf16>
// CHECK-COUNT-5: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: math.rsqrt
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64} : memref<?x1024xbf16{{.*}}>, vector<8xbf16>
// CHECK-NOT: scf.for
// CHECK: gpu.return
// CHECK: gpu.func @forward_kernel_1(
// CHECK-SAME: norm.schedule = #norm.schedule<vector = 1, threads = 256>
// CHECK-NOT: vector<8x
// CHECK: gpu.return
func.func @forward(%x: tensor<?x1024xbf16>, %gamma: tensor<1024xf32>, %y0: tensor<?x1024xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x1024xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x1024xbf16>, tensor<1024xf32>) outs(%y0, %rstd0 : tensor<?x1024xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8, threads = 64, rows = 2>} -> tensor<?x1024xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x1024xbf16>, tensor<?xf32>
}

// dx alone: a block for each row, no partial sums and no memory besides. Known
// alignment needs one kernel only, and static rows a grid of a known size.

// CHECK-LABEL: func.func @input_grad(
// CHECK-NOT: memref.alloc
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func {{ *}}@input_grad_kernel_0::@input_grad_kernel_0 blocks in (%c64, %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @input_grad_kernel_0({{.*}} known_grid_size = array<i32: 64, 1, 1>
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @input_grad(%x: memref<64x1024xbf16>, %dy: memref<64x1024xbf16>, %rstd: memref<64xf32>, %gamma: memref<1024xf32>, %dx: memref<64x1024xbf16>) {
  %xa = memref.assume_alignment %x, 16 : memref<64x1024xbf16>
  %dya = memref.assume_alignment %dy, 16 : memref<64x1024xbf16>
  %ga = memref.assume_alignment %gamma, 16 : memref<1024xf32>
  norm.rms_norm_backward ins(%xa, %dya, %rstd, %ga : memref<64x1024xbf16>, memref<64x1024xbf16>, memref<64xf32>, memref<1024xf32>) input_grad(%dx : memref<64x1024xbf16>)
      {schedule = #norm.schedule<vector = 8, threads = 128>}
  return
}

// dgamma alone: gamma is not passed to any kernel. Each of 6 blocks adds up its
// rows, and another kernel the 6 sums. Without alignment there are others, with
// a grid of their own.

// CHECK-LABEL: func.func @weight_grad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x1024xbf16>, %[[DY:[a-z0-9]+]]: memref<?x1024xbf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[GAMMA:[a-z0-9]+]]: memref<1024xbf16>, %[[DW:[a-z0-9]+]]: memref<1024xbf16>
// CHECK-NOT: args({{.*}}%[[GAMMA]]
// CHECK: %[[SUMS:.+]] = memref.alloc() {{.*}} : memref<6x1024xf32>
// CHECK: gpu.launch_func {{ *}}@weight_grad_kernel_0::@weight_grad_kernel_0 blocks in (%c6, %c1, %c1) threads in (%c128, %c1, %c1) {{ *}}args({{.*}}%[[SUMS]] : memref<6x1024xf32>)
// CHECK: gpu.launch_func {{ *}}@weight_grad_kernel_1::@weight_grad_kernel_1 blocks in (%c32, %c1, %c1) threads in (%c8, %c64, %c1) {{ *}}args(%[[SUMS]] : memref<6x1024xf32>, %[[DW]] : memref<1024xbf16>)
// CHECK: memref.dealloc %[[SUMS]]
// CHECK: } else {
// CHECK-NOT: args({{.*}}%[[GAMMA]]
// CHECK: %[[OTHERS:.+]] = memref.alloc() {{.*}} : memref<528x1024xf32>
// CHECK: gpu.launch_func {{ *}}@weight_grad_kernel_2::@weight_grad_kernel_2 blocks in (%c528, %c1, %c1)
// CHECK: gpu.launch_func {{ *}}@weight_grad_kernel_3
// CHECK: memref.dealloc %[[OTHERS]]
// CHECK: gpu.func @weight_grad_kernel_0(
// CHECK: scf.for
// CHECK: gpu.return
// CHECK: gpu.func @weight_grad_kernel_1(
// CHECK: arith.truncf {{.*}} to vector<4xbf16>
// CHECK: gpu.return
func.func @weight_grad(%x: memref<?x1024xbf16>, %dy: memref<?x1024xbf16>, %rstd: memref<?xf32>, %gamma: memref<1024xbf16>, %dw: memref<1024xbf16>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x1024xbf16>, memref<?x1024xbf16>, memref<?xf32>, memref<1024xbf16>) weight_grad(%dw : memref<1024xbf16>)
      {schedule = #norm.schedule<vector = 8, threads = 128, parts = 6>}
  return
}

// Both: one kernel writes dx and adds up, x and dy are read once, and the merge.
// The ring of rows is in the block's memory, as is what rows need to meet.

// CHECK-LABEL: func.func @both(
// CHECK: memref.alloc() {{.*}} : memref<6x1024xf32>
// CHECK: gpu.launch_func {{ *}}@both_kernel_0
// CHECK: gpu.launch_func {{ *}}@both_kernel_1
// CHECK: } else {
// CHECK: gpu.launch_func {{ *}}@both_kernel_2
// CHECK: gpu.launch_func {{ *}}@both_kernel_3
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @both_kernel_0(
// CHECK-SAME: memref<3x2x1024xbf16, #gpu.address_space<workgroup>>
// CHECK-NOT: memref.alloc
// CHECK: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 2
// CHECK: nvgpu.device_async_copy
// CHECK: gpu.return
// CHECK: gpu.func @both_kernel_1(
// CHECK-NOT: memref.alloc
// CHECK: gpu.return
func.func @both(%x: memref<?x1024xbf16>, %dy: memref<?x1024xbf16>, %rstd: memref<?xf32>, %gamma: memref<1024xf32>, %dx: memref<?x1024xbf16>, %dw: memref<1024xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x1024xbf16>, memref<?x1024xbf16>, memref<?xf32>, memref<1024xf32>) input_grad(%dx : memref<?x1024xbf16>) weight_grad(%dw : memref<1024xf32>)
      {schedule = #norm.schedule<vector = 8, threads = 128, rows = 2, parts = 6, stage = shared, stages = 3>}
  return
}

// Heads in a larger tensor: rows apart, an offset, three axes, two ops in one
// function. Strides and offset that the type leaves open are looked at as well.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>
// CHECK: memref.extract_strided_metadata %[[Q]]
// CHECK: %[[BLOCKS:.+]] = arith.muli %{{.+}}, %c4
// CHECK: gpu.launch_func {{ *}}@heads_kernel_0::@heads_kernel_0 blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c16, %c8, %c1)
// CHECK: gpu.launch_func {{ *}}@heads_kernel_1::@heads_kernel_1
// CHECK: gpu.launch_func {{ *}}@heads_kernel_2::@heads_kernel_2 blocks in (%c5, %c1, %c1) threads in (%c16, %c8, %c1)
// CHECK: gpu.launch_func {{ *}}@heads_kernel_3::@heads_kernel_3
// CHECK: gpu.launch_func {{ *}}@heads_kernel_4::@heads_kernel_4
// CHECK: gpu.func @heads_kernel_0(
// CHECK: arith.remui %block_id_x, %c4
// CHECK: arith.divui %block_id_x, %c4
// CHECK: vector.load {{.*}} {alignment = 16 : i64}
func.func @heads(%q: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, %y: memref<?x32x128xbf16>, %rstd: memref<?x32xf32>, %dw: memref<128xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%q : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>) outs(%y, %rstd : memref<?x32x128xbf16>, memref<?x32xf32>)
      {schedule = #norm.schedule<vector = 8, threads = 16, rows = 8>}
  norm.rms_norm_backward ins(%q, %y, %rstd : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, memref<?x32x128xbf16>, memref<?x32xf32>) weight_grad(%dw : memref<128xf32>)
      {schedule = #norm.schedule<vector = 8, threads = 16, rows = 8, parts = 5>}
  return
}

// One axis is one row.

// CHECK-LABEL: func.func @one_row(
// CHECK: gpu.launch_func {{ *}}@one_row_kernel_0::@one_row_kernel_0 blocks in (%c1, %c1, %c1)
func.func @one_row(%x: memref<1024xf32>, %y: memref<1024xf32>, %rstd: memref<f32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<1024xf32>) outs(%y, %rstd : memref<1024xf32>, memref<f32>)
  return
}

// N that a run tells: rows are walked in steps.

// CHECK-LABEL: func.func @dynamic(
// CHECK: gpu.launch_func {{ *}}@dynamic_kernel_0::@dynamic_kernel_0
// CHECK: gpu.func @dynamic_kernel_0(
// CHECK-COUNT-2: scf.for
// CHECK: gpu.return
func.func @dynamic(%x: tensor<?x?xf16>, %gamma: tensor<?xbf16>, %y0: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xf16>, tensor<?xbf16>) outs(%y0 : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %y : tensor<?x?xf16>
}

// What stands around a norm stays on the host, in order.

// CHECK-LABEL: func.func @neighbours(
// CHECK: linalg.add
// CHECK: gpu.launch_func {{ *}}@neighbours_kernel_0
// CHECK: linalg.exp
// CHECK: return
func.func @neighbours(%x: tensor<64x512xf32>, %residual: tensor<64x512xf32>, %y0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = linalg.add ins(%x, %residual : tensor<64x512xf32>, tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.exp ins(%y : tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}

// A module without norms stays as it is.

// CHECK-LABEL: func.func @without(
// CHECK-NEXT: return
func.func @without(%x: memref<8xf32>) {
  return
}

// A sum of the weight gradient's own type is built where it goes, on top of what
// is there as well.
// CHECK-LABEL: func.func @accumulate(
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @accumulate(%x: tensor<?x100xbf16>, %r: tensor<?xf32>, %dg0: tensor<100xf32>) -> tensor<100xf32> {
  %dg = norm.rms_norm_backward accumulate ins(%x, %x, %r : tensor<?x100xbf16>, tensor<?x100xbf16>, tensor<?xf32>) weight_grad(%dg0 : tensor<100xf32>) -> tensor<100xf32>
  return %dg : tensor<100xf32>
}
