// Schedules from a tuning cache: which op has which entry, and what happens to an
// entry that does not fit. `set`, given by hand, goes before what was measured.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{options} = tuning-device=Fast
// DEFINE: %{assign} = rudnn-opt %t/ops.mlir --norm-assign-schedule="target=gpu tuning-cache=%t/cache.json %{options}"

// RUN: %{assign} 2>&1 | FileCheck %s --implicit-check-not=warning --implicit-check-not=error
// CHECK-DAG: remark: schedule from tuning cache '{{.*}}cache.json', measured 12.5 us
// CHECK-DAG: remark: tuning cache '{{.*}}cache.json' has no entry for this 'norm.rms_norm' on Fast; its schedule is chosen
// CHECK-LABEL: func.func @plain(
// CHECK: vector = 4, threads = 64, rows = 2, blocks = 9>
// CHECK-LABEL: func.func @bucket(
// CHECK: vector = 4, threads = 64, rows = 2, blocks = 9>
// CHECK-LABEL: func.func @existing(
// CHECK: #norm.schedule<vector = 4, threads = 256>
// CHECK-LABEL: func.func @otherSize(
// CHECK-NOT: blocks = 9
// CHECK-LABEL: func.func @unknownSize(
// CHECK: threads = 96
// CHECK-LABEL: func.func @otherType(
// CHECK-NOT: blocks = 9
// CHECK-LABEL: func.func @otherResults(
// CHECK-NOT: blocks = 9
// CHECK-LABEL: func.func @gamma(
// CHECK-NOT: blocks = 9
// CHECK-LABEL: func.func @strided(
// CHECK: vector = 1, threads = 160
// CHECK-LABEL: func.func @expanded(
// CHECK: vector = 1, threads = 192
// CHECK-LABEL: func.func @subnormal(
// CHECK: vector = 1, threads = 224
// CHECK-LABEL: func.func @offset(
// CHECK: vector = 1, threads = 256
// CHECK-LABEL: func.func @weights(
// CHECK: threads = 128, {{.*}}strips = 2
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: strips = 2

