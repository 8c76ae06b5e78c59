// RUN: rudnn-opt %s --norm-to-gpu | FileCheck %s
// RUN: rudnn-opt %s --norm-collapse-rows --norm-memref-to-tensor --norm-assign-schedule="target=gpu" --norm-tile --canonicalize --cse | FileCheck %s --check-prefix=TILE

// Rows over an input: the kernels read and write one buffer, and nothing is
// copied.

// CHECK-LABEL: func.func @forward(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func {{.*}} args(%arg0 : memref<?x4096xbf16>, %arg1 : memref<4096xbf16>)
// CHECK: return{{$}}
func.func @forward(%x: memref<?x4096xbf16>, %gamma: memref<4096xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x4096xbf16>, memref<4096xbf16>) outs(%x : memref<?x4096xbf16>)
  return
}

// Through a view.
// CHECK-LABEL: func.func @view(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @view(%qkv: memref<?x3x96xbf16>, %gamma: memref<96xbf16>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %qkv, %c0 : memref<?x3x96xbf16>
  %q = memref.subview %qkv[0, 0, 0] [%m, 2, 96] [1, 1, 1] : memref<?x3x96xbf16> to memref<?x2x96xbf16, strided<[288, 96, 1]>>
  norm.rms_norm epsilon(1.0e-05) ins(%q, %gamma : memref<?x2x96xbf16, strided<[288, 96, 1]>>, memref<96xbf16>) outs(%q : memref<?x2x96xbf16, strided<[288, 96, 1]>>)
  return
}

// A loop over the rows of each block: what it carries is what it reads.
// TILE-LABEL: func.func @walk(
// TILE: scf.forall {{.*}} shared_outs(%[[ALL:.+]] = %arg0)
// TILE: %[[PART:.+]] = tensor.extract_slice %[[ALL]]
// TILE: scf.for {{.*}} iter_args(%[[ROWS:.+]] = %[[PART]])
// TILE: %[[ROW:.+]] = tensor.extract_slice %[[ROWS]]
// TILE: norm.rms_norm {{.*}} ins(%[[ROW]], {{.*}} outs(%[[ROW]] :
// CHECK-LABEL: func.func @walk(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @walk(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xbf16>) -> tensor<?x4096xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xbf16>) outs(%x : tensor<?x4096xbf16>) {schedule = #norm.schedule<vector = 8, parts = 7, threads = 128, stage = shared>} -> tensor<?x4096xbf16>
  return %y : tensor<?x4096xbf16>
}

// CHECK-LABEL: func.func @backward(
// CHECK: memref.alloc() {{.*}} : memref<{{[0-9]+}}x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: } else {
// CHECK: memref.alloc() {{.*}} : memref<{{[0-9]+}}x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @backward(%x: memref<?x1024xbf16>, %dy: memref<?x1024xbf16>, %rstd: memref<?xf32>, %gamma: memref<1024xbf16>, %dw: memref<1024xbf16>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x1024xbf16>, memref<?x1024xbf16>, memref<?xf32>, memref<1024xbf16>) input_grad(%dy : memref<?x1024xbf16>) weight_grad(%dw : memref<1024xbf16>)
  return
}

// A weight gradient by strips reads what dx is written over: two launches, one
// after the other.
// CHECK-LABEL: func.func @strips(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.if
// CHECK-NEXT: gpu.launch_func {{.*}}%arg1 : memref<?x1024xbf16>, {{.*}}%arg3 : memref<1024xf32>)
// CHECK-NEXT: gpu.launch_func {{.*}}%arg1 : memref<?x1024xbf16>, %arg2 : memref<?xf32>)
// CHECK-NEXT: } else {
// CHECK: return{{$}}
func.func @strips(%x: tensor<?x1024xbf16>, %dy: tensor<?x1024xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<1024xf32>) -> (tensor<?x1024xbf16>, tensor<1024xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x1024xbf16>, tensor<?x1024xbf16>, tensor<?xf32>) input_grad(%dy : tensor<?x1024xbf16>) weight_grad(%dw0 : tensor<1024xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 32, strips = 4>} -> tensor<?x1024xbf16>, tensor<1024xf32>
  return %dx, %dw : tensor<?x1024xbf16>, tensor<1024xf32>
}

// In a loop: each norm writes over what the one before wrote.
// CHECK-LABEL: func.func @again(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @again(%x: tensor<64x96xf32>, %times: index) -> tensor<64x96xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %times step %c1 iter_args(%h = %x) -> tensor<64x96xf32> {
    %next = norm.rms_norm epsilon(1.0e-05) ins(%h : tensor<64x96xf32>) outs(%h : tensor<64x96xf32>) -> tensor<64x96xf32>
    scf.yield %next : tensor<64x96xf32>
  }
  return %y : tensor<64x96xf32>
}

// What is read afterwards stays.
// CHECK-LABEL: func.func @used_again(
// CHECK: memref.alloc() {{.*}} : memref<64x96xbf16>
// CHECK: gpu.launch_func
// CHECK: return
func.func @used_again(%x: tensor<64x96xbf16>, %z0: tensor<64x96xbf16>) -> (tensor<64x96xbf16>, tensor<64x96xbf16>) {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x96xbf16>) outs(%x : tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %z = norm.rms_norm epsilon(1.0e-02) ins(%x : tensor<64x96xbf16>) outs(%z0 : tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %y, %z : tensor<64x96xbf16>, tensor<64x96xbf16>
}

// Steps along a row would write one while the next is to be read: a copy.
// TILE-LABEL: func.func @steps(
// TILE: scf.forall {{.*}} shared_outs(%[[ALL:.+]] = %arg0)
// TILE: tensor.extract_slice %arg0
// CHECK-LABEL: func.func @steps(
// CHECK: memref.copy
// CHECK: gpu.launch_func
// CHECK: return
func.func @steps(%x: tensor<64x96xbf16>) -> tensor<64x96xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x96xbf16>) outs(%x : tensor<64x96xbf16>) {schedule = #norm.schedule<vector = 2, unroll = 1, threads = 32, stage = loop>} -> tensor<64x96xbf16>
  return %y : tensor<64x96xbf16>
}
