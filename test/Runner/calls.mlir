// Functions that call functions with norm ops: what comes back through a call, a
// branch or two calls may be an argument of the entry.
//
// DEFINE: %{entry} = once
// DEFINE: %{on} = rudnn-runner %s --entry=%{entry} --rows=5 --check --guard --device
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = twice
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = in_order
// RUN: %{on}=cpu
// RUN: %{on}=emulate
// REDEFINE: %{entry} = in_branch
// RUN: %{on}=cpu
// RUN: %{on}=emulate

func.func private @norm(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%y0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @once(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = func.call @norm(%x, %y0) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

func.func @twice(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>, %z0: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  %y = func.call @once(%x, %y0) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %z = func.call @norm(%y, %z0) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %z, %y : tensor<?x64xf32>, tensor<?x64xf32>
}

func.func private @in_place(%x: tensor<?x64xf32>, %gamma: tensor<64xf32>) -> (tensor<64xf32>, tensor<?x64xf32>) {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x64xf32>, tensor<64xf32>) outs(%x : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %gamma, %y : tensor<64xf32>, tensor<?x64xf32>
}

func.func @in_order(%x: tensor<?x64xf32>, %gamma: tensor<64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>, tensor<?x64xf32>) {
  %same, %y = func.call @in_place(%x, %gamma) : (tensor<?x64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<?x64xf32>)
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %new0 = tensor.empty(%m) : tensor<?x64xf32>
  %new = func.call @norm(%y, %new0) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %new, %same, %y : tensor<?x64xf32>, tensor<64xf32>, tensor<?x64xf32>
}

func.func @in_branch(%x: tensor<?x64xf32>, %y0: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %many = arith.cmpi sgt, %m, %c1 : index
  %y = scf.if %many -> tensor<?x64xf32> {
    %a = func.call @norm(%x, %y0) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %a : tensor<?x64xf32>
  } else {
    scf.yield %y0 : tensor<?x64xf32>
  }
  return %y : tensor<?x64xf32>
}