// Without a device or driver any of the chip will do; another device, another
// driver, and another chip, have none.
// REDEFINE: %{options} = chip=sm_90a
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP-LABEL: func.func @plain(
// CHIP: vector = 4, threads = 64, rows = 2, blocks = 9>
// REDEFINE: %{options} = tuning-device=Slow
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=OTHER --implicit-check-not="blocks = 9"
// OTHER: has no entry for this 'norm.rms_norm' on Slow;
// REDEFINE: %{options} = tuning-device=Fast tuning-driver=12000
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=CHIP
// REDEFINE: %{options} = tuning-device=Fast tuning-driver=13000
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=DRIVER --implicit-check-not="blocks = 9"
// DRIVER: has no entry for this 'norm.rms_norm' on Fast with driver 13000;
// REDEFINE: %{options} = chip=sm_80
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=OLDER --implicit-check-not="blocks = 9"
// OLDER: has no entry for this 'norm.rms_norm' on sm_80

// Where the module does not say how many rows there are, options may.
// REDEFINE: %{options} = tuning-rows=33
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: func.func @plain(
// ROWS: blocks = 9>
// ROWS-LABEL: func.func @unknownSize(
// ROWS: threads = 96
// REDEFINE: %{options} = tuning-rows=65
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=MORE
// MORE-LABEL: func.func @plain(
// MORE: blocks = 9>
// MORE-LABEL: func.func @unknownSize(
// MORE-NOT: threads = 96

// A field that is given stays, with the others as they were measured.
// REDEFINE: %{options} = set=rows=4
// RUN: %{assign} 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN-LABEL: func.func @plain(
// GIVEN: vector = 4, threads = 64, rows = 4

// Entries that the op cannot have, and one of another version of RuDNN.
// DEFINE: %{bad} = rudnn-opt %t/plain.mlir --norm-assign-schedule="target=gpu tuning-cache=%t/bad.json"
// DEFINE: %{text} =
// DEFINE: %{make} = %python -c "import sys; a = sys.argv; open(a[2], 'w').write(open(a[1]).read().replace('vector = 4, threads = 64, rows = 2, blocks = 9', a[3]))" %t/cache.json %t/bad.json "%{text}"
// REDEFINE: %{text} = vector = 3, threads = 64
// RUN: %{make} && %{bad} 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: warning: tuning cache '{{.*}}bad.json' has '#norm.schedule<vector = 3, threads = 64>' for this 'norm.rms_norm', which it cannot have: expected vector to be a power of two in 1..64, got 3; its schedule is chosen
// VECTOR: #norm.schedule<
// REDEFINE: %{text} = vector = 4
// RUN: %{make} && %{bad} 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: warning: {{.*}} which it cannot have: it is for another kind of device; its schedule is chosen
// REDEFINE: %{text} = vector = 8, threads = 64
// RUN: %{make} && %{bad} 2>&1 | FileCheck %s --check-prefix=FIT
// FIT: warning: {{.*}} which it cannot have: {{.*}}16 bytes{{.*}}; its schedule is chosen
// REDEFINE: %{text} = fast
// RUN: %{make} && %{bad} 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: warning: {{.*}} which it cannot have: unknown field 'fast'
// RUN: sed 's/#norm.schedule<vector = 4, threads = 64, rows = 2, blocks = 9>/12 : i32/' %t/cache.json > %t/bad.json
// RUN: %{bad} 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: warning: {{.*}} has '12 : i32' {{.*}}: expected a #norm.schedule; its schedule is chosen
// RUN: sed 's/"schedule"/"plan"/' %t/cache.json > %t/bad.json
// RUN: %{bad} 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: {{.*}} has '' {{.*}} its schedule is chosen
// RUN: sed 's/"0.1.0"/"0.0.9"/' %t/cache.json > %t/bad.json
// RUN: %{bad} 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: remark: {{.*}} has no entry for this 'norm.rms_norm' on sm_90

// Files that are none: a warning with the name, and schedules are chosen.
// DEFINE: %{file} = absent.json
// DEFINE: %{read} = rudnn-opt %t/plain.mlir --norm-assign-schedule="target=gpu tuning-cache=%t/%{file}"
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,ABSENT
// FILE: warning: tuning cache '{{.*}}.json': 
// ABSENT-SAME: No such file or directory; schedules are chosen
// REDEFINE: %{file} = broken.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,BROKEN
// BROKEN-SAME: [2:0, byte=38]:
// REDEFINE: %{file} = foreign.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,FOREIGN
// FOREIGN-SAME: expected "format": "rudnn-tuning-cache", this is something else
// REDEFINE: %{file} = newer.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,NEWER
// NEWER-SAME: expected version 1, got 2
// REDEFINE: %{file} = list.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,LIST
// LIST-SAME: expected a list of entries
// RUN: %python -c "print('[' * 1000000)" > %t/deep.json
// REDEFINE: %{file} = deep.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,DEEP
// DEEP-SAME: expected at most 100 levels of lists and objects
// RUN: mkfifo %t/pipe.json
// REDEFINE: %{file} = pipe.json
// RUN: %{read} 2>&1 | FileCheck %s --check-prefixes=FILE,PIPE
// PIPE-SAME: expected a regular file
// FILE: #norm.schedule<

// Functions in threads of their own: each warning is there.
// RUN: sed 's/"schedule": "#norm/"schedule": "#morn/' %t/cache.json > %t/bad.json
// RUN: rudnn-opt %t/ops.mlir --pass-pipeline="builtin.module(func.func(norm-assign-schedule{target=gpu tuning-cache=%t/bad.json}))" 2>&1 | grep -c 'expected a #norm.schedule; its schedule is chosen' | FileCheck %s --check-prefix=THREADS
// THREADS: {{^}}8{{$}}

// RUN: not rudnn-opt %t/plain.mlir --norm-assign-schedule="tuning-rows=-5" 2>&1 | FileCheck %s --check-prefix=NEGATIVE-ROWS
// NEGATIVE-ROWS: error: expected tuning-rows to be 0 or more, got -5
// RUN: not rudnn-opt %t/plain.mlir --norm-to-gpu="tuning-driver=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE-DRIVER
// NEGATIVE-DRIVER: error: expected tuning-driver to be 0 or more, got -1
// RUN: not rudnn-opt %t/plain.mlir --norm-assign-schedule="tuning-threads=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE-THREADS
// NEGATIVE-THREADS: error: expected tuning-threads to be 0 or more, got -1
// RUN: not rudnn-opt %t/plain.mlir --norm-assign-schedule="cache-bytes=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE-BYTES
// NEGATIVE-BYTES: error: expected cache-bytes to be 0 or more, got -1

// The pipelines and the runner.
// DEFINE: %{pipeline} = norm-to-gpu
// DEFINE: %{compile} = rudnn-opt %t/plain.mlir --%{pipeline}="tuning-cache=%t/cache.json tuning-device=Fast tuning-driver=12000" --mlir-print-ir-after=norm-assign-schedule
// RUN: %{compile} 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: remark: schedule from tuning cache
// PIPELINE: threads = 64, rows = 2, blocks = 9>
// REDEFINE: %{pipeline} = norm-to-nvvm
// RUN: %{compile} 2>&1 | FileCheck %s --check-prefix=PIPELINE
// REDEFINE: %{pipeline} = norm-to-cuda
// RUN: %{compile} 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: rudnn-runner %t/plain.mlir --device=emulate --check --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=RUNNER
// RUNNER: remark: schedule from tuning cache
// RUNNER: result 0 (y): ok
// RUN: rudnn-opt %t/plain.mlir --norm-to-cpu="mcpu=x86-64-v3 threads=3 tuning-cache=%t/cache.json" --mlir-print-ir-after=norm-assign-schedule 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: remark: schedule from tuning cache
// CPU: #norm.schedule<vector = 4, unroll = 3, nontemporal = 1>
// RUN: rudnn-opt %t/plain.mlir --norm-to-cpu="mcpu=x86-64-v3 threads=3 unroll=2 tuning-cache=%t/cache.json" --mlir-print-ir-after=norm-assign-schedule 2>&1 | FileCheck %s --check-prefix=CPU-GIVEN
// CPU-GIVEN: #norm.schedule<vector = 4, unroll = 2, nontemporal = 1>
// RUN: rudnn-opt %t/plain.mlir --norm-to-cpu="mcpu=x86-64-v3 threads=1 tuning-cache=%t/cache.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CPU-THREADS
// CPU-THREADS: has no entry for this 'norm.rms_norm' on x86-64-v3 with 1 thread;
// RUN: rudnn-opt %t/plain.mlir --norm-assign-schedule="tuning-cache=%t/cache.json tuning-device=x86-64-v3 tuning-threads=3" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: rudnn-opt %t/plain.mlir --norm-assign-schedule="tuning-cache=%t/cache.json tuning-device=x86-64-v3 tuning-threads=1" 2>&1 | FileCheck %s --check-prefix=CPU-THREADS
// RUN: %python %S/../Runner/Inputs/exits.py 2 rudnn-runner %t/plain.mlir --device=reference --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: --tuning-cache: device 'reference' has no schedules

//--- plain.mlir
func.func @plain(%x: tensor<100x256xf32>, %y0: tensor<100x256xf32>) -> tensor<100x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<100x256xf32>) outs(%y0 : tensor<100x256xf32>) -> tensor<100x256xf32>
  return %y : tensor<100x256xf32>
}

