// RUN: rm -rf %t && split-file %s %t
// RUN: rudnn-opt %t/op.mlir --norm-to-gpu="set=threads=64,rows=2" | FileCheck %s --check-prefix=SET
// RUN: rudnn-opt %t/op.mlir --norm-to-gpu="chip=sm_80" -o /dev/null
// RUN: rudnn-opt %t/given.mlir --norm-to-gpu="set=threads=64,rows=2" | FileCheck %s --check-prefix=GIVEN
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=warps=4" 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=threads" 2>&1 | FileCheck %s --check-prefix=NOVALUE
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=threads=48" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=stage=disk" 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=threads=64,rows=32" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=stage=shared,parts=0" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="set=threads=0" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="chip=sm_12" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="chip=sm_999" 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not rudnn-opt %t/op.mlir --norm-to-nvvm="chip=sm_999" 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not rudnn-runner %t/op.mlir --device=emulate --rows=1 --pipeline-options="chip=sm_999" 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not rudnn-opt %t/op.mlir --norm-to-nvvm="opt-level=-1" 2>&1 | FileCheck %s --check-prefix=LEVEL --implicit-check-not=error:
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="chip=gfx90a" 2>&1 | FileCheck %s --check-prefix=VENDOR
// RUN: not rudnn-opt %t/op.mlir --norm-to-gpu="speed=11" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not rudnn-opt %t/unknown.mlir --norm-to-gpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not rudnn-opt %t/misfit.mlir --norm-to-gpu 2>&1 | FileCheck %s --check-prefix=MISFIT
// RUN: not rudnn-opt %t/op.mlir --norm-to-nvvm="format=bin toolkit=/nope" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOOLKIT --implicit-check-not=note:

// A field that is set is used, a schedule on an op goes before it, and what is
// wrong with either is said.

// SET: gpu.launch_func {{.*}} threads in (%c64, %c2, %c1)
// GIVEN: gpu.launch_func {{.*}} threads in (%c128, %c1, %c1)
// FIELD: unknown field 'warps' of a schedule; the fields are vector, unroll
// NOVALUE: expected 'field=value', got 'threads'
// THREADS: expected threads to be 0, a power of two <= 32 or a multiple of 32 <= 1024, got 48
// STAGE: expected stage to be one of registers, shared, reload, loop, got 'disk'
// BLOCK: expected rows * threads <= 1024, got 32 * 64 = 2048
// SHARED: expected stage = shared only where a block walks over rows
// CPU: threads
// CHIP: sm_12
// NOCHIP: error: {{.*}}: unknown chip 'sm_999', expected for instance sm_80, sm_90, sm_100
// LEVEL: for the --opt-level option: '-1' value invalid for uint argument!
// VENDOR: gfx90a
// OPTION: no such option speed
// UNKNOWN: unknown field 'warps'
// MISFIT: expected vector <= 8 (16 bytes of bf16, the narrowest element of a row), got 16
// TOOLKIT: error: toolkit '/nope' has no bin/ptxas

//--- op.mlir
func.func @f(%x: tensor<?x1024xbf16>, %y0: tensor<?x1024xbf16>) -> tensor<?x1024xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x1024xbf16>) outs(%y0 : tensor<?x1024xbf16>) -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}
//--- given.mlir
func.func @f(%x: tensor<?x1024xbf16>, %y0: tensor<?x1024xbf16>) -> tensor<?x1024xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x1024xbf16>) outs(%y0 : tensor<?x1024xbf16>) {schedule = #norm.schedule<vector = 8, threads = 128>} -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}
//--- unknown.mlir
func.func @f(%x: tensor<?x1024xbf16>, %y0: tensor<?x1024xbf16>) -> tensor<?x1024xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x1024xbf16>) outs(%y0 : tensor<?x1024xbf16>) {schedule = #norm.schedule<warps = 4>} -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}
//--- misfit.mlir
func.func @f(%x: tensor<?x1024xbf16>, %y0: tensor<?x1024xbf16>) -> tensor<?x1024xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x1024xbf16>) outs(%y0 : tensor<?x1024xbf16>) {schedule = #norm.schedule<threads = 64>} -> tensor<?x1024xbf16>
  return %y : tensor<?x1024xbf16>
}
