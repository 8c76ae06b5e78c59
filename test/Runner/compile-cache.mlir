// --compile-cache keeps compiled functions in files, for other processes.
//
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{cache} = %t/cache
// DEFINE: %{options} =
// DEFINE: %{run} = rudnn-runner %s --rows=5 --check --compile-cache=%{cache} %{options}
// RUN: %{run} | FileCheck %s --check-prefixes=MADE,RIGHT
// RUN: ls %t/cache | count 1
// RUN: %{run} --json=%t/report.json | FileCheck %s --check-prefixes=LOADED,RIGHT
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1]))['compile_ms']; assert t['cached'] and t['passes'] == 0 and t['total'] > 0, t" %t/report.json
// BROKEN: warning: --compile-cache: {{.*}}.rudnn is broken; the module is compiled
// FILE: warning: --compile-cache: {{.*}}file
// MADE: {{^}}compiled in
// LOADED: {{^}}loaded from the cache in
// RIGHT: result 0 (y): ok
// RIGHT: result 1 (rstd): ok

// Other code is in another file.
// REDEFINE: %{options} = --pipeline-options=unroll=2
// RUN: %{run} | FileCheck %s --check-prefixes=MADE,RIGHT
// RUN: %{run} | FileCheck %s --check-prefixes=LOADED,RIGHT
// RUN: ls %t/cache | count 2
// REDEFINE: %{options} = --entry=other
// RUN: %{run} | FileCheck %s --check-prefixes=MADE
// RUN: ls %t/cache | count 3

// A file that is cut short is replaced.
// REDEFINE: %{cache} = %t/broken
// REDEFINE: %{options} =
// RUN: %{run} | FileCheck %s --check-prefixes=MADE
// RUN: %python -c "import pathlib, sys; f = next(pathlib.Path(sys.argv[1]).iterdir()); f.write_bytes(f.read_bytes()[:-8])" %t/broken
// RUN: %{run} 2>&1 | FileCheck %s --check-prefixes=BROKEN,MADE,RIGHT
// RUN: %{run} 2>&1 | FileCheck %s --check-prefixes=LOADED,RIGHT --implicit-check-not=warning

// A folder that can't be one.
// RUN: echo > %t/file
// REDEFINE: %{cache} = %t/file
// RUN: %{run} 2>&1 | FileCheck %s --check-prefixes=FILE,RIGHT

// Not with schedules from a file, which may say something else tomorrow.
// REDEFINE: %{cache} = %t/none
// REDEFINE: %{options} = --tuning-cache=%t/schedules.json
// RUN: %{run} 2>&1 | FileCheck %s --check-prefixes=MADE
// RUN: not ls %t/none

// RUN: %python %S/Inputs/exits.py 2 rudnn-runner %s --rows=5 --device=emulate --compile-cache=%t/cache 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --compile-cache: device 'emulate' keeps no code

func.func @f(%x: tensor<?x64xbf16>, %y: tensor<?x64xbf16>) -> (tensor<?x64xbf16>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %rstd = tensor.empty(%rows) : tensor<?xf32>
  %results:2 = norm.rms_norm epsilon(1.0e-06) ins(%x : tensor<?x64xbf16>)
      outs(%y, %rstd : tensor<?x64xbf16>, tensor<?xf32>) -> tensor<?x64xbf16>, tensor<?xf32>
  return %results#0, %results#1 : tensor<?x64xbf16>, tensor<?xf32>
}
func.func private @other(%x: tensor<?x64xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %result = norm.rms_norm epsilon(1.0e-06) ins(%x : tensor<?x64xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %result : tensor<?x64xbf16>
}