//--- ops.mlir
func.func @plain(%x: tensor<100x256xf32>) -> tensor<100x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<100x256xf32>) outs(%x : tensor<100x256xf32>) -> tensor<100x256xf32>
  return %y : tensor<100x256xf32>
}
func.func @bucket(%x: memref<5x13x256xf32>) {
  norm.rms_norm epsilon(1.0e-06) ins(%x : memref<5x13x256xf32>) outs(%x : memref<5x13x256xf32>)
  return
}
func.func @existing(%x: tensor<100x256xf32>) -> tensor<100x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<100x256xf32>) outs(%x : tensor<100x256xf32>) {schedule = #norm.schedule<vector = 4, threads = 256>} -> tensor<100x256xf32>
  return %y : tensor<100x256xf32>
}
func.func @otherSize(%x: tensor<200x256xf32>) -> tensor<200x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<200x256xf32>) outs(%x : tensor<200x256xf32>) -> tensor<200x256xf32>
  return %y : tensor<200x256xf32>
}
func.func @unknownSize(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x256xf32>) outs(%x : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
func.func @otherType(%x: tensor<100x256xf16>) -> tensor<100x256xf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<100x256xf16>) outs(%x : tensor<100x256xf16>) -> tensor<100x256xf16>
  return %y : tensor<100x256xf16>
}
func.func @otherResults(%x: tensor<100x256xf32>, %r: tensor<100xf32>) -> (tensor<100x256xf32>, tensor<100xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<100x256xf32>) outs(%x, %r : tensor<100x256xf32>, tensor<100xf32>) -> tensor<100x256xf32>, tensor<100xf32>
  return %y, %rstd : tensor<100x256xf32>, tensor<100xf32>
}
func.func @gamma(%x: tensor<100x256xf32>, %g: tensor<256xf32>) -> tensor<100x256xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %g : tensor<100x256xf32>, tensor<256xf32>) outs(%x : tensor<100x256xf32>) -> tensor<100x256xf32>
  return %y : tensor<100x256xf32>
}
func.func @strided(%x: memref<100x256xf32, strided<[300, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<100x256xf32, strided<[300, 1]>>) outs(%x : memref<100x256xf32, strided<[300, 1]>>)
  return
}
func.func @expanded(%x: memref<100x256xf32, strided<[0, 1]>>, %y: memref<100x256xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<100x256xf32, strided<[0, 1]>>) outs(%y : memref<100x256xf32>)
  return
}
func.func @subnormal(%x: memref<100x256xf32>) {
  norm.rms_norm epsilon(1.0e-40) ins(%x : memref<100x256xf32>) outs(%x : memref<100x256xf32>)
  return
}
func.func @offset(%x: memref<100x256xf32>, %g: memref<256xf32>) {
  norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x, %g : memref<100x256xf32>, memref<256xf32>) outs(%x : memref<100x256xf32>)
  return
}
func.func @weights(%x: memref<100x256xf32>, %rstd: memref<100xf32>, %dw: memref<256xf32>) {
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<100x256xf32>, memref<100x256xf32>, memref<100xf32>) weight_grad(%dw : memref<256xf32>)
  return
}
func.func @sums(%x: memref<100x256xf32>, %rstd: memref<100xf32>, %dw: memref<256xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<100x256xf32>, memref<100x256xf32>, memref<100xf32>) weight_grad(%dw : memref<256xf32>)
  return
}

