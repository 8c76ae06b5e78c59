// RUN: rudnn-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse --canonicalize | FileCheck %s

// The ops write into their destinations; a buffer is made only where a value is
// still needed, and copied only where the op reads what is there.

// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[Y0:[a-z0-9]+]]: memref<8x64xf32>, %[[RSTD0:[a-z0-9]+]]: memref<8xf32>
// CHECK-NEXT: norm.rms_norm epsilon(1.0e-5) gamma_offset(1.0e+0) ins(%[[X]], %[[GAMMA]] : memref<8x64xf32>, memref<64xf32>) outs(%[[Y0]], %[[RSTD0]] : memref<8x64xf32>, memref<8xf32>) {schedule = #norm.schedule<parts = 1>}
// CHECK-NEXT: return %[[Y0]], %[[RSTD0]]
func.func @in_place(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>, %y0: tensor<8x64xf32>, %rstd0: tensor<8xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%y0, %rstd0 : tensor<8x64xf32>, tensor<8xf32>)
      {schedule = #norm.schedule<parts = 1>} -> tensor<8x64xf32>, tensor<8xf32>
  return %y, %rstd : tensor<8x64xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf16>, %[[RSTD:[a-z0-9]+]]: memref<?xf32>, %[[DX0:[a-z0-9]+]]: memref<?x?xf16>, %[[DW0:[a-z0-9]+]]: memref<?xf32>
// CHECK-NEXT: norm.rms_norm_backward accumulate ins(%[[X]], %[[X]], %[[RSTD]] : {{.*}}) input_grad(%[[DX0]] : memref<?x?xf16>) weight_grad(%[[DW0]] : memref<?xf32>)
// CHECK-NEXT: return %[[DX0]], %[[DW0]]
func.func @backward(%x: tensor<?x?xf16>, %rstd: tensor<?xf32>, %dx0: tensor<?x?xf16>, %dw0: tensor<?xf32>) -> (tensor<?x?xf16>, tensor<?xf32>) {
  %dx, %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<?x?xf16>, tensor<?x?xf16>, tensor<?xf32>) input_grad(%dx0 : tensor<?x?xf16>) weight_grad(%dw0 : tensor<?xf32>) -> tensor<?x?xf16>, tensor<?xf32>
  return %dx, %dw : tensor<?x?xf16>, tensor<?xf32>
}

// A destination that is an input gets a buffer of its own: rows are read after
// others are written. Nothing is copied into it.
// CHECK-LABEL: func.func @destination_is_input(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>
// CHECK-NEXT: %[[Y:.+]] = memref.alloc() {{.*}}: memref<8x64xf32>
// CHECK-NEXT: norm.rms_norm {{.*}} ins(%[[X]] : memref<8x64xf32>) outs(%[[Y]] : memref<8x64xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @destination_is_input(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// A destination that is read afterwards is left alone; only the accumulating
// form needs its values.
// CHECK-LABEL: func.func @destination_is_read(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[RSTD:[a-z0-9]+]]: memref<8xf32>, %[[DW0:[a-z0-9]+]]: memref<64xf32>
// CHECK-NEXT: %[[DW:.+]] = memref.alloc() {{.*}}: memref<64xf32>
// CHECK-NEXT: norm.rms_norm_backward ins({{.*}}) weight_grad(%[[DW]] : memref<64xf32>)
// CHECK-NEXT: %[[SUM:.+]] = memref.alloc() {{.*}}: memref<64xf32>
// CHECK-NEXT: memref.copy %[[DW0]], %[[SUM]]
// CHECK-NEXT: norm.rms_norm_backward accumulate ins({{.*}}) weight_grad(%[[SUM]] : memref<64xf32>)
// CHECK-NEXT: return %[[DW]], %[[SUM]], %[[DW0]]
func.func @destination_is_read(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  return %dw, %sum, %dw0 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// Two norms of one input with one gamma, the second normalising the first's
// result too.
// CHECK-LABEL: func.func @chained(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xf32>, %[[A0:[a-z0-9]+]]: memref<8x64xf32>, %[[B0:[a-z0-9]+]]: memref<8x64xf32>
// CHECK-NEXT: norm.rms_norm {{.*}} ins(%[[X]], %[[GAMMA]] : {{.*}}) outs(%[[A0]] : memref<8x64xf32>)
// CHECK-NEXT: norm.rms_norm {{.*}} ins(%[[A0]], %[[GAMMA]] : {{.*}}) outs(%[[B0]] : memref<8x64xf32>)
// CHECK-NEXT: return
func.func @chained(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>, %a0: tensor<8x64xf32>, %b0: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %a = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%a0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = norm.rms_norm epsilon(1.0e-05) ins(%a, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%b0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %a, %b : tensor<8x64xf32>, tensor<8x64xf32>
}

// A loop over slabs.
// CHECK-LABEL: func.func @in_loop(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: norm.rms_norm {{.*}} outs({{.*}} : memref<8x64xf32, strided<[64, 1], offset: ?>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_loop(%x: tensor<4x8x64xf32>, %y0: tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %y0) -> (tensor<4x8x64xf32>) {
    %xs = tensor.extract_slice %x[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xf32> to tensor<8x64xf32>
    %ys = tensor.extract_slice %out[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<4x8x64xf32> to tensor<8x64xf32>
    %n = norm.rms_norm epsilon(1.0e-05) ins(%xs : tensor<8x64xf32>) outs(%ys : tensor<8x64xf32>) -> tensor<8x64xf32>
    %next = tensor.insert_slice %n into %out[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<8x64xf32> into tensor<4x8x64xf32>
    scf.yield %next : tensor<4x8x64xf32>
  }
  return %y : tensor<4x8x64xf32>
}
