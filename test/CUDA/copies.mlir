// Copies between layouts become launches, whose threads copy an element each, as
// do fills of what the driver can't fill.
//
// RUN: rudnn-opt %s --norm-allocate-device-memory | FileCheck %s
// RUN: rudnn-opt %s --norm-to-cuda -o /dev/null
//
// They copy what the same copies on a CPU do.
// RUN: rm -rf %t && mkdir -p %t
// RUN: rudnn-opt %s --norm-allocate-device-memory --affine-expand-index-ops --lower-affine --gpu-kernel-outlining -o %t/launches.mlir
// DEFINE: %{entry} = columns
// DEFINE: %{rows} = 21
// DEFINE: %{run} = --entry=%{entry} --rows=%{rows} --seed=1
// DEFINE: %{copy} = rudnn-runner %s %{run} --output-dir=%t
// DEFINE: %{launch} = rudnn-runner %t/launches.mlir %{run} --device=emulate --guard --expect=0=%t/result-0.npy --expect-ulp=0
// RUN: %{copy} && %{launch}
// REDEFINE: %{rows} = 8
// RUN: %{copy} && %{launch}
// REDEFINE: %{rows} = 0
// RUN: %{copy} && %{launch}
// REDEFINE: %{entry} = element
// RUN: %{copy} && %{launch}
// REDEFINE: %{entry} = fill
// RUN: %{copy} && %{launch}

// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x5x18xf32>, %[[Y:[a-z0-9]+]]: memref<?x4x8xf32>)
// CHECK: %[[EVEN:.+]] = memref.subview %[[X]]
// CHECK: %[[BLOCKS:.+]] = arith.ceildivui %[[COUNT:.+]], %[[THREADS:.+]] : index
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], {{.*}}) in (%{{.+}} = %[[BLOCKS]], {{.*}}) threads(%[[THREAD:[a-z0-9]+]], {{.*}}) in (%{{.+}} = %[[THREADS]],
// CHECK: %[[FIRST:.+]] = arith.muli %[[BLOCK]], %[[THREADS]]
// CHECK: %[[POSITION:.+]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK: arith.cmpi ult, %[[POSITION]], %[[COUNT]]
// CHECK: %[[I:.+]]:3 = affine.delinearize_index %[[POSITION]] into (%{{.+}}, 4, 8)
// CHECK: %[[ELEMENT:.+]] = memref.load %[[EVEN]][%[[I]]#0, %[[I]]#1, %[[I]]#2]
// CHECK: memref.store %[[ELEMENT]], %[[Y]][%[[I]]#0, %[[I]]#1, %[[I]]#2]
func.func @columns(%x: memref<?x5x18xf32>, %y: memref<?x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x5x18xf32>
  %even = memref.subview %x[0, 1, 1] [%m, 4, 8] [1, 1, 2] : memref<?x5x18xf32> to memref<?x4x8xf32, strided<[90, 18, 2], offset: 19>>
  memref.copy %even, %y : memref<?x4x8xf32, strided<[90, 18, 2], offset: 19>> to memref<?x4x8xf32>
  return
}

// CHECK-LABEL: func.func @element(
// CHECK: gpu.launch
// CHECK: memref.load %{{.+}}[] : memref<bf16, strided<[], offset: 5>>
func.func @element(%x: memref<8xbf16>, %y: memref<bf16>) {
  %last = memref.subview %x[5] [1] [1] : memref<8xbf16> to memref<bf16, strided<[], offset: 5>>
  memref.copy %last, %y : memref<bf16, strided<[], offset: 5>> to memref<bf16>
  return
}

// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<6x7xf32>)
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1.0
// CHECK-DAG: %[[COLUMN:.+]] = memref.subview %[[X]][1, 2] [4, 1] [1, 1]
// CHECK: gpu.launch
// CHECK: memref.store %[[ONE]], %[[COLUMN]][%{{.+}}, %{{.+}}]
func.func @fill(%x: memref<6x7xf32>) {
  %one = arith.constant 1.0 : f32
  %column = memref.subview %x[1, 2] [4, 1] [1, 1] : memref<6x7xf32> to memref<4x1xf32, strided<[7, 1], offset: 9>>
  linalg.fill ins(%one : f32) outs(%column : memref<4x1xf32, strided<[7, 1], offset: 9>>)
  return
}
