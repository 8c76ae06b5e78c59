// --tune on the CPU: schedules are measured, the chosen one first; the fastest is
// reported, recorded, used for the rest of the run, and replayed by the next.
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{entry} = forward
// DEFINE: %{options} =
// DEFINE: %{tune} = rudnn-runner %s --entry=%{entry} --rows=9 --threads=2 --tune --tune-budget=1 %{options}
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py

// REDEFINE: %{options} = --tuning-cache=%t/cache.json --json=%t/report.json --check --bench --bench-seconds=0
// RUN: %{tune} 2>%t/progress | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROGRESS < %t/progress
// PROGRESS: tune 1 of [[#TOTAL:]]: {{[0-9.]+}} us, best {{[0-9.]+}} us, #norm.schedule<vector
// PROGRESS-NEXT: tune 2 of [[#TOTAL]]: {{[0-9.]+}} us, best {{[0-9.]+}} us, #norm.schedule<vector
// CHECK: function @forward
// CHECK: device cpu
// CHECK: argument 0 (x)
// CHECK-NEXT: argument 1 (y)
// CHECK-NEXT: tuning: [[#TOTAL:]] schedules, {{[0-9]+}} measured, 0 dropped, {{[0-9]+}} left out after 1.00 s
// CHECK-NEXT: fastest: {{[0-9.]+}} us, [[WINNER:#norm.schedule<.*>]]
// CHECK-NEXT: chosen : {{[0-9.]+}} us, #norm.schedule<
// CHECK-NEXT: margin : {{[0-9.]+}}%
// CHECK-NEXT: recorded in {{.*}}cache.json
// CHECK-NEXT: compiled in
// CHECK: result 0 (y): ok, f32 [9, 64]
// CHECK: bench: 4608 bytes must move
// RUN: %python %S/Inputs/check-report.py %t/report.json %t/cache.json

// The next run, the pipeline and the pass use it.
// RUN: rudnn-runner %s --entry=forward --rows=9 --threads=2 --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: remark: schedule from tuning cache '{{.*}}cache.json', measured {{[0-9.]+}} us
// RUN: rudnn-opt %s --norm-to-cpu="threads=2 tuning-cache=%t/cache.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPLAY
// RUN: rudnn-opt %s --norm-assign-schedule="tuning-cache=%t/cache.json" 2>&1 | FileCheck %s --check-prefix=REPLAY

// Other numbers of rows have entries of their own.
// RUN: rudnn-runner %s --entry=forward --rows=16 --threads=2 --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=REPLAY
// RUN: rudnn-runner %s --entry=forward --rows=17 --threads=2 --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: remark: tuning cache '{{.*}}cache.json' has no entry for this 'norm.rms_norm' on

// The same key replaces its entry, another one is added; a backward has sums to
// choose the number of, and what it accumulates to is the same for each.
// RUN: %{tune} > /dev/null 2>&1
// REDEFINE: %{entry} = backward
// REDEFINE: %{options} = --tuning-cache=%t/cache.json --json=%t/report.json --check
// RUN: %{tune} 2>%t/progress | FileCheck %s --check-prefix=BACKWARD
// RUN: FileCheck %s --check-prefix=PARTS < %t/progress
// PARTS: parts = 1
// BACKWARD: recorded in
// BACKWARD: result 0, argument 2 (weight_grad): ok
// RUN: %python -c "import json, sys; e = json.load(open(sys.argv[1]))['entries']; assert [x['op'] for x in e] == ['norm.rms_norm', 'norm.rms_norm_backward'] and [x['accumulate'] for x in e] == [False, True], e" %t/cache.json

// All schedules of a result that nobody uses are those of the op without it.
// REDEFINE: %{entry} = unused
// REDEFINE: %{options} = --tuning-cache=%t/unused.json
// RUN: %{tune} > /dev/null 2>&1
// RUN: %python -c "import json, sys; e = json.load(open(sys.argv[1]))['entries'][0]; assert e['results'] == {'y': 'f32'} and e['information']['x'] == [9, 64], e" %t/unused.json

// What cannot be tuned.
// DEFINE: %{bad} = %{exits} 2 rudnn-runner %s --rows=2 --tune
// RUN: %{bad} --entry=none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --tune: expected one norm op in @none, got 0
// RUN: %{bad} --entry=dead 2>&1 | FileCheck %s --check-prefix=DEAD
// DEAD: error: --tune: expected one norm op in @dead, got 0
// RUN: %{bad} --entry=two 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: --tune: expected one norm op in @two, got 2
// RUN: %{bad} --entry=forward --device=emulate 2>&1 | FileCheck %s --check-prefix=EMULATE
// EMULATE: error: --tune: expected a device whose times say something, cpu or cuda, got 'emulate'
// RUN: %{bad} --entry=forward --device=reference --tuning-cache=%t/x.json 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: error: --tune: expected a device whose times say something, cpu or cuda, got 'reference'
// RUN: %{bad} --entry=forward --pipeline-options=unroll=2 2>&1 | FileCheck %s --check-prefix=FIELDS
// FIELDS: error: --tune: expected no fields of schedules in --pipeline-options, got 'unroll=2'
// RUN: echo 'gpu.module @k { gpu.func @g() kernel { gpu.return } }' > %t/kernel.mlir && cat %s >> %t/kernel.mlir
// RUN: %{exits} 2 rudnn-runner %t/kernel.mlir --entry=forward --rows=2 --tune 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: --tune: expected ops that the reference can compute, got kernels (gpu.return)
// RUN: %{bad} --entry=forward --tune-budget=0 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: %{bad} --entry=forward --tune-budget=nan 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: error: --tune-budget: expected more than 0 and at most 86400, got
// RUN: %{exits} 2 rudnn-runner %s --entry=forward --rows=2 --tune-budget=3 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --tune-budget: expected --tune with it

func.func @forward(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @backward(%x: memref<9x64xf32>, %rstd: memref<9xf32>, %dw: memref<64xf32>) {
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<9x64xf32>, memref<9x64xf32>, memref<9xf32>) weight_grad(%dw : memref<64xf32>)
  return
}

func.func @unused(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %r: tensor<?xf32>) -> tensor<?x64xf32> {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0, %r : tensor<?x64xf32>, tensor<?xf32>) -> tensor<?x64xf32>, tensor<?xf32>
  return %y : tensor<?x64xf32>
}

func.func @none(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

func.func @dead(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<2x64xf32>) outs(%x : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %x : tensor<2x64xf32>
}

func.func @two(%x: memref<2x64xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<2x64xf32>) outs(%x : memref<2x64xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<2x64xf32>) outs(%x : memref<2x64xf32>)
  return
}
