// RUN: rudnn-opt %s | FileCheck %s
// RUN: rudnn-opt %s | rudnn-opt | FileCheck %s
// RUN: rudnn-opt %s --mlir-print-op-generic | rudnn-opt | FileCheck %s
// RUN: rudnn-opt %s --emit-bytecode | rudnn-opt | FileCheck %s
// RUN: rudnn-opt %s --verify-roundtrip -o /dev/null

// Every form of the ops reads back as it was printed: pretty, generic and as
// bytecode.

//===----------------------------------------------------------------------===//
// The examples of the ops' descriptions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @example_rms_norm(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<4096xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>,
// CHECK-SAME: %[[XB:[a-z0-9]+]]: memref<?x4096xbf16>, %[[GAMMAB:[a-z0-9]+]]: memref<4096xbf16>, %[[YB:[a-z0-9]+]]: memref<?x4096xbf16>)
func.func @example_rms_norm(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xf32>, %y0: tensor<?x4096xbf16>, %rstd0: tensor<?xf32>,
                            %xb: memref<?x4096xbf16>, %gammab: memref<4096xbf16>, %yb: memref<?x4096xbf16>)
    -> (tensor<?x4096xbf16>, tensor<?xf32>) {
    // CHECK: %[[Y:.+]]:2 = norm.rms_norm epsilon(1.0e-6)
    // CHECK-SAME: ins(%[[X]], %[[GAMMA]] : tensor<?x4096xbf16>, tensor<4096xf32>)
    // CHECK-SAME: outs(%[[Y0]], %[[RSTD0]] : tensor<?x4096xbf16>, tensor<?xf32>)
    // CHECK-SAME: -> tensor<?x4096xbf16>, tensor<?xf32>
    %y, %rstd = norm.rms_norm epsilon(1.0e-06)
        ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xf32>)
        outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>)
        -> tensor<?x4096xbf16>, tensor<?xf32>

    // CHECK-NEXT: norm.rms_norm epsilon(1.0e-6) gamma_offset(1.0e+0)
    // CHECK-SAME: ins(%[[XB]], %[[GAMMAB]] : memref<?x4096xbf16>, memref<4096xbf16>)
    // CHECK-SAME: outs(%[[YB]] : memref<?x4096xbf16>){{$}}
    // On buffers, without rstd, with zero-centred weights.
    norm.rms_norm epsilon(1.0e-06) gamma_offset(1.0)
        ins(%xb, %gammab : memref<?x4096xbf16>, memref<4096xbf16>)
        outs(%yb : memref<?x4096xbf16>)
  // CHECK-NEXT: return %[[Y]]#0, %[[Y]]#1
  return %y, %rstd : tensor<?x4096xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @example_rms_norm_backward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[DY:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[RSTD:[a-z0-9]+]]: tensor<?xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<4096xf32>,
// CHECK-SAME: %[[DX0:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[DGAMMA0:[a-z0-9]+]]: tensor<4096xf32>)
func.func @example_rms_norm_backward(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xf32>,
                                     %dx0: tensor<?x4096xbf16>, %dgamma0: tensor<4096xf32>)
    -> (tensor<?x4096xbf16>, tensor<4096xf32>, tensor<4096xf32>) {
    // CHECK: %[[GRADS:.+]]:2 = norm.rms_norm_backward
    // CHECK-SAME: ins(%[[X]], %[[DY]], %[[RSTD]], %[[GAMMA]] : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>)
    // CHECK-SAME: input_grad(%[[DX0]] : tensor<?x4096xbf16>) weight_grad(%[[DGAMMA0]] : tensor<4096xf32>)
    // CHECK-SAME: -> tensor<?x4096xbf16>, tensor<4096xf32>
    %dx, %dgamma = norm.rms_norm_backward
        ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>)
        input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dgamma0 : tensor<4096xf32>)
        -> tensor<?x4096xbf16>, tensor<4096xf32>

    // CHECK-NEXT: %[[DW:.+]] = norm.rms_norm_backward
    // CHECK-SAME: ins(%[[X]], %[[DY]], %[[RSTD]] : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>)
    // CHECK-SAME: weight_grad(%[[DGAMMA0]] : tensor<4096xf32>) -> tensor<4096xf32>
    // The weight gradient alone reads no gamma.
    %dw = norm.rms_norm_backward
        ins(%x, %dy, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>)
        weight_grad(%dgamma0 : tensor<4096xf32>) -> tensor<4096xf32>
  // CHECK-NEXT: return %[[GRADS]]#0, %[[GRADS]]#1, %[[DW]]
  return %dx, %dgamma, %dw : tensor<?x4096xbf16>, tensor<4096xf32>, tensor<4096xf32>
}

