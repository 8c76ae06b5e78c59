// The destination is where the result goes to, also where a choice of kernels
// stands between: no buffer of rows is allocated, and none is copied.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{check} = rudnn-opt %t/%{entry}.mlir --norm-to-gpu | FileCheck %s
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --device=emulate --check
//
// REDEFINE: %{entry} = inserted
// RUN: %{check}
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = layers
// RUN: %{check}
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = materialized
// RUN: %{check}
// RUN: %{run}
// RUN: %{run} --misalign=0
// REDEFINE: %{entry} = global
// RUN: %{check}
//
// In place, only the fallback for long rows works in a buffer of its own.
// RUN: rudnn-opt %t/in-place.mlir --norm-to-gpu | FileCheck %s --check-prefix=PLACE
// RUN: rudnn-opt %t/in-place.mlir --norm-to-gpu | rudnn-opt --norm-to-nvvm -o /dev/null

// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return

// PLACE: scf.if
// PLACE-NOT: memref.copy
// PLACE: gpu.launch_func
// PLACE-NOT: memref.copy
// PLACE: else
// PLACE: %[[ALLOC:.+]] = memref.alloc
// PLACE: memref.copy %{{.+}}, %[[ALLOC]]
// PLACE: gpu.launch_func
// PLACE: memref.copy %[[ALLOC]],
// PLACE: }
// PLACE-NOT: memref.copy
// PLACE: return

//--- inserted.mlir
func.func @inserted(%x: tensor<4x64xf32>, %all: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<4x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %r = tensor.insert_slice %y into %all[4, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
//--- layers.mlir
func.func @layers(%x: tensor<3x4x64xf32>, %all: tensor<3x4x64xf32>) -> tensor<3x4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %all) -> (tensor<3x4x64xf32>) {
    %s = tensor.extract_slice %x[%i, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<3x4x64xf32> to tensor<4x64xf32>
    %e = tensor.empty() : tensor<4x64xf32>
    %y = norm.rms_norm epsilon(1.0e-5) ins(%s : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
    %n = tensor.insert_slice %y into %a[%i, 0, 0] [1, 4, 64] [1, 1, 1] : tensor<4x64xf32> into tensor<3x4x64xf32>
    scf.yield %n : tensor<3x4x64xf32>
  }
  return %r : tensor<3x4x64xf32>
}
//--- materialized.mlir
func.func @materialized(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<4x64xf32> to tensor<4x64xf32>
  %e = tensor.empty() : tensor<4x64xf32>
  %r = norm.rms_norm epsilon(1.0e-5) ins(%t : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x64xf32>, memref<4x64xf32>) -> ()
  return
}
//--- global.mlir
func.func @global(%x: memref<4x64xf32, 1>, %y: memref<4x64xf32, 1>) {
  %t = bufferization.to_tensor %x restrict : memref<4x64xf32, 1> to tensor<4x64xf32>
  %e = tensor.empty() : tensor<4x64xf32>
  %r = norm.rms_norm epsilon(1.0e-5) ins(%t : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<4x64xf32>, memref<4x64xf32, 1>) -> ()
  return
}
//--- in-place.mlir
func.func @in_place(%x: memref<2x9216xf32>) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<2x9216xf32>) outs(%x : memref<2x9216xf32>)
  return
}
