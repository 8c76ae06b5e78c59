// RUN: split-file %s %t

// One copy of the function for each schedule, and the original has the one that
// norm-assign-schedule chooses.
// RUN: rudnn-opt %t/forward.mlir --norm-enumerate-schedules > %t/copies.mlir
// RUN: FileCheck %s --input-file=%t/copies.mlir --check-prefix=COPIES
// RUN: rudnn-opt %t/forward.mlir --norm-assign-schedule="target=gpu" | FileCheck %s --check-prefix=CHOSEN
// COPIES-LABEL: func.func @forward(
// COPIES-NEXT: norm.rms_norm {{.*}} {schedule = #norm.schedule<vector = 8, threads = 16, rows = 16, first_read = evict_last, launch = chained>}
// COPIES: func.func @other(
// COPIES: func.func @forward_0(
// COPIES-NEXT: norm.rms_norm {{.*}} {schedule = #norm.schedule<vector = 1, threads = 32>}
// COPIES: func.func @forward_100(
// CHOSEN: {schedule = #norm.schedule<vector = 8, threads = 16, rows = 16, first_read = evict_last, launch = chained>}

// The same schedules as text, each once. One that the op has does not matter.
// RUN: rudnn-opt %t/forward.mlir --norm-enumerate-schedules=print -o %t/same.mlir > %t/printed.txt
// RUN: FileCheck %s --input-file=%t/printed.txt --check-prefix=PRINTED
// RUN: FileCheck %s --input-file=%t/same.mlir --check-prefix=SAME
// RUN: sort %t/printed.txt > %t/sorted.txt
// RUN: uniq -d %t/sorted.txt | count 0
// RUN: grep -o "#norm.schedule<.*>" %t/copies.mlir | sort | diff - %t/sorted.txt
// RUN: rudnn-opt %t/scheduled.mlir --norm-enumerate-schedules=print -o %t/same.mlir | diff - %t/printed.txt
// PRINTED: {{^}}#norm.schedule<vector = 8, threads = 16, rows = 16, first_read = evict_last, launch = chained>{{$}}
// PRINTED-NEXT: {{^}}#norm.schedule<vector = 1, threads = 32>{{$}}
// PRINTED-NEXT: {{^}}#norm.schedule<vector = 8, threads = 32>{{$}}
// PRINTED-NEXT: {{^}}#norm.schedule<vector = 1, threads = 128>{{$}}
// PRINTED-DAG: {{^}}#norm.schedule<vector = 8, threads = 16, rows = 8, gamma = reload>{{$}}
// PRINTED-DAG: {{^}}#norm.schedule<vector = 8, threads = 8, rows = 4, stage = reload>{{$}}
// PRINTED-DAG: {{^}}#norm.schedule<vector = 8, unroll = 1, threads = 32, stage = loop>{{$}}
// PRINTED-DAG: {{^}}#norm.schedule<vector = 4, threads = 32>{{$}}
// PRINTED-DAG: {{^}}#norm.schedule<vector = 8, threads = 16, rows = 16, first_read = evict_last, store = streaming, launch = chained>{{$}}
// PRINTED-NOT: stage = shared
// PRINTED-NOT: prefetch
// SAME: outs(%{{.*}} : memref<?x128xbf16>){{$}}

// A weight gradient adds walks over rows, here with the parts that a test wants.
// RUN: rudnn-opt %t/backward.mlir --norm-enumerate-schedules="print set=parts=2" -o %t/same.mlir > %t/backward.txt
// RUN: FileCheck %s --input-file=%t/backward.txt --check-prefix=BACKWARD
// RUN: not grep -v "parts = 2" %t/backward.txt
// BACKWARD-DAG: #norm.schedule<vector = 4, parts = 2, prefetch = 1, threads = 16, rows = 8>
// BACKWARD-DAG: #norm.schedule<vector = 4, parts = 2, threads = 32, rows = 4, stage = shared, stages = 3, gamma = shared>
// BACKWARD-DAG: #norm.schedule<vector = 4, parts = 2, threads = 32, stage = reload, gamma = reload>
// BACKWARD-DAG: #norm.schedule<vector = 4, unroll = 1, parts = 2, threads = 32, stage = loop>
// BACKWARD-DAG: #norm.schedule<vector = 1, parts = 2, threads = 128>
// BACKWARD-DAG: merge_columns = 64, launch = dependent>

