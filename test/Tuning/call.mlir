// Tuning as a call from C++ gives what the tool gives, and says nothing besides.
// UNSUPPORTED: static
//
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py
// RUN: %rudnn-tune-call %s %t/cache.json > %t/out.txt 2> %t/errors.txt
// RUN: count 1 < %t/out.txt
// RUN: FileCheck %s < %t/out.txt
// CHECK: winner: #norm.schedule<vector
// RUN: count 0 < %t/errors.txt
// RUN: rudnn-runner %s --tuning-cache=%t/cache.json 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: remark: schedule from tuning cache
// RUN: %{exits} 2 %rudnn-tune-call %t/none.mlir %t/cache.json 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}none.mlir: No such file or directory

func.func @forward(%x: tensor<9x64xf32>, %y0: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<9x64xf32>) outs(%y0 : tensor<9x64xf32>) -> tensor<9x64xf32>
  return %y : tensor<9x64xf32>
}
