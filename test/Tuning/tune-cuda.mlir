// --tune on a GPU, which a fake driver plays: of a row of ones and minus ones the
// norm is the row itself, which is copied. Times are all the same, so that the
// chosen schedule wins if it works.
//
// RUN: rm -rf %t && mkdir -p %t && %cc -shared -fPIC %S/../CUDA/Inputs/fake-cuda.c -o %t/libcuda.so.1
// DEFINE: %{driver} = FAKE_CUDA_COPY=0,1
// DEFINE: %{options} =
// DEFINE: %{tune} = env LD_LIBRARY_PATH=%t %{driver} rudnn-runner %s --device=cuda --fill=signs --rows=7 --tune --tune-budget=4 --json=%t/report.json %{options}
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py

// REDEFINE: %{options} = --tuning-cache=%t/cache.json --check
// RUN: %{tune} 2>&1 | FileCheck %s --implicit-check-not=warning --implicit-check-not=FAIL
// CHECK: device cuda (Fake GPU)
// CHECK: launch forward_kernel
// CHECK: tune 1 of [[#TOTAL:]]: {{[0-9.]+}} us, best {{[0-9.]+}} us, [[CHOSEN:#norm.schedule<.*>]]
// CHECK: tuning: [[#TOTAL]] schedules
// CHECK-NEXT: fastest: {{[0-9.]+}} us, [[CHOSEN]]
// CHECK-NEXT: chosen : {{[0-9.]+}} us, [[CHOSEN]]
// CHECK-NEXT: margin : 0.0%
// CHECK-NEXT: recorded in {{.*}}cache.json
// CHECK: result 0 (y): ok
// RUN: %python -c "import json, sys; e = json.load(open(sys.argv[1]))['entries'][0]; assert e['device'] == 'Fake GPU' and e['chip'] == 'sm_90' and e['driver'] == 13000, e" %t/cache.json

// The plain schedules come next after the chosen one, and have names.
// RUN: %python -c "import json, sys; c = json.load(open(sys.argv[1]))['tuning']['candidates']; names = [n for x in c[1:8] for n in x.get('names', [])]; assert sorted(names) == ['original_launch', 'scalar_128', 'scalar_256', 'scalar_plane', 'vector_128', 'vector_256', 'vector_plane'], c" %t/report.json

// The next run, and rudnn-opt, use it.
// RUN: env LD_LIBRARY_PATH=%t %{driver} rudnn-runner %s --device=cuda --fill=signs --rows=7 --check --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: remark: schedule from tuning cache
// REPLAY: result 0 (y): ok
// RUN: rudnn-opt %s --norm-to-cuda="tuning-cache=%t/cache.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPLAY-OPT
// REPLAY-OPT: remark: schedule from tuning cache

// A candidate with wrong results, here one of 128 threads a block, whose
// launches do nothing, is dropped and named; others go on.
// REDEFINE: %{driver} = FAKE_CUDA_COPY=0,1 FAKE_CUDA_IDLE=128
// REDEFINE: %{options} = --tuning-cache=%t/wrong.json
// RUN: %{tune} 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: warning: --tune: [[CHOSEN:#norm.schedule<.*>]] is dropped: result 0 (y): FAIL{{.*}} got {{-?}}nan
// WRONG: tune {{[0-9]+}} of
// WRONG: fastest: {{[0-9.]+}} us, [[WINNER:#norm.schedule<.*>]]
// WRONG-NEXT: chosen : dropped, [[CHOSEN]]
// WRONG-NEXT: recorded in {{.*}}wrong.json
// RUN: %python -c "import json, sys; r, c = [json.load(open(p)) for p in sys.argv[1:]]; t = r['tuning']; assert t['dropped'] >= 1 and 'FAIL' in t['candidates'][0]['dropped'] and 'margin' not in t, t; assert c['entries'][0]['schedule'] == t['winner'] and 'margin' not in c['entries'][0], c" %t/report.json %t/wrong.json

// If all are wrong nothing is recorded, and the exit code is 1.
// REDEFINE: %{driver} = FAKE_CUDA_DRIFT=0
// REDEFINE: %{options} = --tuning-cache=%t/none.json
// RUN: %{exits} 1 %{tune} 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: tuning: {{[0-9]+}} schedules, 0 measured, {{[0-9]+}} dropped
// ALL: error: --tune: tuning failed, none of {{[0-9]+}} schedules compiled, ran and gave right results; nothing was recorded or replayed
// RUN: test ! -e %t/none.json
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); assert not r['ok'] and 'winner' not in r['tuning'], r" %t/report.json

// Fields that are given leave no choice.
// REDEFINE: %{options} = --pipeline-options=set=threads=64
// RUN: %{exits} 2 %{tune} 2>&1 | FileCheck %s --check-prefix=FIELDS
// FIELDS: error: --tune: expected no fields of schedules in --pipeline-options, got 'set=threads=64'

func.func @forward(%x: tensor<?x1024xf32>, %y0: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %y = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<?x1024xf32>) outs(%y0 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}
