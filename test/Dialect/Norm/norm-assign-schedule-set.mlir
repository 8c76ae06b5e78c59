// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu set=threads=128,rows=2,store=streaming" | FileCheck %s --check-prefix=GPU
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu unroll=2 parts=7 prefetch=1 set=stage=registers" | FileCheck %s --check-prefix=OPTIONS
// RUN: rudnn-opt %s --norm-assign-schedule="set=unroll=2,parts=3 unroll=4" | FileCheck %s --check-prefix=CPU
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_80" | FileCheck %s --check-prefix=SM80
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_89" | FileCheck %s --check-prefix=SM89
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_103a" | FileCheck %s --check-prefix=SM103
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_75" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu chip=gfx90a" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not rudnn-opt %s --norm-assign-schedule="target=tpu" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not rudnn-opt %s --norm-assign-schedule="set=threads" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not rudnn-opt %s --norm-assign-schedule="set=threads=128," 2>&1 | FileCheck %s --check-prefix=COMMA
// RUN: not rudnn-opt %s --norm-assign-schedule="set=thread=128" 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not rudnn-opt %s --norm-assign-schedule="set=rows=2,rows=4" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not rudnn-opt %s --norm-assign-schedule="set=rows=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not rudnn-opt %s --norm-assign-schedule="set=stage=local" 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: not rudnn-opt %s --norm-assign-schedule="set=rows=2" 2>&1 | FileCheck %s --check-prefix=NOTHREADS
// RUN: not rudnn-opt %s --norm-assign-schedule="set=vector=8,threads=128" 2>&1 | FileCheck %s --check-prefix=NOTCPU
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu set=threads=0" 2>&1 | FileCheck %s --check-prefix=NOTGPU
// RUN: not rudnn-opt %s --norm-to-nvvm="set=threads=0" 2>&1 | FileCheck %s --check-prefix=NOTGPU
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu set=threads=1024,rows=2" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_89 set=stages=4,rows=4" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu set=threads=256,rows=4,blocks=3" 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu set=stages=4,rows=4" | FileCheck %s --check-prefix=FEWER
// RUN: not rudnn-opt %s --norm-assign-schedule="target=gpu nontemporal=64" 2>&1 | FileCheck %s --check-prefix=NONTEMPORAL

// Fields that are given go before those that are chosen, for every target; what
// does not fit the op or the chip is an error.

// GPU: #norm.schedule<vector = 8, parts = 264, threads = 128, rows = 2, stage = shared, blocks = 2, store = streaming, merge_columns = 8>
// OPTIONS: #norm.schedule<vector = 8, unroll = 2, parts = 7, prefetch = 1, threads = 256, rows = 2, blocks = 2, merge_columns = 8>
// CPU: #norm.schedule<unroll = 2, parts = 3>
// SM80: #norm.schedule<vector = 8, parts = 216, threads = 256, rows = 2, stage = shared, blocks = 2, merge_columns = 8>
// SM89: #norm.schedule<vector = 8, parts = 142, threads = 256, rows = 2, stage = shared, blocks = 1, merge_columns = 8>
// SM103: #norm.schedule<vector = 8, parts = 296, threads = 256, rows = 2, stage = shared, blocks = 2, merge_columns = 8>
// OLD: error: unknown chip 'sm_75'; the chips are sm_80, sm_86, sm_89, sm_90, sm_100, sm_120
// OTHER: error: unknown chip 'gfx90a'; the chips are sm_80,
// TARGET: for the {{.*}}target option: Cannot find option named 'tpu'
// VALUE: error: expected 'field=value', got 'threads'
// COMMA: error: expected 'field=value', got ''
// FIELD: error: unknown field 'thread' of a schedule; the fields are vector, unroll,
// TWICE: error: field 'rows' is given twice
// NUMBER: error: expected rows in 1..1024, got 'many'
// KEYWORD: error: expected stage to be one of registers, shared, reload, loop, got 'local'
// NOTHREADS: norm-assign-schedule-set.mlir:[[#]]:{{.*}} 'norm.rms_norm_backward' op schedule from options: expected rows = 1 with threads = 0 (a CPU), got 2
// NOTCPU: 'norm.rms_norm_backward' op has a schedule for a GPU (threads = 128), expected threads = 0
// NOTGPU: 'norm.rms_norm_backward' op has a schedule for a CPU (threads = 0), expected threads > 0
// BLOCK: 'norm.rms_norm_backward' op schedule from options: expected rows * threads <= 1024, got 2 * 1024 = 2048
// SHARED: op schedule from options: expected <= 99328 bytes of shared memory, got 163840: 4 stages * 4 rows of 2048 * 4 bytes + 4 sums of 2048 * 4 bytes
// GIVEN: schedule from options: expected blocks * rows * threads <= 2048, got 3 * 4 * 256 = 3072
// FEWER: #norm.schedule<vector = 8, parts = 264, threads = 256, rows = 4, stage = shared, stages = 4, blocks = 1, merge_columns = 8>
// NONTEMPORAL: schedule from options: expected nontemporal = 0 with threads = 256 (a GPU), got 64
func.func @backward(%x: memref<?x2048xbf16>, %rstd: memref<?xf32>, %gamma: memref<2048xbf16>, %dw: memref<2048xbf16>) {
  norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : memref<?x2048xbf16>, memref<?x2048xbf16>, memref<?xf32>, memref<2048xbf16>) input_grad(%x : memref<?x2048xbf16>) weight_grad(%dw : memref<2048xbf16>)
  return
}
