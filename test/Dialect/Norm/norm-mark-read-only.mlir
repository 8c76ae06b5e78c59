// RUN: rudnn-opt %s --norm-mark-read-only | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %arg0: tensor<4x64xf32> {bufferization.writable = false}) ->
func.func @f(%a: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %max = arith.maximumf %a, %a : tensor<4x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%a : tensor<4x64xf32>)
      outs(%max : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @folds_to_argument(
// CHECK-SAME: %arg0: tensor<4x64xf32> {bufferization.writable = false}, %arg1: tensor<4x64xf32>) ->
func.func @folds_to_argument(%a: tensor<4x64xf32>, %y0: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %max = arith.maximumf %a, %a : tensor<4x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%a : tensor<4x64xf32>)
      outs(%max : tensor<4x64xf32>) -> tensor<4x64xf32>
  %z = norm.rms_norm epsilon(1.0e-5) ins(%a : tensor<4x64xf32>)
      outs(%y0 : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y, %z : tensor<4x64xf32>, tensor<4x64xf32>
}

// What shares the buffer of a destination is one; who said otherwise is heard.
// CHECK-LABEL: func.func @through_views(
// CHECK-SAME: tensor<8x64xf32>, %arg1: tensor<8x64xf32> {bufferization.writable = true}, %arg2: tensor<?x64xf32>)
func.func @through_views(%all: tensor<8x64xf32>, %x: tensor<8x64xf32> {bufferization.writable = true},
                         %rows: tensor<?x64xf32>) -> (tensor<4x64xf32>, tensor<8x64xf32>) {
  %part = tensor.extract_slice %all[4, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%part : tensor<4x64xf32>)
      outs(%part : tensor<4x64xf32>) -> tensor<4x64xf32>
  %cast = tensor.cast %rows : tensor<?x64xf32> to tensor<8x64xf32>
  %z = tensor.insert_slice %y into %cast[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<8x64xf32>
  return %y, %z : tensor<4x64xf32>, tensor<8x64xf32>
}

// CHECK-LABEL: func.func @through_regions(
// CHECK-SAME: tensor<4x64xf32>, %arg1: tensor<4x64xf32>, %arg2: tensor<4x64xf32> {bufferization.writable = false}, %arg3: i1, %arg4: index)
func.func @through_regions(%a: tensor<4x64xf32>, %b: tensor<4x64xf32>, %read: tensor<4x64xf32>,
                           %p: i1, %n: index) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %picked = scf.if %p -> tensor<4x64xf32> {
    scf.yield %a : tensor<4x64xf32>
  } else {
    %empty = tensor.empty() : tensor<4x64xf32>
    scf.yield %empty : tensor<4x64xf32>
  }
  %y = norm.rms_norm epsilon(1.0e-5) ins(%read : tensor<4x64xf32>)
      outs(%picked : tensor<4x64xf32>) -> tensor<4x64xf32>
  %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%zi = %b, %ri = %read)
      -> (tensor<4x64xf32>, tensor<4x64xf32>) {
    %next = norm.rms_norm epsilon(1.0e-5) ins(%ri : tensor<4x64xf32>)
        outs(%zi : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %next, %ri : tensor<4x64xf32>, tensor<4x64xf32>
  }
  return %y, %z#0 : tensor<4x64xf32>, tensor<4x64xf32>
}

// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: tensor<4x64xf32> {bufferization.writable = false}, %arg1: tensor<4x64xf32>)
func.func private @callee(%x: tensor<4x64xf32>, %y0: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<4x64xf32>)
      outs(%y0 : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK-SAME: tensor<4x64xf32> {bufferization.writable = false}, %arg1: tensor<4x64xf32>)
func.func @caller(%x: tensor<4x64xf32>, %y0: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %y = call @callee(%x, %y0) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}

// CHECK: func.func private @declared(tensor<4x64xf32>)
func.func private @declared(tensor<4x64xf32>)