//--- cache.json
{"format": "rudnn-tuning-cache", "version": 1, "entries": [
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "normal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "contiguous", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 4, threads = 64, rows = 2, blocks = 9>", "microseconds": 12.5, "margin": 0.125},
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "normal",
   "columns": 256, "rows": 64, "dynamic_rows": true, "layout": "contiguous", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 4, threads = 96>", "microseconds": 1},
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "normal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "strided", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 1, threads = 160>", "microseconds": 1},
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "normal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "expanded", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 1, threads = 192>", "microseconds": 1},
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "subnormal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "contiguous", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 1, threads = 224>", "microseconds": 1},
  {"op": "norm.rms_norm", "inputs": {"x": "f32", "gamma": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": true, "epsilon": "normal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "contiguous", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 1, threads = 256>", "microseconds": 1},
  {"op": "norm.rms_norm_backward", "inputs": {"x": "f32", "dy": "f32", "rstd": "f32"}, "results": {"weight_grad": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "none",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "contiguous", "device": "Fast", "chip": "sm_90", "driver": 12000, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 4, parts = 1, threads = 128, strips = 2>", "microseconds": 1},
  {"op": "norm.rms_norm", "inputs": {"x": "f32"}, "results": {"y": "f32"}, "accumulate": false, "gamma_offset": false, "epsilon": "normal",
   "columns": 256, "rows": 128, "dynamic_rows": false, "layout": "contiguous", "device": "x86-64-v3", "chip": "x86-64-v3", "threads": 3, "rudnn": "0.1.0",
   "schedule": "#norm.schedule<vector = 4, unroll = 3, nontemporal = 1>", "microseconds": 1},
  7]}

//--- broken.json
{"format": "rudnn-tuning-cache", "ver

//--- foreign.json
["somebody else's"]

//--- newer.json
{"format": "rudnn-tuning-cache", "version": 2, "entries": []}

//--- list.json
{"format": "rudnn-tuning-cache", "version": 1, "entries": {}}
