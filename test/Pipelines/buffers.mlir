// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3 parts=8" --mlir-print-ir-before=norm-distribute -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=memref.copy --implicit-check-not=bufferization.clone --implicit-check-not=linalg. --implicit-check-not='{{(= |^ *)tensor[.]}}'

// What the whole pipeline makes of tensors: no copy, and no buffer but the
// partials of weight gradients and values that nobody gave a destination.

// CHECK: IR Dump Before NormDistribute

// A result in a destination from outside is not returned as well.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: memref<?xf32>) {
// CHECK-NOT: memref.alloc
// CHECK: scf.forall
// CHECK: return{{$}}
func.func @forward(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xf32>, %y0: tensor<?x4096xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x4096xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xf32>) outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>) -> tensor<?x4096xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x4096xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @forward_dynamic(
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
func.func @forward_dynamic(%x: tensor<?x?xbf16>, %gamma: tensor<?xf32>, %y0: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xbf16>, tensor<?xf32>) outs(%y0 : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %y : tensor<?x?xbf16>
}

// CHECK-LABEL: func.func @forward_memref(
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
func.func @forward_memref(%x: memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, %gamma: memref<128xbf16>, %y: memref<?x32x128xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x32x128xbf16, strided<[6144, 128, 1], offset: ?>>, memref<128xbf16>) outs(%y : memref<?x32x128xbf16>)
  return
}

// CHECK-LABEL: func.func @input_grad(
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
func.func @input_grad(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xf32>, %dx0: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %dx = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>) input_grad(%dx0 : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
  return %dx : tensor<?x4096xbf16>
}

// CHECK-LABEL: func.func @weight_grad(
// CHECK: memref.alloc() {{.*}}: memref<8x4096xf32>
// CHECK-NOT: memref.alloc(
// CHECK: memref.dealloc
// CHECK: return{{$}}
func.func @weight_grad(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>) -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}

// Rounded to 16 bits there is still nothing but the partials.
// CHECK-LABEL: func.func @both(
// CHECK: memref.alloc() {{.*}}: memref<8x4096xf32>
// CHECK-NOT: memref.alloc(
// CHECK: memref.dealloc
// CHECK: return{{$}}
func.func @both(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xbf16>, %dx0: tensor<?x4096xbf16>, %dw0: tensor<4096xbf16>) -> (tensor<?x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xbf16>)
      input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<?x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<?x4096xbf16>, tensor<4096xbf16>
}

// CHECK-LABEL: func.func @both_dynamic(
// CHECK: memref.alloc(%{{.+}}) {{.*}}: memref<8x?xf32>
// CHECK-NOT: memref.alloc(
// CHECK: return{{$}}
func.func @both_dynamic(%x: tensor<?x?xf32>, %rstd: tensor<?xf32>, %gamma: tensor<?xbf16>, %dx0: tensor<?x?xf32>, %dw0: tensor<?xbf16>) -> (tensor<?x?xf32>, tensor<?xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?xbf16>)
      input_grad(%dx0 : tensor<?x?xf32>) weight_grad(%dw0 : tensor<?xbf16>) -> tensor<?x?xf32>, tensor<?xbf16>
  return %dx, %dw : tensor<?x?xf32>, tensor<?xbf16>
}

// A loop over slabs.
// CHECK-LABEL: func.func @in_loop(
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: scf.forall
// CHECK: return{{$}}
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

// A branch, and a call of it with a value that is needed for the call alone.
// CHECK-LABEL: func.func private @branch(
// CHECK-NOT: memref.alloc
// CHECK: scf.if
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: return{{$}}
func.func private @branch(%x: tensor<64x512xf32>, %gamma: tensor<512xf32>, %y0: tensor<64x512xf32>, %affine: i1) -> tensor<64x512xf32> {
  %y = scf.if %affine -> (tensor<64x512xf32>) {
    %a = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<64x512xf32>, tensor<512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
    scf.yield %a : tensor<64x512xf32>
  } else {
    %b = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
    scf.yield %b : tensor<64x512xf32>
  }
  return %y : tensor<64x512xf32>
}

// CHECK-LABEL: func.func @chain(
// CHECK: %[[BETWEEN:.+]] = memref.alloc() {{.*}}: memref<64x512xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @branch(%[[BETWEEN]],
// CHECK: memref.dealloc %[[BETWEEN]]
// CHECK: return{{$}}
func.func @chain(%x: tensor<64x512xf32>, %gamma: tensor<512xf32>, %y0: tensor<64x512xf32>, %affine: i1) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %a = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<64x512xf32>, tensor<512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = func.call @branch(%a, %gamma, %y0, %affine) : (tensor<64x512xf32>, tensor<512xf32>, tensor<64x512xf32>, i1) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

// A result without a destination is the caller's to free.
// CHECK-LABEL: func.func @fresh(
// CHECK-SAME: -> memref<64x512xf32>
// CHECK: %[[Y:.+]] = memref.alloc() {{.*}}: memref<64x512xf32>
// CHECK-NOT: memref.dealloc
// CHECK: return %[[Y]]
func.func @fresh(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

// Heads of a packed tensor are read where they lie.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: memref.alloc
// CHECK: scf.forall
// CHECK: return{{$}}
func.func @slice(%qkv: tensor<?x48x128xbf16>, %tokens: index, %y0: tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16> {
  %q = tensor.extract_slice %qkv[0, 0, 0] [%tokens, 32, 128] [1, 1, 1] : tensor<?x48x128xbf16> to tensor<?x32x128xbf16>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%q : tensor<?x32x128xbf16>) outs(%y0 : tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16>
  return %y : tensor<?x32x128xbf16>
}

// One row of run-time length goes through a reshape and back.
// CHECK-LABEL: func.func @rank_1(
// CHECK-SAME: memref<?xbf16>) {
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
func.func @rank_1(%x: tensor<?xbf16>, %y0: tensor<?xbf16>) -> tensor<?xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?xbf16>) outs(%y0 : tensor<?xbf16>) -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}
