// What was tiled or lowered for one kind of device is not lowered for the
// other, and has no reference any more; for the same it is, with no checks of
// sizes left in kernels.
//
// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu" --norm-tile -o %t.tiled.mlir
// RUN: not rudnn-opt %t.tiled.mlir --norm-to-cpu 2>&1 | FileCheck %s --check-prefix=TILED --implicit-check-not=note:
// RUN: rudnn-opt %t.tiled.mlir --norm-to-gpu -o %t.gpu.mlir
// RUN: not rudnn-opt %t.gpu.mlir --norm-to-cpu 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: rudnn-runner %t.gpu.mlir --device=emulate --cols=64 --seed=1
// RUN: %python %S/../Runner/Inputs/exits.py 2 rudnn-runner %t.gpu.mlir --device=emulate --cols=64 --check 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: rudnn-opt %s --norm-assign-schedule --norm-tile -o %t.cpu.mlir
// RUN: not rudnn-opt %t.cpu.mlir --norm-to-gpu 2>&1 | FileCheck %s --check-prefix=CPU

// RUN: rudnn-opt %s --norm-assign-schedule="target=gpu" --norm-tile --norm-to-nvvm -o /dev/null

// TILED: tiled.mlir:{{[0-9:]+}} error: 'scf.forall' op has a schedule for a GPU (threads = 256), expected threads = 0
// KERNEL: gpu.mlir:{{[0-9:]+}} error: 'gpu.func' op has a schedule for a GPU (threads = 256), expected threads = 0
// REFERENCE: error: --check: expected ops that the reference can compute, got kernels (gpu.launch_func): check the module before it is lowered, or use --expect
// CPU: cpu.mlir:{{[0-9:]+}} error: 'scf.forall' op has a schedule for a CPU (threads = 0), expected threads > 0

func.func @forward(%x: tensor<17x?xf32>, %init: tensor<17x?xf32>) -> tensor<17x?xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<17x?xf32>) outs(%init : tensor<17x?xf32>) -> tensor<17x?xf32>
  return %y : tensor<17x?xf32>
}
