// RUN: rudnn-opt %s --norm-assign-schedule | FileCheck %s --check-prefixes=CHECK,CHOSEN
// RUN: rudnn-opt %s --norm-assign-schedule="vector-bits=256 unroll=2 parts=32 prefetch=3 nontemporal=4096" | FileCheck %s --check-prefixes=CHECK,GIVEN
// RUN: rudnn-opt %s --norm-assign-schedule="vector-bits=128 parts=0 prefetch=0 nontemporal=0" | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: rudnn-opt %s --norm-assign-schedule="cache-bytes=8192" | FileCheck %s --check-prefix=CACHE
// RUN: not rudnn-opt %s --norm-assign-schedule="vector-bits=384" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not rudnn-opt %s --norm-assign-schedule="unroll=17" 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not rudnn-opt %s --norm-assign-schedule="parts=65537" 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not rudnn-opt %s --norm-assign-schedule="prefetch=65" 2>&1 | FileCheck %s --check-prefix=PREFETCH
// RUN: not rudnn-opt %s --norm-assign-schedule="unroll=-1" 2>&1 | FileCheck %s --check-prefix=UNROLL-NEGATIVE
// RUN: not rudnn-opt %s --norm-assign-schedule="parts=-5" 2>&1 | FileCheck %s --check-prefix=PARTS-NEGATIVE
// RUN: not rudnn-opt %s --norm-assign-schedule="prefetch=-2" 2>&1 | FileCheck %s --check-prefix=PREFETCH-NEGATIVE
// RUN: not rudnn-opt %s --norm-assign-schedule="nontemporal=-7" 2>&1 | FileCheck %s --check-prefix=NONTEMPORAL
// RUN: rudnn-opt %s --norm-assign-schedule="unroll=0 parts=-1 prefetch=-1 nontemporal=-1" | FileCheck %s --check-prefixes=CHECK,CHOSEN
// RUN: not rudnn-opt %s --norm-assign-schedule="unroll=wide" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not rudnn-opt %s --norm-assign-schedule="threads=2" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CACHE: #norm.schedule<{{.*}}nontemporal = 4096>
// BITS: error: expected vector-bits to be 128, 256 or 512, got 384
// UNROLL: norm-assign-schedule.mlir:[[#]]:{{.*}}error: 'norm.rms_norm' op schedule from options: expected unroll in 1..16, got 17
// PARTS: error: 'norm.rms_norm' op schedule from options: expected parts in 0..65536, got 65537
// PREFETCH: error: 'norm.rms_norm' op schedule from options: expected prefetch in 0..64 rows, got 65
// UNROLL-NEGATIVE: expected unroll in 1..16, got -1
// PARTS-NEGATIVE: expected parts in 0..65536, got -5
// PREFETCH-NEGATIVE: expected prefetch in 0..64 rows, got -2
// NONTEMPORAL: expected nontemporal to be a number of bytes >= 0, got -7
// TEXT: for the {{.*}}unroll option: 'wide' value invalid
// UNKNOWN: no such option threads

// CHECK-LABEL: func.func @wide(
// CHOSEN: schedule = #norm.schedule<unroll = 8, prefetch = 1>
// GIVEN: schedule = #norm.schedule<vector = 8, unroll = 2, parts = 32, prefetch = 3, nontemporal = 4096>
// NARROW: schedule = #norm.schedule<vector = 4, unroll = 8>
func.func @wide(%x: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x4096xbf16>) outs(%x : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
  return %y : tensor<?x4096xbf16>
}

// A step is no longer than the row, and few rows are one part.
// CHECK-LABEL: func.func @short(
// CHOSEN: schedule = #norm.schedule<unroll = 1, parts = 1>
// NARROW: schedule = #norm.schedule<vector = 4>
func.func @short(%x: memref<8x16xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x16xf32>) outs(%x : memref<8x16xf32>)
  return
}

// CHECK-LABEL: func.func @backward(
// CHOSEN: schedule = #norm.schedule<>
// GIVEN: schedule = #norm.schedule<vector = 8, unroll = 2, parts = 32, prefetch = 3, nontemporal = 4096>
func.func @backward(%x: tensor<?x?xf32>, %rstd: tensor<?xf32>, %dw0: tensor<?xf32>) -> tensor<?xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) weight_grad(%dw0 : tensor<?xf32>) -> tensor<?xf32>
  return %dw : tensor<?xf32>
}

// Steps cut a row of known length without rest, if they can; long rows of 16
// bits are fetched ahead.
// CHECK-LABEL: func.func @rows(
// CHOSEN: schedule = #norm.schedule<unroll = 2, parts = 64>
// CHOSEN: schedule = #norm.schedule<parts = 3>
// CHOSEN: schedule = #norm.schedule<unroll = 8, parts = 2, prefetch = 1>
// CHOSEN: schedule = #norm.schedule<unroll = 8, parts = 2>
func.func @rows(%a: memref<64x64x32xbf16>, %b: memref<96x100xf32>, %c: memref<64x8192xf16>, %d: memref<64x8192xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%a : memref<64x64x32xbf16>) outs(%a : memref<64x64x32xbf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%b : memref<96x100xf32>) outs(%b : memref<96x100xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%c : memref<64x8192xf16>) outs(%c : memref<64x8192xf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%d : memref<64x8192xf32>) outs(%d : memref<64x8192xf32>)
  return
}

// A schedule on the op goes before all options.
// CHECK-LABEL: func.func @existing(
// CHECK: {schedule = #norm.schedule<vector = 1, parts = 7>}
// CHECK: {schedule = #norm.schedule<>}
func.func @existing(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %dw: memref<64xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) weight_grad(%dw : memref<64xf32>) {schedule = #norm.schedule<vector = 1, parts = 7>}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%x : memref<8x64xf32>) {schedule = #norm.schedule<>}
  return
}
