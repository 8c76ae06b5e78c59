// Rows that are written must not overlap; strides that only a run knows are
// checked before anything is written, on each device.
//
// DEFINE: %{device} = cpu
// DEFINE: %{run} = rudnn-runner %s --device=%{device} --check --entry=f
// DEFINE: %{bad} = %python %S/Inputs/exits.py 2 %{run}
// DEFINE: %{empty} = rudnn-runner %s --device=%{device} --check --entry=heads --rows=0 --strides=1=0,64,1
// DEFINE: %{all} = %{run} --rows=5 --strides=1=256,64,1 \
// DEFINE:   && %{run} --rows=5 --strides=1=64,320,1 \
// DEFINE:   && %{bad} --rows=5 --strides=1=64,319,1 2>&1 | FileCheck %s --check-prefix=INNER \
// DEFINE:   && %{bad} --rows=5 --strides=1=64,64,1 2>&1 | FileCheck %s --check-prefix=OUTER \
// DEFINE:   && %{bad} --rows=5 --strides=1=0,64,1 2>&1 | FileCheck %s --check-prefix=OUTER \
// DEFINE:   && %{run} --rows=1 --strides=1=0,64,1 \
// DEFINE:   && %{empty}
// RUN: %{all}
// REDEFINE: %{device} = emulate
// RUN: %{all}

// INNER: rms_norm_c10: expected rows of y that do not overlap along axis 1
// OUTER: rms_norm_c10: expected rows of y that do not overlap along axis 0
func.func @f(%x: memref<?x4x64xf32>, %y: memref<?x4x64xf32, strided<[?, ?, 1]>>) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<?x4x64xf32>) outs(%y : memref<?x4x64xf32, strided<[?, ?, 1]>>)
  return
}

// No heads, so no rows, whatever the stride of the other axis.
func.func @heads(%x: memref<4x?x64xf32>, %y: memref<4x?x64xf32, strided<[?, ?, 1]>>) {
  norm.rms_norm epsilon(1.0e-5) ins(%x : memref<4x?x64xf32>) outs(%y : memref<4x?x64xf32, strided<[?, ?, 1]>>)
  return
}
