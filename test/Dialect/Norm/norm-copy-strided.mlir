// RUN: rudnn-opt %s --norm-copy-strided | FileCheck %s --implicit-check-not=bufferization.alloc_tensor

// CHECK-LABEL: func.func @loop(
// CHECK: %[[X:.+]] = tensor.extract_slice
// CHECK: %[[COPY:.+]] = bufferization.alloc_tensor() copy(%[[X]]) : tensor<4x64xf32>
// CHECK: scf.for {{.*}} iter_args(%[[XI:.+]] = %[[COPY]])
// CHECK: norm.rms_norm {{.*}} ins(%[[XI]] :
func.func @loop(%all: tensor<3x4x64xf32>, %n: index) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract_slice %all[1, 0, 0] [1, 4, 64] [1, 1, 1]
      : tensor<3x4x64xf32> to tensor<4x64xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%yi = %x) -> (tensor<4x64xf32>) {
    %fresh = tensor.empty() : tensor<4x64xf32>
    %next = norm.rms_norm epsilon(1.0e-5) ins(%yi : tensor<4x64xf32>)
        outs(%fresh : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %next : tensor<4x64xf32>
  }
  return %y : tensor<4x64xf32>
}

// Only the branch that has the slice copies it.
// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK: scf.yield %[[Z:.+]] :
// CHECK: } else {
// CHECK-NEXT: %[[COPY:.+]] = bufferization.alloc_tensor() copy(%extracted_slice)
// CHECK-NEXT: scf.yield %[[COPY]]
func.func @branch(%all: tensor<?x64xf32>, %z: tensor<?x64xf32>, %m: index, %p: i1) -> tensor<?x64xf32> {
  %x = tensor.extract_slice %all[2, 0] [%m, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
  %r = scf.if %p -> tensor<?x64xf32> {
    scf.yield %z : tensor<?x64xf32>
  } else {
    scf.yield %x : tensor<?x64xf32>
  }
  %y = norm.rms_norm epsilon(1.0e-5) ins(%r : tensor<?x64xf32>) outs(%z : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// In a loop in a loop, and both regions of a while.
// CHECK-LABEL: func.func @while(
// CHECK: %[[COPY:.+]] = bufferization.alloc_tensor() copy(%extracted_slice)
// CHECK: scf.while (%{{.+}} = %[[COPY]])
func.func @while(%all: tensor<8x64xf32>, %p: i1, %n: index) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract_slice %all[2, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  %r = scf.while (%w = %x) : (tensor<4x64xf32>) -> tensor<4x64xf32> {
    scf.condition(%p) %w : tensor<4x64xf32>
  } do {
  ^bb0(%w: tensor<4x64xf32>):
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%xi = %w) -> (tensor<4x64xf32>) {
      %fresh = tensor.empty() : tensor<4x64xf32>
      %yi = norm.rms_norm epsilon(1.0e-5) ins(%xi : tensor<4x64xf32>) outs(%fresh : tensor<4x64xf32>) -> tensor<4x64xf32>
      scf.yield %yi : tensor<4x64xf32>
    }
    scf.yield %y : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}

// Every other column, a column of a matrix: one copy for all who read it.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[X:.+]] = tensor.extract_slice
// CHECK-NEXT: %[[XC:.+]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK-NEXT: %[[GAMMA:.+]] = tensor.extract_slice
// CHECK-NEXT: %[[GC:.+]] = bufferization.alloc_tensor() copy(%[[GAMMA]])
// CHECK-NEXT: %[[RSTD:.+]] = tensor.extract_slice
// CHECK: scf.for
// CHECK: norm.rms_norm {{.*}} ins(%[[XC]], %[[GC]] :
// CHECK: norm.rms_norm_backward ins(%[[XC]], %{{.+}}, %[[RSTD]], %[[GC]] :
func.func @columns(%a: tensor<4x128xf32>, %g: tensor<64x2xf32>, %s: tensor<4x2xf32>, %y0: tensor<4x64xf32>, %dx0: tensor<4x64xf32>, %n: index) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract_slice %a[0, 0] [4, 64] [1, 2] : tensor<4x128xf32> to tensor<4x64xf32>
  %gamma = tensor.extract_slice %g[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64xf32>
  %rstd = tensor.extract_slice %s[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%yi = %y0, %dxi = %dx0) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
    %y = norm.rms_norm epsilon(1.0e-5) ins(%x, %gamma : tensor<4x64xf32>, tensor<64xf32>) outs(%yi : tensor<4x64xf32>) -> tensor<4x64xf32>
    %dx = norm.rms_norm_backward ins(%x, %y, %rstd, %gamma : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4xf32>, tensor<64xf32>)
        input_grad(%dxi : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %y, %dx : tensor<4x64xf32>, tensor<4x64xf32>
  }
  return %r#0, %r#1 : tensor<4x64xf32>, tensor<4x64xf32>
}

// A destination is not copied, unless it is added to. An empty one would become
// the place that it is inserted into.
// CHECK-LABEL: func.func @destinations(
// CHECK: %[[Y:.+]] = tensor.extract_slice
// CHECK: %[[M:.+]] = tensor.dim %[[Y]], %c0
// CHECK: %[[FRESH:.+]] = bufferization.alloc_tensor(%[[M]]) : tensor<?x64xf32>
// CHECK: norm.rms_norm {{.*}} outs(%[[FRESH]] :
// CHECK: %[[DW:.+]] = tensor.extract_slice
// CHECK: %[[COPY:.+]] = bufferization.alloc_tensor() copy(%[[DW]])
// CHECK: weight_grad(%[[COPY]] :
// CHECK: %[[EMPTY:.+]] = bufferization.alloc_tensor() : tensor<4x64xf32>
// CHECK: norm.rms_norm {{.*}} outs(%[[EMPTY]] :
func.func @destinations(%x: tensor<?x64xf32>, %rstd: tensor<?xf32>, %four: tensor<4x64xf32>, %wide: tensor<?x128xf32>, %grads: tensor<64x3xf32>, %other: tensor<4x128xf32>, %m: index) -> (tensor<?x128xf32>, tensor<64x3xf32>, tensor<4x128xf32>) {
  %y0 = tensor.extract_slice %wide[0, 1] [%m, 64] [1, 2] : tensor<?x128xf32> to tensor<?x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %a = tensor.insert_slice %y into %wide[0, 1] [%m, 64] [1, 2] : tensor<?x64xf32> into tensor<?x128xf32>
  %dw0 = tensor.extract_slice %grads[0, 1] [64, 1] [1, 1] : tensor<64x3xf32> to tensor<64xf32>
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  %b = tensor.insert_slice %dw into %grads[0, 1] [64, 1] [1, 1] : tensor<64xf32> into tensor<64x3xf32>
  %empty = tensor.empty() : tensor<4x64xf32>
  %z = norm.rms_norm epsilon(1.0e-5) ins(%four : tensor<4x64xf32>) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
  %c = tensor.insert_slice %z into %other[0, 0] [4, 64] [1, 2] : tensor<4x64xf32> into tensor<4x128xf32>
  return %a, %b, %c : tensor<?x128xf32>, tensor<64x3xf32>, tensor<4x128xf32>
}

// These are read and written where they are: slices of the same layout from
// two branches, a destination that goes round in a loop, an empty tensor that
// becomes a slice, what is not bufferizable yet.
// CHECK-LABEL: func.func @in_place(
func.func @in_place(%a: tensor<8x96xf32>, %b: tensor<8x96xf32>, %out: tensor<8x96xf32>, %p: i1, %n: index) -> (tensor<8x96xf32>, tensor<8x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %xa = tensor.extract_slice %a[0, 32] [8, 64] [1, 1] : tensor<8x96xf32> to tensor<8x64xf32>
  %xb = tensor.extract_slice %b[0, 32] [8, 64] [1, 1] : tensor<8x96xf32> to tensor<8x64xf32>
  %x = scf.if %p -> tensor<8x64xf32> {
    scf.yield %xa : tensor<8x64xf32>
  } else {
    scf.yield %xb : tensor<8x64xf32>
  }
  %y0 = tensor.extract_slice %out[0, 0] [8, 64] [1, 1] : tensor<8x96xf32> to tensor<8x64xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%yi = %y0) -> (tensor<8x64xf32>) {
    %next = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<8x64xf32>) outs(%yi : tensor<8x64xf32>) -> tensor<8x64xf32>
    scf.yield %next : tensor<8x64xf32>
  }
  %r = tensor.insert_slice %y into %out[0, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<8x96xf32>
  %e0 = tensor.empty() : tensor<8x64xf32>
  %soft = linalg.softmax dimension(1) ins(%y : tensor<8x64xf32>) outs(%e0 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e1 = tensor.empty() : tensor<8x64xf32>
  %z = norm.rms_norm epsilon(1.0e-5) ins(%soft : tensor<8x64xf32>) outs(%e1 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = tensor.insert_slice %z into %b[0, 32] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<8x96xf32>
  return %r, %s : tensor<8x96xf32>, tensor<8x96xf32>
}
