// What was measured on an H200 and comes with RuDNN is used there, and where
// nobody says which GPU of that chip it is for.
//
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu" | FileCheck %s --check-prefix=MEASURED
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu tuning-device='NVIDIA H200' tuning-driver=99000" | FileCheck %s --check-prefix=MEASURED
// RUN: rudnn-opt %s --norm-to-gpu | FileCheck %s --check-prefix=MEASURED
// MEASURED: #norm.schedule<vector = 8, parts = 264, threads = 512, stage = shared, stages = 3>

// Not on others, where it is not wanted, and where a field is given.
//
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu tuning-device='NVIDIA H100 PCIe'" | FileCheck %s --check-prefix=CHOSEN
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu chip=sm_100" | FileCheck %s --check-prefix=CHOSEN
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu database=false" | FileCheck %s --check-prefix=CHOSEN
// RUN: rudnn-opt %s --norm-to-gpu="database=false" | FileCheck %s --check-prefix=CHOSEN
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu set=merge_columns=16" | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: #norm.schedule<{{.*}}merge_columns = 16

// A file with schedules goes first, though it warns if it is not there.
//
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu tuning-cache=%t.json" 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: warning: tuning cache
// FILE: #norm.schedule<vector = 8, parts = 264

// Every entry is used for its op.
//
// RUN: %python %S/Inputs/check_database.py %rudnn-source rudnn-opt | FileCheck %s --check-prefix=ALL
// ALL: {{[1-9][0-9]*}} entries are used, 0 are not

func.func @backward(%x: tensor<16384x4096xbf16>, %dy: tensor<16384x4096xbf16>, %rstd: tensor<16384xf32>,
                    %gamma: tensor<4096xbf16>, %dx0: tensor<16384x4096xbf16>, %dw0: tensor<4096xbf16>)
    -> (tensor<16384x4096xbf16>, tensor<4096xbf16>) {
  %dx, %dw = norm.rms_norm_backward
      ins(%x, %dy, %rstd, %gamma : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<16384xf32>, tensor<4096xbf16>)
      input_grad(%dx0 : tensor<16384x4096xbf16>) weight_grad(%dw0 : tensor<4096xbf16>) -> tensor<16384x4096xbf16>, tensor<4096xbf16>
  return %dx, %dw : tensor<16384x4096xbf16>, tensor<4096xbf16>
}
