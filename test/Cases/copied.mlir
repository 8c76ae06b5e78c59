// Slices that row programs cannot read or write where they are: columns that
// lie apart, layouts that regions lose.
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{entry} =
// DEFINE: %{rows} = 11
// DEFINE: %{run} = rudnn-runner %t/%{entry}.mlir --check --guard --rows=%{rows}
//
// REDEFINE: %{entry} = loop
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = while
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = columns
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = destinations
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{entry} = branch
// RUN: %{run}
// RUN: %{run} --device=emulate
// REDEFINE: %{rows} = 4
// RUN: %{run}
// RUN: %{run} --device=emulate

//--- loop.mlir
func.func @loop(%a: tensor<3x4x100xf32>, %g: tensor<3x100xf32>) -> (tensor<4x100xf32>, tensor<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h0 = tensor.extract_slice %a[0, 0, 0] [1, 4, 100] [1, 1, 1] : tensor<3x4x100xf32> to tensor<4x100xf32>
  %z = arith.constant dense<0.0> : tensor<100xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %h0, %w = %z) -> (tensor<4x100xf32>, tensor<100xf32>) {
    %gi = tensor.extract_slice %g[%i, 0] [1, 100] [1, 1] : tensor<3x100xf32> to tensor<100xf32>
    %ai = tensor.extract_slice %a[%i, 0, 0] [1, 4, 100] [1, 1, 1] : tensor<3x4x100xf32> to tensor<4x100xf32>
    %e = tensor.empty() : tensor<4x100xf32>
    %er = tensor.empty() : tensor<4xf32>
    %y, %s = norm.rms_norm epsilon(1.0e-05) ins(%h, %gi : tensor<4x100xf32>, tensor<100xf32>) outs(%e, %er : tensor<4x100xf32>, tensor<4xf32>) -> tensor<4x100xf32>, tensor<4xf32>
    %sum = arith.addf %y, %ai : tensor<4x100xf32>
    %dw = norm.rms_norm_backward accumulate ins(%h, %ai, %s : tensor<4x100xf32>, tensor<4x100xf32>, tensor<4xf32>) weight_grad(%w : tensor<100xf32>) -> tensor<100xf32>
    scf.yield %sum, %dw : tensor<4x100xf32>, tensor<100xf32>
  }
  return %r#0, %r#1 : tensor<4x100xf32>, tensor<100xf32>
}
//--- while.mlir
func.func @while(%a: tensor<8x130xbf16>, %b: tensor<?x3x64xbf16>, %n: tensor<?x2xf32>, %g: tensor<64x2xf32>) -> (tensor<4x64xbf16>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %m = tensor.dim %n, %c0 : tensor<?x2xf32>
  %p = arith.cmpi sgt, %m, %c5 : index
  %x = tensor.extract_slice %a[2, 0] [4, 64] [1, 2] : tensor<8x130xbf16> to tensor<4x64xbf16>
  %s = tensor.extract_slice %n[0, 1] [4, 1] [1, 1] : tensor<?x2xf32> to tensor<4xf32>
  %zz = arith.constant dense<0.0> : tensor<64xf32>
  %w:3 = scf.while(%h = %x, %i = %c0, %z = %zz) : (tensor<4x64xbf16>, index, tensor<64xf32>) -> (tensor<4x64xbf16>, index, tensor<64xf32>) {
    %c = arith.cmpi slt, %i, %c5 : index
    scf.condition(%c) %h, %i, %z : tensor<4x64xbf16>, index, tensor<64xf32>
  } do {
  ^bb0(%h: tensor<4x64xbf16>, %i: index, %z: tensor<64xf32>):
    %e = tensor.empty() : tensor<4x64xbf16>
    %er = tensor.empty() : tensor<4xf32>
    %gi = tensor.extract_slice %g[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64xf32>
    %y, %r = norm.rms_norm epsilon(1.0e-05) ins(%h, %gi : tensor<4x64xbf16>, tensor<64xf32>) outs(%e, %er : tensor<4x64xbf16>, tensor<4xf32>) -> tensor<4x64xbf16>, tensor<4xf32>
    %rr = scf.if %p -> tensor<4xf32> {
      scf.yield %r : tensor<4xf32>
    } else {
      scf.yield %s : tensor<4xf32>
    }
    %dw = norm.rms_norm_backward accumulate ins(%h, %x, %rr : tensor<4x64xbf16>, tensor<4x64xbf16>, tensor<4xf32>) weight_grad(%z : tensor<64xf32>) -> tensor<64xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %y, %j, %dw : tensor<4x64xbf16>, index, tensor<64xf32>
  }
  return %w#0, %w#2 : tensor<4x64xbf16>, tensor<64xf32>
}
//--- columns.mlir
func.func @columns(%a: tensor<?x128xbf16>, %g: tensor<64x2xbf16>, %y0: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x128xbf16>
  %x = tensor.extract_slice %a[0, 1] [%m, 64] [1, 2] : tensor<?x128xbf16> to tensor<?x64xbf16>
  %gamma = tensor.extract_slice %g[0, 1] [64, 1] [1, 1] : tensor<64x2xbf16> to tensor<64xbf16>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x64xbf16>, tensor<64xbf16>) outs(%y0 : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
//--- destinations.mlir
func.func @destinations(%x: tensor<7x64xf32>, %rstd: tensor<7xf32>, %wide: tensor<7x128xf32>, %grads: tensor<64x3xf32>) -> (tensor<7x128xf32>, tensor<64x3xf32>) {
  %y0 = tensor.extract_slice %wide[0, 1] [7, 64] [1, 2] : tensor<7x128xf32> to tensor<7x64xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<7x64xf32>) outs(%y0 : tensor<7x64xf32>) -> tensor<7x64xf32>
  %some = tensor.insert_slice %y into %wide[0, 1] [7, 64] [1, 2] : tensor<7x64xf32> into tensor<7x128xf32>
  %empty = tensor.empty() : tensor<7x64xf32>
  %z = norm.rms_norm epsilon(1.0e-03) ins(%x : tensor<7x64xf32>) outs(%empty : tensor<7x64xf32>) -> tensor<7x64xf32>
  %all = tensor.insert_slice %z into %some[0, 0] [7, 64] [1, 2] : tensor<7x64xf32> into tensor<7x128xf32>
  %dw0 = tensor.extract_slice %grads[0, 1] [64, 1] [1, 1] : tensor<64x3xf32> to tensor<64xf32>
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<7x64xf32>, tensor<7x64xf32>, tensor<7xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  %grad = tensor.insert_slice %dw into %grads[0, 1] [64, 1] [1, 1] : tensor<64xf32> into tensor<64x3xf32>
  return %all, %grad : tensor<7x128xf32>, tensor<64x3xf32>
}
//--- branch.mlir
func.func @branch(%a: tensor<8x100xf32>, %n: tensor<?x100xf32>) -> tensor<4x100xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %m = tensor.dim %n, %c0 : tensor<?x100xf32>
  %p = arith.cmpi sgt, %m, %c5 : index
  %s = tensor.extract_slice %a[2, 0] [4, 100] [1, 1] : tensor<8x100xf32> to tensor<4x100xf32>
  %r = scf.if %p -> tensor<4x100xf32> {
    %e = tensor.empty() : tensor<4x100xf32>
    %y = norm.rms_norm epsilon(1.0e-05) ins(%s : tensor<4x100xf32>) outs(%e : tensor<4x100xf32>) -> tensor<4x100xf32>
    scf.yield %y : tensor<4x100xf32>
  } else {
    scf.yield %s : tensor<4x100xf32>
  }
  %e2 = tensor.empty() : tensor<4x100xf32>
  %y2 = norm.rms_norm epsilon(1.0e-05) ins(%r : tensor<4x100xf32>) outs(%e2 : tensor<4x100xf32>) -> tensor<4x100xf32>
  return %y2 : tensor<4x100xf32>
}
