// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v3" --mlir-print-ir-after=norm-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=V3
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v4" --mlir-print-ir-after=norm-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=V4
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64" --mlir-print-ir-after=norm-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=V1
// RUN: rudnn-opt %s --norm-to-cpu="mcpu=x86-64-v4 vector-bits=256 unroll=3 parts=5 prefetch=2 nontemporal=7" --mlir-print-ir-after=norm-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: rudnn-opt %s --norm-to-cpu="nontemporal=0 prefetch=0" --mlir-print-ir-after=norm-assign-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not rudnn-opt %s --norm-to-cpu="mcpu=pentium9000" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not rudnn-opt %s --norm-to-cpu="vector-bits=384" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not rudnn-opt %s --norm-to-cpu="unroll=17" 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not rudnn-opt %s --norm-to-cpu="nontemporal=-7" 2>&1 | FileCheck %s --check-prefix=NONTEMPORAL
// RUN: not rudnn-opt %s --norm-to-cpu="threads=-2" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not rudnn-opt %s --norm-to-cpu="speed=11" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Vectors as wide as the CPU has them; an option goes before that, a schedule
// on the op before all.

// V3: norm.rms_norm {{.*}}#norm.schedule<vector = 8
// V4: norm.rms_norm {{.*}}#norm.schedule<
// V4-NOT: {{[< ]}}vector =
// V4: norm.rms_norm_backward
// V1: norm.rms_norm {{.*}}#norm.schedule<vector = 4
// GIVEN: norm.rms_norm {{.*}}#norm.schedule<vector = 8, unroll = 3, parts = 5, prefetch = 2, nontemporal = 7>
// GIVEN: norm.rms_norm_backward {{.*}}#norm.schedule<vector = 4, parts = 2>
// NEVER: norm.rms_norm {{.*}}#norm.schedule<
// NEVER-NOT: {{prefetch|nontemporal}} =
// NEVER: norm.rms_norm_backward

// CPU: norm-to-cpu: unknown CPU 'pentium9000'
// BITS: expected vector-bits to be 128, 256 or 512, got 384
// UNROLL: schedule from options: expected unroll in 1..16, got 17
// NONTEMPORAL: schedule from options: expected nontemporal to be a number of bytes >= 0, got -7
// THREADS: expected threads >= 0, got -2
// UNKNOWN: no such option speed

func.func @options(%x: tensor<?x4096xf32>, %y0: tensor<?x4096xf32>, %rstd0: tensor<?xf32>, %dw0: tensor<4096xf32>) -> (tensor<?x4096xf32>, tensor<4096xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x4096xf32>) outs(%y0, %rstd0 : tensor<?x4096xf32>, tensor<?xf32>) -> tensor<?x4096xf32>, tensor<?xf32>
  %dw = norm.rms_norm_backward ins(%x, %y, %rstd : tensor<?x4096xf32>, tensor<?x4096xf32>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 2>} -> tensor<4096xf32>
  return %y, %dw : tensor<?x4096xf32>, tensor<4096xf32>
}
