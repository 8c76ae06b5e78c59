// What folding makes of a destination is not an argument that the caller did
// not name as one: the runner sees to it that inputs stay as they were.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --check --guard
//
// REDEFINE: %{entry} = elementwise
// RUN: %{run}
// RUN: %{run} --device=emulate
// RUN: rudnn-runner %t/%{entry}.mlir --device=reference
//
// REDEFINE: %{entry} = select
// RUN: %{run}
// RUN: %{run} --device=emulate
//
// REDEFINE: %{entry} = branch
// RUN: %{run}
// RUN: %{run} --device=emulate
//
// REDEFINE: %{entry} = written
// RUN: rudnn-opt %t/%{entry}.mlir --norm-to-gpu | FileCheck %s --implicit-check-not=memref.alloc
// CHECK: func.func @written
// RUN: %{run} --device=emulate

//--- elementwise.mlir
func.func @elementwise(%a: tensor<9x100xf32>, %b: tensor<9x100xf32>) -> tensor<9x100xf32> {
  %max = arith.maximumf %a, %a : tensor<9x100xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%b : tensor<9x100xf32>)
      outs(%max : tensor<9x100xf32>) -> tensor<9x100xf32>
  return %y : tensor<9x100xf32>
}

//--- select.mlir
func.func @select(%a: tensor<9x100xf32>, %b: tensor<9x100xf32>) -> tensor<9x100xf32> {
  %true = arith.constant true
  %empty = tensor.empty() : tensor<9x100xf32>
  %copy = linalg.copy ins(%a : tensor<9x100xf32>) outs(%empty : tensor<9x100xf32>) -> tensor<9x100xf32>
  %max = arith.maximumf %a, %a : tensor<9x100xf32>
  %to = arith.select %true, %max, %copy : tensor<9x100xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%b : tensor<9x100xf32>)
      outs(%to : tensor<9x100xf32>) -> tensor<9x100xf32>
  return %y : tensor<9x100xf32>
}

//--- branch.mlir
func.func @branch(%a: tensor<9x100xf32>, %b: tensor<9x100xf32>) -> tensor<9x100xf32> {
  %true = arith.constant true
  %to = scf.if %true -> tensor<9x100xf32> {
    %min = arith.minimumf %a, %a : tensor<9x100xf32>
    scf.yield %min : tensor<9x100xf32>
  } else {
    %empty = tensor.empty() : tensor<9x100xf32>
    scf.yield %empty : tensor<9x100xf32>
  }
  %y = norm.rms_norm epsilon(1.0e-5) ins(%b : tensor<9x100xf32>)
      outs(%to : tensor<9x100xf32>) -> tensor<9x100xf32>
  return %y : tensor<9x100xf32>
}

//--- written.mlir
func.func @written(%x: tensor<9x100xf32>, %y0: tensor<9x100xf32>) -> tensor<9x100xf32> {
  %true = arith.constant true
  %to = scf.if %true -> tensor<9x100xf32> {
    scf.yield %y0 : tensor<9x100xf32>
  } else {
    %empty = tensor.empty() : tensor<9x100xf32>
    scf.yield %empty : tensor<9x100xf32>
  }
  %y = norm.rms_norm epsilon(1.0e-5) ins(%x : tensor<9x100xf32>)
      outs(%to : tensor<9x100xf32>) -> tensor<9x100xf32>
  return %y : tensor<9x100xf32>
}