//===----------------------------------------------------------------------===//
// norm.rms_norm: what may be left out, ranks, layouts, numbers
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @forward_optional(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64xf16>, %[[GAMMA:[a-z0-9]+]]: tensor<64xbf16>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>
func.func @forward_optional(%x: tensor<8x64xf16>, %gamma: tensor<64xbf16>, %rstd: tensor<8xf32>) {
  // CHECK: norm.rms_norm epsilon(1.0e-5) ins(%[[X]] : tensor<8x64xf16>) outs(%[[X]] : tensor<8x64xf16>) -> tensor<8x64xf16>
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf16>) outs(%x : tensor<8x64xf16>) -> tensor<8x64xf16>
  // CHECK: norm.rms_norm epsilon(1.0e-5) ins(%[[X]] : tensor<8x64xf16>) outs(%[[X]], %[[RSTD]] : tensor<8x64xf16>, tensor<8xf32>) -> tensor<8x64xf16>, tensor<8xf32>
  %1, %2 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf16>) outs(%x, %rstd : tensor<8x64xf16>, tensor<8xf32>) -> tensor<8x64xf16>, tensor<8xf32>
  // CHECK: norm.rms_norm epsilon(1.0e-5) ins(%[[X]], %[[GAMMA]] : tensor<8x64xf16>, tensor<64xbf16>) outs(%[[X]] : tensor<8x64xf16>) -> tensor<8x64xf16>
  %3 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xf16>, tensor<64xbf16>) outs(%x : tensor<8x64xf16>) -> tensor<8x64xf16>
  // CHECK: norm.rms_norm epsilon(1.0e-5) gamma_offset(-2.5e-1) ins(%[[X]], %[[GAMMA]] : {{.*}}) outs(%[[X]], %[[RSTD]] : tensor<8x64xf16>, tensor<8xf32>)
  %4, %5 = norm.rms_norm epsilon(1.0e-05) gamma_offset(-0.25) ins(%x, %gamma : tensor<8x64xf16>, tensor<64xbf16>) outs(%x, %rstd : tensor<8x64xf16>, tensor<8xf32>) -> tensor<8x64xf16>, tensor<8xf32>
  // An offset of 0 is no offset.
  // CHECK: norm.rms_norm epsilon(1.0e-5) ins(
  %6 = norm.rms_norm epsilon(1.0e-05) gamma_offset(0.0) ins(%x, %gamma : tensor<8x64xf16>, tensor<64xbf16>) outs(%x : tensor<8x64xf16>) -> tensor<8x64xf16>
  // CHECK: norm.rms_norm epsilon(1.0e-5) ins({{.*}}) outs({{.*}}) {schedule = #norm.schedule<vector = 8>, tag = "attention"} -> tensor<8x64xf16>
  %7 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf16>) outs(%x : tensor<8x64xf16>) {tag = "attention", schedule = #norm.schedule<vector = 8>} -> tensor<8x64xf16>
  return
}

