// RUN: rudnn-opt %s --split-input-file --norm-tile --canonicalize --cse --verify-diagnostics | FileCheck %s

// Each row is a task; the schedule moves from the op to the loop.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<?xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x?xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK: scf.forall (%[[ROW:.+]]) in (%[[M]]) shared_outs(%[[Y:.+]] = %[[Y0]], %[[RSTD:.+]] = %[[RSTD0]])
// CHECK: %[[N:.+]] = tensor.dim %[[X]], %c1
// CHECK-DAG: tensor.extract_slice %[[X]][%[[ROW]], 0] [1, %[[N]]] [1, 1] : tensor<?x?xbf16> to tensor<1x?xbf16>
// CHECK-DAG: tensor.extract_slice %[[Y]][%[[ROW]], 0] [1, %[[N]]] [1, 1] : tensor<?x?xbf16> to tensor<1x?xbf16>
// CHECK-DAG: tensor.extract_slice %[[RSTD]][%[[ROW]]] [1] [1] : tensor<?xf32> to tensor<1xf32>
// CHECK: norm.rms_norm epsilon(1.0e-5) ins(%{{.+}}, %[[GAMMA]] : tensor<1x?xbf16>, tensor<?xf32>) outs({{.*}} : tensor<1x?xbf16>, tensor<1xf32>) ->
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
func.func @forward(%x: tensor<?x?xbf16>, %gamma: tensor<?xf32>, %y0: tensor<?x?xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x?xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xbf16>, tensor<?xf32>) outs(%y0, %rstd0 : tensor<?x?xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8>} -> tensor<?x?xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x?xbf16>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @input_grad(
// CHECK-COUNT-1: scf.forall ({{.+}}) in (64)
// CHECK: norm.rms_norm_backward ins({{.*}} : tensor<1x512xf32>, tensor<1x512xf32>, tensor<1xf32>) input_grad({{.*}} : tensor<1x512xf32>)
// CHECK-NOT: scf.
// CHECK: scf.forall.in_parallel
// CHECK-NOT: linalg.
// CHECK: return
func.func @input_grad(%x: tensor<64x512xf32>, %rstd: tensor<64xf32>) -> tensor<64x512xf32> {
  %dx = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64xf32>) input_grad(%x : tensor<64x512xf32>)
      {schedule = #norm.schedule<>} -> tensor<64x512xf32>
  return %dx : tensor<64x512xf32>
}

// -----

// A weight gradient: 8 parts of ceil(M / 8) consecutive rows, each summed in
// f32 from zero into its own row of partials, then merged in ascending order by
// tasks of columns.

// CHECK-LABEL: func.func @weight_grad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[DY:[a-z0-9]+]]: tensor<?x4096xbf16>, %[[RSTD:[a-z0-9]+]]: tensor<?xf32>, %[[DW0:[a-z0-9]+]]: tensor<4096xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[CEIL:.+]] = arith.ceildivui %[[M]], %c8
// CHECK-DAG: %[[EMPTY:.+]] = tensor.empty() : tensor<8x4096xf32>
// CHECK: %[[SUMS:.+]] = scf.forall (%[[PART:.+]]) in (8) shared_outs(%[[OUT:.+]] = %[[EMPTY]])
// CHECK-DAG: %[[BEGIN:.+]] = arith.muli %[[PART]], %[[CEIL]]
// CHECK-DAG: %[[FIRST:.+]] = arith.minsi %[[BEGIN]], %[[M]]
// CHECK-DAG: %[[LEFT:.+]] = arith.subi %[[M]], %[[FIRST]]
// CHECK-DAG: %[[COUNT:.+]] = arith.minsi %[[LEFT]], %[[CEIL]]
// CHECK-DAG: %[[START:.+]] = linalg.fill ins(%[[ZERO]] : f32) outs({{.*}} : tensor<4096xf32>)
// CHECK-DAG: tensor.extract_slice %[[X]][%[[FIRST]], 0] [%[[COUNT]], 4096] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[DY]][%[[FIRST]], 0] [%[[COUNT]], 4096] [1, 1]
// CHECK-DAG: tensor.extract_slice %[[RSTD]][%[[FIRST]]] [%[[COUNT]]] [1]
// CHECK: %[[SUM:.+]] = scf.for %{{.+}} = %c0 to %[[COUNT]] step %c1 iter_args(%[[ACC:.+]] = %[[START]]) -> (tensor<4096xf32>)
// CHECK: norm.rms_norm_backward accumulate ins({{.*}} : tensor<1x4096xbf16>, tensor<1x4096xbf16>, tensor<1xf32>) weight_grad(%[[ACC]] : tensor<4096xf32>)
// CHECK: tensor.parallel_insert_slice %[[SUM]] into %[[OUT]][%[[PART]], 0] [1, 4096] [1, 1]
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<parts = 8>}
// CHECK: scf.forall (%[[COLUMN:.+]]) = (0) to (4096) step (512) shared_outs(%[[DW:.+]] = %[[DW0]])
// CHECK-DAG: %[[PARTS:.+]] = tensor.extract_slice %[[SUMS]][0, %[[COLUMN]]] [8, 512] [1, 1]
// CHECK-DAG: %[[INIT:.+]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[PARTS]] : tensor<8x512xf32>) outs(%[[INIT]] : tensor<512xf32>)
// CHECK: arith.addf
// CHECK-NOT: arith.truncf
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<parts = 8>}
func.func @weight_grad(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>)
      {schedule = #norm.schedule<parts = 8>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}

// -----

// Both gradients share one pass over x and dy. The number of parts is
// clamp(ceil(M / 32), 1, 128), and the merge rounds once.

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xbf16>, {{.*}}, %[[DX0:[a-z0-9]+]]: tensor<?x512xbf16>, %[[DW0:[a-z0-9]+]]: tensor<512xbf16>
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[CEIL:.+]] = arith.ceildivui %[[M]], %c32
// CHECK-DAG: %[[MOST:.+]] = arith.minsi %[[CEIL]], %c128
// CHECK-DAG: %[[PARTS:.+]] = arith.maxsi %[[MOST]], %c1
// CHECK-DAG: %[[EMPTY:.+]] = tensor.empty(%[[PARTS]]) : tensor<?x512xf32>
// CHECK: %[[SUMS:.+]]:2 = scf.forall (%{{.+}}) in (%[[PARTS]]) shared_outs(%{{.+}} = %[[DX0]], %{{.+}} = %[[EMPTY]])
// CHECK: scf.for {{.*}} -> (tensor<?x512xbf16>, tensor<512xf32>)
// CHECK: norm.rms_norm_backward accumulate
// CHECK-SAME: input_grad({{.*}} : tensor<1x512xbf16>) weight_grad({{.*}} : tensor<512xf32>)
// CHECK-NOT: norm.rms_norm_backward
// CHECK: %[[DW:.+]] = scf.forall {{.*}} shared_outs(%{{.+}} = %[[DW0]])
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: return %[[SUMS]]#0, %[[DW]]
func.func @both(%x: tensor<?x512xbf16>, %dy: tensor<?x512xf32>, %rstd: tensor<?xf32>, %gamma: tensor<512xbf16>, %dx0: tensor<?x512xbf16>, %dw0: tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x512xbf16>, tensor<?x512xf32>, tensor<?xf32>, tensor<512xbf16>)
      input_grad(%dx0 : tensor<?x512xbf16>) weight_grad(%dw0 : tensor<512xbf16>) {schedule = #norm.schedule<>} -> tensor<?x512xbf16>, tensor<512xbf16>
  return %dx, %dw : tensor<?x512xbf16>, tensor<512xbf16>
}

