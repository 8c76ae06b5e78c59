// RUN: rudnn-opt %s --split-input-file --verify-diagnostics

// On buffers a last axis that is not contiguous is refused, with the operand
// named, for each operand; dy alone may be one value for a whole row.

func.func @x(%x: memref<21x130xf32, strided<[1, 21]>>, %y: memref<21x130xf32>) {
  // expected-error @below {{expected the last axis of x to have stride 1, got 21}}
  norm.rms_norm epsilon(1.0e-05)
      ins(%x : memref<21x130xf32, strided<[1, 21]>>) outs(%y : memref<21x130xf32>)
  return
}

// -----

func.func @y(%x: memref<21x130xf32>, %y: memref<21x130xf32, strided<[1, 21]>>) {
  // expected-error @below {{expected the last axis of y to have stride 1, got 21}}
  norm.rms_norm epsilon(1.0e-05)
      ins(%x : memref<21x130xf32>) outs(%y : memref<21x130xf32, strided<[1, 21]>>)
  return
}

// -----

func.func @gamma(%x: memref<21x130xf32>, %gamma: memref<130xf32, strided<[2]>>, %y: memref<21x130xf32>) {
  // expected-error @below {{expected the last axis of gamma to have stride 1, got 2}}
  norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : memref<21x130xf32>, memref<130xf32, strided<[2]>>) outs(%y : memref<21x130xf32>)
  return
}

// -----

func.func @expanded_gamma(%x: memref<21x130xf32>, %gamma: memref<130xf32, strided<[0]>>, %y: memref<21x130xf32>) {
  // expected-error @below {{expected the last axis of gamma to have stride 1, got 0}}
  norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : memref<21x130xf32>, memref<130xf32, strided<[0]>>) outs(%y : memref<21x130xf32>)
  return
}

// -----

func.func @dy(%x: memref<21x130xf32>, %dy: memref<21x130xf32, strided<[130, ?]>>, %rstd: memref<21xf32>,
              %dx: memref<21x130xf32>) {
  // expected-error @below {{expected the last axis of dy to have stride 1, got a dynamic stride}}
  norm.rms_norm_backward
      ins(%x, %dy, %rstd : memref<21x130xf32>, memref<21x130xf32, strided<[130, ?]>>, memref<21xf32>)
      input_grad(%dx : memref<21x130xf32>)
  return
}

// -----

func.func @input_grad(%x: memref<21x130xf32>, %rstd: memref<21xf32>, %dx: memref<21x130xf32, strided<[130, 0]>>) {
  // expected-error @below {{expected the last axis of input_grad to have stride 1, got 0}}
  norm.rms_norm_backward
      ins(%x, %x, %rstd : memref<21x130xf32>, memref<21x130xf32>, memref<21xf32>)
      input_grad(%dx : memref<21x130xf32, strided<[130, 0]>>)
  return
}