// Less shared memory, shorter rings.
// RUN: rudnn-opt %t/long.mlir --norm-enumerate-schedules="print set=stage=shared" -o %t/same.mlir | FileCheck %s --check-prefix=DEEP
// RUN: rudnn-opt %t/long.mlir --norm-enumerate-schedules="print chip=sm_89 set=stage=shared" -o %t/same.mlir | FileCheck %s --check-prefix=SHALLOW
// DEEP: stages = 4
// SHALLOW: stages = 1
// SHALLOW-NOT: stages = 4

// Unknown columns are walked over in steps.
// RUN: rudnn-opt %t/unknown.mlir --norm-enumerate-schedules=print -o %t/same.mlir > %t/unknown.txt
// RUN: FileCheck %s --input-file=%t/unknown.txt --check-prefix=UNKNOWN
// RUN: not grep -v "stage = loop" %t/unknown.txt
// UNKNOWN-DAG: #norm.schedule<vector = 1, unroll = 2, threads = 64, stage = loop>
// UNKNOWN-DAG: #norm.schedule<vector = 1, threads = 1024, stage = loop>

// RUN: not rudnn-opt %t/two.mlir --norm-enumerate-schedules 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not rudnn-opt %t/forward.mlir --norm-enumerate-schedules="chip=sm_70" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not rudnn-opt %t/forward.mlir --norm-enumerate-schedules="set=rows" 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not rudnn-opt %t/forward.mlir --norm-enumerate-schedules="set=threads=1024,rows=2" 2>&1 | FileCheck %s --check-prefix=NONE
// TWO: error: 'func.func' op expected at most one norm op, got 2
// RUN: not rudnn-opt %t/two.mlir --norm-enumerate-schedules=print 2>%t/two.txt | count 0
// CHIP: error: unknown chip 'sm_70'
// SET: error: expected 'field=value', got 'rows'
// NONE: error: 'norm.rms_norm' op no schedule has the fields threads=1024,rows=2

//--- forward.mlir
func.func @forward(%x: memref<?x128xbf16>, %gamma: memref<128xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x128xbf16>, memref<128xbf16>) outs(%x : memref<?x128xbf16>)
  return
}
func.func @other(%x: memref<?x128xbf16>) {
  return
}
//--- scheduled.mlir
func.func @forward(%x: memref<?x128xbf16>, %gamma: memref<128xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<?x128xbf16>, memref<128xbf16>) outs(%x : memref<?x128xbf16>) {schedule = #norm.schedule<vector = 8>}
  return
}
//--- backward.mlir
func.func @backward(%x: memref<?x100xf32>, %dy: memref<?x100xbf16>, %rstd: memref<?xf32>, %gamma: memref<100xf32>, %dw: memref<100xf32>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<?x100xf32>, memref<?x100xbf16>, memref<?xf32>, memref<100xf32>) input_grad(%x : memref<?x100xf32>) weight_grad(%dw : memref<100xf32>)
  return
}
//--- long.mlir
func.func @backward(%x: memref<?x8192xbf16>, %rstd: memref<?xf32>, %gamma: memref<8192xf32>, %dw: memref<8192xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<?x8192xbf16>, memref<?x8192xbf16>, memref<?xf32>) weight_grad(%dw : memref<8192xf32>)
  return
}
//--- unknown.mlir
func.func @forward(%x: memref<?x?xf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x?xf16>) outs(%x : memref<?x?xf16>)
  return
}
//--- two.mlir
func.func @two(%x: memref<?x128xbf16>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x128xbf16>) outs(%x : memref<?x128xbf16>)
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<?x128xbf16>) outs(%x : memref<?x128xbf16>)
  return
}
