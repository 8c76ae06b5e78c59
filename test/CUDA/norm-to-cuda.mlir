// A function becomes host code that calls the runtime, and PTX beside it.
//
// RUN: rudnn-opt %s --norm-to-cuda="set=threads=64,vector=4" -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: not rudnn-opt %s --norm-to-cuda="chip=sm_1" 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: norm-to-cuda: unknown chip 'sm_1'

// The partial sums are memory of the GPU, in which launches of both kernels find
// them; what comes back is, too.
// CHECK-LABEL: llvm.func @backward(
// CHECK-NOT: @malloc
// CHECK: %[[SUMS:.+]] = llvm.call @mgpuMemAlloc(
// CHECK: gpu.launch_func {{ *}}@backward_kernel_0::
// CHECK: gpu.launch_func {{ *}}@backward_kernel_1::{{.*}} args({{.*}}%[[SUMS]] :
// CHECK: llvm.call @mgpuMemFree(%[[SUMS]],
// CHECK: llvm.return
// CHECK: gpu.binary @backward_kernel_0 {{.*}}chip = "sm_90"{{.*}}properties = {O = 3 : i32}{{.*}}assembly = "{{.*}}.target sm_90
func.func @backward(%x: tensor<?x512xf32>, %dy: tensor<?x512xf32>, %rstd: tensor<?xf32>, %dgamma0: tensor<512xf32>) -> tensor<512xf32> {
  %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?xf32>) weight_grad(%dgamma0 : tensor<512xf32>) -> tensor<512xf32>
  return %dgamma : tensor<512xf32>
}

// Memory of the GPU by its name, in place with rows that need a buffer between.
// CHECK-LABEL: llvm.func @global(%{{.+}}: !llvm.ptr,
// CHECK: gpu.launch_func
// CHECK: llvm.return
func.func @global(%x: memref<2x9216xf32, #gpu.address_space<global>>, %y: memref<2x9216xf32, 1>) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<2x9216xf32, #gpu.address_space<global>>) outs(%x : memref<2x9216xf32, #gpu.address_space<global>>)
  norm.rms_norm epsilon(1.0e-5) ins(%y : memref<2x9216xf32, 1>) outs(%y : memref<2x9216xf32, 1>)
  return
}