// -----

// With accumulate the merge starts from what is there.

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[DW0:[a-z0-9]+]]: tensor<512xf32>)
// CHECK: scf.forall
// CHECK: linalg.fill
// CHECK: scf.forall {{.*}} shared_outs(%[[DW:.+]] = %[[DW0]])
// CHECK-NOT: linalg.fill
// CHECK: linalg.generic {{.*}} outs(%[[DW]] : tensor<512xf32>)
func.func @accumulate(%x: tensor<64x512xbf16>, %rstd: tensor<64xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<64x512xbf16>, tensor<64x512xbf16>, tensor<64xf32>)
      weight_grad(%dw0 : tensor<512xf32>) {schedule = #norm.schedule<parts = 2>} -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// -----

// No rows: the weight gradient is zeros, and there is nothing to tile.

// CHECK-LABEL: func.func @no_rows(
// CHECK-SAME: %[[DW0:[a-z0-9]+]]: tensor<512xf32>)
// CHECK-NEXT: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[DW:.+]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[DW0]] : tensor<512xf32>)
// CHECK-NEXT: return %[[DW]]
func.func @no_rows(%x: tensor<0x512xf32>, %rstd: tensor<0xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<0x512xf32>, tensor<0x512xf32>, tensor<0xf32>) weight_grad(%dw0 : tensor<512xf32>)
      {schedule = #norm.schedule<>} -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// -----

// Results of no rows are the destinations; zeros are zeros in any element type.

// CHECK-LABEL: func.func @no_rows_both(
// CHECK-SAME: %[[DX0:[a-z0-9]+]]: tensor<0x512xf32>, %[[DW0:[a-z0-9]+]]: tensor<512xbf16>)
// CHECK-NEXT: %[[ZERO:.+]] = arith.constant 0.000000e+00 : bf16
// CHECK-NEXT: %[[DW:.+]] = linalg.fill ins(%[[ZERO]] : bf16) outs(%[[DW0]] : tensor<512xbf16>)
// CHECK-NEXT: return %[[DX0]], %[[DW]]
func.func @no_rows_both(%x: tensor<0x512xf32>, %rstd: tensor<0xf32>, %dx0: tensor<0x512xf32>, %dw0: tensor<512xbf16>) -> (tensor<0x512xf32>, tensor<512xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<0x512xf32>, tensor<0x512xf32>, tensor<0xf32>)
      input_grad(%dx0 : tensor<0x512xf32>) weight_grad(%dw0 : tensor<512xbf16>) {schedule = #norm.schedule<>} -> tensor<0x512xf32>, tensor<512xbf16>
  return %dx, %dw : tensor<0x512xf32>, tensor<512xbf16>
}

// -----

// With accumulate, what is there stays.

// CHECK-LABEL: func.func @no_rows_accumulate(
// CHECK-SAME: %[[DW0:[a-z0-9]+]]: tensor<512xf32>)
// CHECK-NEXT: return %[[DW0]]
func.func @no_rows_accumulate(%x: tensor<0x512xf32>, %rstd: tensor<0xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<0x512xf32>, tensor<0x512xf32>, tensor<0xf32>) weight_grad(%dw0 : tensor<512xf32>)
      {schedule = #norm.schedule<>} -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// -----

// CHECK-LABEL: func.func @no_rows_forward(
// CHECK-SAME: %[[Y0:[a-z0-9]+]]: tensor<0x512xf32>, %[[RSTD0:[a-z0-9]+]]: tensor<0xf32>)
// CHECK-NEXT: return %[[Y0]], %[[RSTD0]]
func.func @no_rows_forward(%x: tensor<0x512xf32>, %y0: tensor<0x512xf32>, %rstd0: tensor<0xf32>) -> (tensor<0x512xf32>, tensor<0xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<0x512xf32>) outs(%y0, %rstd0 : tensor<0x512xf32>, tensor<0xf32>)
      {schedule = #norm.schedule<>} -> tensor<0x512xf32>, tensor<0xf32>
  return %y, %rstd : tensor<0x512xf32>, tensor<0xf32>
}

// -----

// Rank 3, as heads that do not collapse have it: a task for each row of each
// leading axis, and parts of the outermost.

// CHECK-LABEL: func.func @heads(
// CHECK: scf.forall (%[[I:.+]], %[[J:.+]]) in (%{{.+}}, 32)
// CHECK: norm.rms_norm {{.*}} : tensor<1x1x128xbf16>
// CHECK: {mapping = [#norm.task<1>, #norm.task<0>], norm.schedule = #norm.schedule<>}
func.func @heads(%x: tensor<?x32x128xbf16>) -> tensor<?x32x128xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x32x128xbf16>) outs(%x : tensor<?x32x128xbf16>) {schedule = #norm.schedule<>} -> tensor<?x32x128xbf16>
  return %y : tensor<?x32x128xbf16>
}

// CHECK-LABEL: func.func @heads_weight_grad(
// CHECK: scf.forall (%{{.+}}) in (4)
// CHECK: scf.for
// CHECK: scf.for %{{.+}} = %c0 to %c32
// CHECK: norm.rms_norm_backward accumulate ins({{.*}} : tensor<1x1x128xbf16>, tensor<1x1x128xbf16>, tensor<1x1xf32>)
func.func @heads_weight_grad(%x: tensor<?x32x128xbf16>, %rstd: tensor<?x32xf32>, %dw0: tensor<128xf32>) -> tensor<128xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x32x128xbf16>, tensor<?x32x128xbf16>, tensor<?x32xf32>) weight_grad(%dw0 : tensor<128xf32>)
      {schedule = #norm.schedule<parts = 4>} -> tensor<128xf32>
  return %dw : tensor<128xf32>
}

// -----

// An op in a row program is a row already: what was tiled before, by this pass
// or by the transform dialect, is left as it is.

// CHECK-LABEL: func.func @tiled(
// CHECK-COUNT-1: scf.forall (
// CHECK-NOT: scf.forall (
// CHECK: norm.rms_norm {{.*}} -> tensor<1x64xf32>
// CHECK-NOT: scf.forall (
// CHECK: return
func.func @tiled(%x: tensor<8x64xf32>, %y0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = scf.forall (%i) in (8) shared_outs(%out = %y0) -> (tensor<8x64xf32>) {
    %xr = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %yr = tensor.extract_slice %out[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
    %n = norm.rms_norm epsilon(1.0e-05) ins(%xr : tensor<1x64xf32>) outs(%yr : tensor<1x64xf32>) -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %out[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
  return %y : tensor<8x64xf32>
}

// -----

// What is on memrefs is not this pass's.

// CHECK-LABEL: func.func @memref(
// CHECK-NEXT: norm.rms_norm
// CHECK-NEXT: return
func.func @memref(%x: memref<8x64xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%x : memref<8x64xf32>)
  return
}

// -----

func.func @no_schedule(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'norm.rms_norm' op has no schedule; run norm-assign-schedule first}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @rank_1(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{'norm.rms_norm' op expected rank >= 2; run norm-collapse-rows first}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>) {schedule = #norm.schedule<>} -> tensor<64xf32>
  return %y : tensor<64xf32>
}
