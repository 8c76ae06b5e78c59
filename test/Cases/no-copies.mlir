// RUN: rudnn-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --cse --canonicalize | FileCheck %s --implicit-check-not=memref.copy

// Bufferization gives each value that is alive at the same time one buffer, and
// copies none: a loop over slabs, a branch, a call, a norm
// of a norm, and a shared gamma.

// CHECK-LABEL: func.func @loop(
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: norm.rms_norm
// CHECK-SAME: outs(%{{.*}} : memref<16x512xbf16, strided<[512, 1], offset: ?>>)
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @loop(%x: tensor<64x512xbf16>, %y0: tensor<64x512xbf16>, %gamma: tensor<512xbf16>)
    -> tensor<64x512xbf16> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %y = scf.for %i = %c0 to %c64 step %c16 iter_args(%it = %y0) -> (tensor<64x512xbf16>) {
    %xi = tensor.extract_slice %x[%i, 0] [16, 512] [1, 1] : tensor<64x512xbf16> to tensor<16x512xbf16>
    %yi0 = tensor.extract_slice %it[%i, 0] [16, 512] [1, 1] : tensor<64x512xbf16> to tensor<16x512xbf16>
    %yi = norm.rms_norm epsilon(1.0e-05)
        ins(%xi, %gamma : tensor<16x512xbf16>, tensor<512xbf16>)
        outs(%yi0 : tensor<16x512xbf16>) -> tensor<16x512xbf16>
    %next = tensor.insert_slice %yi into %it[%i, 0] [16, 512] [1, 1] : tensor<16x512xbf16> into tensor<64x512xbf16>
    scf.yield %next : tensor<64x512xbf16>
  }
  return %y : tensor<64x512xbf16>
}

// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<64x512xbf16>
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<64x512xbf16>
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: ins(%[[X]], %{{.*}}) outs(%[[Y]] : memref<64x512xbf16>)
// CHECK: else
// CHECK: ins(%[[X]] : {{.*}}) outs(%[[Y]] : memref<64x512xbf16>)
func.func @branch(%x: tensor<64x512xbf16>, %y0: tensor<64x512xbf16>, %gamma: tensor<512xbf16>,
                  %affine: i1) -> tensor<64x512xbf16> {
  %y = scf.if %affine -> (tensor<64x512xbf16>) {
    %a = norm.rms_norm epsilon(1.0e-05)
        ins(%x, %gamma : tensor<64x512xbf16>, tensor<512xbf16>)
        outs(%y0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    scf.yield %a : tensor<64x512xbf16>
  } else {
    %b = norm.rms_norm epsilon(1.0e-05)
        ins(%x : tensor<64x512xbf16>) outs(%y0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    scf.yield %b : tensor<64x512xbf16>
  }
  return %y : tensor<64x512xbf16>
}

// One buffer for the first norm, which the second reads; the call writes into
// the destination that it was given.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: call @branch
// CHECK: return
func.func @chain(%x: tensor<64x512xbf16>, %y0: tensor<64x512xbf16>, %gamma: tensor<512xbf16>,
                 %affine: i1) -> tensor<64x512xbf16> {
  %empty = tensor.empty() : tensor<64x512xbf16>
  %a = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<64x512xbf16>, tensor<512xbf16>)
      outs(%empty : tensor<64x512xbf16>) -> tensor<64x512xbf16>
  %b = func.call @branch(%a, %y0, %gamma, %affine)
      : (tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<512xbf16>, i1) -> tensor<64x512xbf16>
  return %b : tensor<64x512xbf16>
}

// Rows of a wider tensor are read and written where they are.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: memref.alloc
// CHECK: norm.rms_norm
// CHECK-SAME: strided<[576, 1]>
// CHECK: norm.rms_norm_backward
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @in_place(%wide: tensor<64x576xbf16>, %dy: tensor<64x512xbf16>, %rstd0: tensor<64xf32>,
                    %dgamma0: tensor<512xf32>, %dx_wide: tensor<64x576xbf16>)
    -> (tensor<64x576xbf16>, tensor<512xf32>) {
  %x = tensor.extract_slice %wide[0, 0] [64, 512] [1, 1] : tensor<64x576xbf16> to tensor<64x512xbf16>
  %dx0 = tensor.extract_slice %dx_wide[0, 64] [64, 512] [1, 1] : tensor<64x576xbf16> to tensor<64x512xbf16>
  %y0 = tensor.extract_slice %dx_wide[0, 64] [64, 512] [1, 1] : tensor<64x576xbf16> to tensor<64x512xbf16>
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x : tensor<64x512xbf16>) outs(%y0, %rstd0 : tensor<64x512xbf16>, tensor<64xf32>)
      -> tensor<64x512xbf16>, tensor<64xf32>
  %dx, %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>)
      input_grad(%dx0 : tensor<64x512xbf16>) weight_grad(%dgamma0 : tensor<512xf32>)
      -> tensor<64x512xbf16>, tensor<512xf32>
  %out = tensor.insert_slice %dx into %dx_wide[0, 64] [64, 512] [1, 1] : tensor<64x512xbf16> into tensor<64x576xbf16>
  return %out, %dgamma : tensor<64x576xbf16>, tensor<512xf32>
}