// CHECK-LABEL: func.func @forward_ranks
func.func @forward_ranks(%x1: tensor<64xf32>, %r0: tensor<f32>, %x2: tensor<0x64xf32>, %r1: tensor<0xf32>, %x3: tensor<4x?x257xf32>, %r2: tensor<4x?xf32>,
                         %x4: tensor<?x3x5x?xf32>, %r3: tensor<?x3x5xf32>) {
  // CHECK: outs({{.*}} : tensor<64xf32>, tensor<f32>) -> tensor<64xf32>, tensor<f32>
  %0, %1 = norm.rms_norm epsilon(1.0e-05) ins(%x1 : tensor<64xf32>) outs(%x1, %r0 : tensor<64xf32>, tensor<f32>) -> tensor<64xf32>, tensor<f32>
  // CHECK: outs({{.*}} : tensor<0x64xf32>, tensor<0xf32>) -> tensor<0x64xf32>, tensor<0xf32>
  %2, %3 = norm.rms_norm epsilon(1.0e-05) ins(%x2 : tensor<0x64xf32>) outs(%x2, %r1 : tensor<0x64xf32>, tensor<0xf32>) -> tensor<0x64xf32>, tensor<0xf32>
  // CHECK: outs({{.*}} : tensor<4x?x257xf32>, tensor<4x?xf32>) -> tensor<4x?x257xf32>, tensor<4x?xf32>
  %4, %5 = norm.rms_norm epsilon(1.0e-05) ins(%x3 : tensor<4x?x257xf32>) outs(%x3, %r2 : tensor<4x?x257xf32>, tensor<4x?xf32>) -> tensor<4x?x257xf32>, tensor<4x?xf32>
  // CHECK: outs({{.*}} : tensor<?x3x5x?xf32>, tensor<?x3x5xf32>) -> tensor<?x3x5x?xf32>, tensor<?x3x5xf32>
  %6, %7 = norm.rms_norm epsilon(1.0e-05) ins(%x4 : tensor<?x3x5x?xf32>) outs(%x4, %r3 : tensor<?x3x5x?xf32>, tensor<?x3x5xf32>) -> tensor<?x3x5x?xf32>, tensor<?x3x5xf32>
  return
}

// A size that is dynamic in one operand fits a static one in another.
// CHECK-LABEL: func.func @forward_mixed_sizes
func.func @forward_mixed_sizes(%x: tensor<?x64xf32>, %gamma: tensor<?xf32>, %y: tensor<8x?xf32>, %rstd: tensor<?xf32>) {
  // CHECK: ins({{.*}} : tensor<?x64xf32>, tensor<?xf32>) outs({{.*}} : tensor<8x?xf32>, tensor<?xf32>)
  %0, %1 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x64xf32>, tensor<?xf32>) outs(%y, %rstd : tensor<8x?xf32>, tensor<?xf32>) -> tensor<8x?xf32>, tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @forward_memrefs
func.func @forward_memrefs(%x1: memref<64xf32>, %r0: memref<f32>, %heads: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, %y: memref<?x32x128xbf16>,
                           %rheads: memref<?x32xf32, strided<[64, 2]>>, %one: memref<8x1xf32, strided<[5, 5]>>, %space: memref<8x64xf32, 3>) {
  // CHECK: outs({{.*}} : memref<64xf32>, memref<f32>){{$}}
  norm.rms_norm epsilon(1.0e-05) ins(%x1 : memref<64xf32>) outs(%x1, %r0 : memref<64xf32>, memref<f32>)
  // CHECK: ins({{.*}} : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>) outs({{.*}} : memref<?x32x128xbf16>, memref<?x32xf32, strided<[64, 2]>>)
  norm.rms_norm epsilon(1.0e-05) ins(%heads : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>)
      outs(%y, %rheads : memref<?x32x128xbf16>, memref<?x32xf32, strided<[64, 2]>>)
  // The stride of an axis of size 1 is never taken.
  // CHECK: outs({{.*}} : memref<8x1xf32, strided<[5, 5]>>)
  norm.rms_norm epsilon(1.0e-05) ins(%one : memref<8x1xf32, strided<[5, 5]>>) outs(%one : memref<8x1xf32, strided<[5, 5]>>)
  // CHECK: outs({{.*}} : memref<8x64xf32, 3>)
  norm.rms_norm epsilon(1.0e-05) ins(%space : memref<8x64xf32, 3>) outs(%space : memref<8x64xf32, 3>)
  return
}

