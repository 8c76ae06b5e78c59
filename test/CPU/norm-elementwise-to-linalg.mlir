// RUN: rudnn-opt %s --norm-elementwise-to-linalg | FileCheck %s
// RUN: rudnn-runner %s --entry=residual --rows=5 --check --guard
// RUN: rudnn-runner %s --entry=exponential --rows=5 --check --guard
// RUN: rudnn-runner %s --entry=chosen --rows=5 --check --guard
// RUN: rudnn-opt %s --norm-to-cpu | FileCheck %s --check-prefix=LLVM
// RUN: rudnn-opt %s --symbol-privatize="exclude=chosen" --symbol-dce --norm-to-cuda -o /dev/null

// An argument that is only read stays as it is (--guard compares it afterwards).

// CHECK-LABEL: func.func @residual(
// CHECK-SAME: %[[X:.+]]: tensor<?x64xf32>, %[[R:.+]]: tensor<?x64xf32>, %[[Y:.+]]: tensor<?x64xf32>
// CHECK: %[[FRESH:.+]] = tensor.empty(%{{.+}}) : tensor<?x64xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {{.+}} ins(%[[X]], %[[R]] : {{.+}}) outs(%[[FRESH]] :
// CHECK: norm.rms_norm epsilon(1.0e-5) ins(%[[SUM]] : tensor<?x64xf32>) outs(%[[Y]] :
func.func @residual(%x: tensor<?x64xf32>, %r: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %sum = arith.addf %x, %r : tensor<?x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%sum : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// A destination that the module names itself stays one.
// CHECK-LABEL: func.func @named(
// CHECK-SAME: %[[X:.+]]: tensor<8x64xf32>
// CHECK: linalg.exp ins(%[[X]] : tensor<8x64xf32>) outs(%[[X]] : tensor<8x64xf32>)
func.func @named(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = linalg.exp ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

func.func @exponential(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = math.exp %x : tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// A choice between whole tensors is one between buffers; element by element it
// is arithmetic like any other.

// CHECK-LABEL: func.func @chosen(
// CHECK-SAME: %[[X:.+]]: tensor<?x64xf32>, %[[R:.+]]: tensor<?x64xf32>, %{{.+}}: tensor<?x64xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[CHOSEN:.+]] = arith.select %{{.+}}, %[[X]], %[[R]] : tensor<?x64xf32>
// CHECK-NOT: linalg.generic
// CHECK: norm.rms_norm epsilon(1.0e-5) ins(%[[CHOSEN]] :
// LLVM-LABEL: llvm.func @chosen(
// LLVM-NOT: llvm.call @malloc
// LLVM: llvm.return
func.func @chosen(%x: tensor<?x64xf32>, %r: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %flag: tensor<f32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %value = tensor.extract %flag[] : tensor<f32>
  %take = arith.cmpf olt, %value, %zero : f32
  %chosen = arith.select %take, %x, %r : tensor<?x64xf32>
  %y = norm.rms_norm epsilon(1.0e-5) ins(%chosen : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @chosen_by_element(
// CHECK: linalg.generic
// CHECK: arith.select {{.+}} : f32
func.func @chosen_by_element(%x: tensor<8x64xf32>, %r: tensor<8x64xf32>, %take: tensor<8x64xi1>) -> tensor<8x64xf32> {
  %chosen = arith.select %take, %x, %r : tensor<8x64xi1>, tensor<8x64xf32>
  return %chosen : tensor<8x64xf32>
}
