// RUN: rudnn-opt %s --norm-settle-before-waits | FileCheck %s

// A sum of what one wait brought goes through a move before the next wait; what
// does not cross one, what was loaded, and what is not f32 stays as it is.

// CHECK-LABEL: gpu.func @sums(
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: %[[A0:.+]] = vector.load
// CHECK-NEXT: %[[F0:.+]] = arith.mulf %[[A0]], %[[A0]]
// CHECK-NEXT: %[[S0:.+]] = vector.reduction <add>, %[[F0]]
// CHECK-NEXT: arith.addi
// CHECK-NEXT: %[[E:.+]]:2 = vector.to_elements %[[F0]]
// CHECK-NEXT: %[[M:.+]]:2 = nvvm.inline_ptx "mov.b32 $0, $2;mov.b32 $1, $3;" ro(%[[E]]#0, %[[E]]#1 : f32, f32) -> f32, f32
// CHECK-NEXT: %[[V:.+]] = vector.from_elements %[[M]]#0, %[[M]]#1 : vector<2xf32>
// CHECK-NEXT: %[[N:.+]] = nvvm.inline_ptx "mov.b32 $0, $1;" ro(%[[S0]] : f32) -> f32
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: %[[A1:.+]] = vector.load
// CHECK-NEXT: arith.addf %[[A1]], %[[V]]
// CHECK-NEXT: vector.broadcast %[[N]]
// CHECK-NOT: inline_ptx
// CHECK: gpu.return
gpu.module @m {
  gpu.func @sums(%y: memref<?xf32>, %z: memref<?xf32>)
      workgroup(%ring : memref<2x64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tx = gpu.thread_id x
    nvvm.cp.async.wait.group 1
    %a0 = vector.load %ring[%c0, %tx] : memref<2x64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    %f0 = arith.mulf %a0, %a0 : vector<2xf32>
    %s0 = vector.reduction <add>, %f0 : vector<2xf32> into f32
    %next = arith.addi %tx, %c1 : index
    nvvm.cp.async.wait.group 0
    %a1 = vector.load %ring[%c1, %next] : memref<2x64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    %f1 = arith.addf %a1, %f0 : vector<2xf32>
    %b = vector.broadcast %s0 : f32 to vector<2xf32>
    %r = arith.addf %f1, %b : vector<2xf32>
    vector.store %r, %y[%tx] : memref<?xf32>, vector<2xf32>
    vector.store %a0, %z[%tx] : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}