// epsilon is f64 and gamma_offset f32, in the fewest digits that read back the
// same.
// CHECK-LABEL: func.func @numbers
func.func @numbers(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>) {
  // CHECK: epsilon(1.1920928955078125e-7) ins
  %0 = norm.rms_norm epsilon(1.1920928955078125e-07) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: epsilon(1.0e-45) ins
  %1 = norm.rms_norm epsilon(1.0e-45) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: epsilon(1.0e+0) gamma_offset(1.0e-1) ins
  %2 = norm.rms_norm epsilon(1.0) gamma_offset(0.1) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: epsilon(3.0000000000000004e-1) gamma_offset(1.0e+9) ins
  %3 = norm.rms_norm epsilon(0.30000000000000004) gamma_offset(1.0e9) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

//===----------------------------------------------------------------------===//
// norm.rms_norm_backward: masks, accumulate, ranks, layouts
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @backward_masks(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x64xf16>, %[[DY:[a-z0-9]+]]: tensor<8x64xbf16>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<64xbf16>, %[[DG:[a-z0-9]+]]: tensor<64xf16>, %[[SUM:[a-z0-9]+]]: tensor<64xf32>
func.func @backward_masks(%x: tensor<8x64xf16>, %dy: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %gamma: tensor<64xbf16>, %dg: tensor<64xf16>, %sum: tensor<64xf32>) {
  // CHECK: norm.rms_norm_backward ins(%[[X]], %[[DY]], %[[RSTD]] : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>){{$}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>)
  // CHECK: norm.rms_norm_backward ins(%[[X]], %[[DY]], %[[RSTD]] : {{.*}}) input_grad(%[[X]] : tensor<8x64xf16>) -> tensor<8x64xf16>
  %0 = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>)
      input_grad(%x : tensor<8x64xf16>) -> tensor<8x64xf16>
  // CHECK: norm.rms_norm_backward gamma_offset(1.0e+0) ins(%[[X]], %[[DY]], %[[RSTD]], %[[GAMMA]] : {{.*}}) input_grad(%[[X]] : tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = norm.rms_norm_backward gamma_offset(1.0) ins(%x, %dy, %rstd, %gamma : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>, tensor<64xbf16>)
      input_grad(%x : tensor<8x64xf16>) -> tensor<8x64xf16>
  // Without gamma the weight gradient may have any of the element types.
  // CHECK: norm.rms_norm_backward ins(%[[X]], %[[DY]], %[[RSTD]] : {{.*}}) weight_grad(%[[DG]] : tensor<64xf16>) -> tensor<64xf16>
  %2 = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>)
      weight_grad(%dg : tensor<64xf16>) -> tensor<64xf16>
  // CHECK: norm.rms_norm_backward accumulate ins(%[[X]], %[[DY]], %[[RSTD]] : {{.*}}) weight_grad(%[[SUM]] : tensor<64xf32>) -> tensor<64xf32>
  %3 = norm.rms_norm_backward accumulate ins(%x, %dy, %rstd : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>)
      weight_grad(%sum : tensor<64xf32>) -> tensor<64xf32>
  // CHECK: norm.rms_norm_backward accumulate gamma_offset(1.0e+0) ins(%[[X]], %[[DY]], %[[RSTD]], %[[GAMMA]] : {{.*}}) input_grad(%[[X]] : tensor<8x64xf16>) weight_grad(%[[SUM]] : tensor<64xf32>)
  // CHECK-SAME: {schedule = #norm.schedule<parts = 8>} -> tensor<8x64xf16>, tensor<64xf32>
  %4, %5 = norm.rms_norm_backward accumulate gamma_offset(1.0) ins(%x, %dy, %rstd, %gamma : tensor<8x64xf16>, tensor<8x64xbf16>, tensor<8xf32>, tensor<64xbf16>)
      input_grad(%x : tensor<8x64xf16>) weight_grad(%sum : tensor<64xf32>) {schedule = #norm.schedule<parts = 8>} -> tensor<8x64xf16>, tensor<64xf32>
  return
}

// CHECK-LABEL: func.func @backward_ranks
func.func @backward_ranks(%x1: tensor<64xf32>, %r0: tensor<f32>, %x2: tensor<0x?xf32>, %r1: tensor<0xf32>, %dg: tensor<?xf32>, %x4: tensor<?x3x5x64xf32>,
                          %r3: tensor<?x3x5xf32>, %g: tensor<64xf32>) {
  // CHECK: ins({{.*}} : tensor<64xf32>, tensor<64xf32>, tensor<f32>) input_grad({{.*}}) weight_grad({{.*}}) -> tensor<64xf32>, tensor<64xf32>
  %0, %1 = norm.rms_norm_backward ins(%x1, %x1, %r0 : tensor<64xf32>, tensor<64xf32>, tensor<f32>)
      input_grad(%x1 : tensor<64xf32>) weight_grad(%g : tensor<64xf32>) -> tensor<64xf32>, tensor<64xf32>
  // CHECK: ins({{.*}} : tensor<0x?xf32>, tensor<0x?xf32>, tensor<0xf32>) weight_grad({{.*}}) -> tensor<?xf32>
  %2 = norm.rms_norm_backward ins(%x2, %x2, %r1 : tensor<0x?xf32>, tensor<0x?xf32>, tensor<0xf32>) weight_grad(%dg : tensor<?xf32>) -> tensor<?xf32>
  // CHECK: ins({{.*}} : tensor<?x3x5x64xf32>, tensor<?x3x5x64xf32>, tensor<?x3x5xf32>, tensor<64xf32>) input_grad({{.*}}) -> tensor<?x3x5x64xf32>
  %3 = norm.rms_norm_backward ins(%x4, %x4, %r3, %g : tensor<?x3x5x64xf32>, tensor<?x3x5x64xf32>, tensor<?x3x5xf32>, tensor<64xf32>)
      input_grad(%x4 : tensor<?x3x5x64xf32>) -> tensor<?x3x5x64xf32>
  return
}

// dy may be one value for all columns, or for all rows and columns.
// CHECK-LABEL: func.func @backward_memrefs
func.func @backward_memrefs(%x: memref<8x64xf32>, %dy: memref<8x64xf32, strided<[1, 0]>>, %scalar: memref<8x64xf32, strided<[0, 0]>>, %rstd: memref<8xf32>,
                            %dx: memref<8x64xf32, strided<[72, 1], offset: 3>>, %dg: memref<64xf32>) {
  // CHECK: ins({{.*}} : memref<8x64xf32>, memref<8x64xf32, strided<[1, 0]>>, memref<8xf32>) input_grad({{.*}} : memref<8x64xf32, strided<[72, 1], offset: 3>>) weight_grad({{.*}} : memref<64xf32>){{$}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<8x64xf32>, memref<8x64xf32, strided<[1, 0]>>, memref<8xf32>)
      input_grad(%dx : memref<8x64xf32, strided<[72, 1], offset: 3>>) weight_grad(%dg : memref<64xf32>)
  // CHECK: accumulate ins({{.*}} : memref<8x64xf32>, memref<8x64xf32, strided<[0, 0]>>, memref<8xf32>) weight_grad({{.*}} : memref<64xf32>){{$}}
  norm.rms_norm_backward accumulate ins(%x, %scalar, %rstd : memref<8x64xf32>, memref<8x64xf32, strided<[0, 0]>>, memref<8xf32>)
      weight_grad(%dg : memref<64xf32>)
  return
}
