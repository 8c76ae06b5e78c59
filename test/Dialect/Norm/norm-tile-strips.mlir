// RUN: rudnn-opt %s --split-input-file --norm-tile --canonicalize --cse | FileCheck %s

// Strips of 128 columns: 16 threads of 8 columns for each of 4 rows of the same
// 64 threads that dx gives a row. One part goes where the gradient is.

// CHECK: #[[LAUNCH:.+]] = distinct[0]<#norm.schedule<vector = 8, parts = 1, threads = 64, strips = 4>>
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xbf16>, %[[DY:[a-z0-9]+]]: tensor<?x512xf32>, %[[RSTD:[a-z0-9]+]]: tensor<?xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<512xbf16>, %[[DX0:[a-z0-9]+]]: tensor<?x512xbf16>, %[[DW0:[a-z0-9]+]]: tensor<512xbf16>
// CHECK: %[[NEWDW:.+]] = scf.forall (%[[COLUMN:.+]]) = (0) to (512) step (128) shared_outs(%[[DW:.+]] = %[[DW0]]) -> (tensor<512xbf16>) {
// CHECK-DAG: %[[PLACE:.+]] = tensor.extract_slice %[[DW]][%[[COLUMN]]] [128] [1]
// CHECK-DAG: %[[START:.+]] = linalg.fill {{.*}} -> tensor<128xf32>
// CHECK: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK: %[[SUM:.+]] = scf.for %[[ROW:.+]] = %c0 to %[[M]] step %c4 iter_args(%[[ACC:.+]] = %[[START]]) -> (tensor<128xf32>) {
// CHECK: %[[LEFT:.+]] = arith.subi %[[M]], %[[ROW]]
// CHECK: %[[COUNT:.+]] = arith.minsi %[[LEFT]], %c4
// CHECK: %[[RTILE:.+]] = tensor.extract_slice %[[RSTD]][%[[ROW]]] [%[[COUNT]]] [1]
// CHECK: %[[RPAD:.+]] = tensor.pad %[[RTILE]]
// CHECK: %[[XTILE:.+]] = tensor.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] [%[[COUNT]], 128] [1, 1]
// CHECK: %[[XPAD:.+]] = tensor.pad %[[XTILE]]
// CHECK: %[[DYTILE:.+]] = tensor.extract_slice %[[DY]][%[[ROW]], %[[COLUMN]]] [%[[COUNT]], 128] [1, 1]
// CHECK: %[[DYPAD:.+]] = tensor.pad %[[DYTILE]]
// CHECK: %[[ADD:.+]] = norm.rms_norm_backward accumulate ins(%[[XPAD]], %[[DYPAD]], %[[RPAD]] : tensor<4x128xbf16>, tensor<4x128xf32>, tensor<4xf32>) weight_grad(%[[ACC]] : tensor<128xf32>)
// CHECK: scf.yield %[[ADD]]
// CHECK: %[[CAST:.+]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<128xf32>) outs(%[[PLACE]] : tensor<128xbf16>)
// CHECK: tensor.parallel_insert_slice %[[CAST]] into %[[DW]][%[[COLUMN]]] [128] [1]
// CHECK: } {mapping = [#norm.task<0>], norm.launch = #[[LAUNCH]], norm.schedule = #norm.schedule<vector = 8, parts = 1, threads = 16, rows = 4>}
// CHECK: %[[NEWDX:.+]] = scf.forall (%{{.+}}) in (%{{.+}}) shared_outs(%{{.+}} = %[[DX0]]) -> (tensor<?x512xbf16>) {
// CHECK: norm.rms_norm_backward ins({{.*}}, %[[GAMMA]] : tensor<1x512xbf16>, tensor<1x512xf32>, tensor<1xf32>, tensor<512xbf16>) input_grad(%{{.+}} : tensor<1x512xbf16>) ->
// CHECK: } {mapping = [#norm.task<0>], norm.launch = #[[LAUNCH]], norm.schedule = #norm.schedule<vector = 8, threads = 64>}
// CHECK-NEXT: return %[[NEWDX]], %[[NEWDW]]
func.func @both(%x: tensor<?x512xbf16>, %dy: tensor<?x512xf32>, %rstd: tensor<?xf32>, %gamma: tensor<512xbf16>, %dx0: tensor<?x512xbf16>, %dw0: tensor<512xbf16>) -> (tensor<?x512xbf16>, tensor<512xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x512xbf16>, tensor<?x512xf32>, tensor<?xf32>, tensor<512xbf16>)
      input_grad(%dx0 : tensor<?x512xbf16>) weight_grad(%dw0 : tensor<512xbf16>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 64, strips = 4>} -> tensor<?x512xbf16>, tensor<512xbf16>
  return %dx, %dw : tensor<?x512xbf16>, tensor<512xbf16>
}

// -----

// On top of what is there; 17 vectors in strips of 6, of which the last has 5.
// A block sees whole tiles of rows.

// CHECK: #[[MAP:.+]] = affine_map<()[s0] -> (-s0 + 68, 24)>
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x68xf32>
// CHECK: scf.forall (%[[COLUMN:.+]]) = (0) to (68) step (24) shared_outs(%[[DW:.+]] = %{{.+}}) -> (tensor<68xf32>) {
// CHECK: %[[SIZE:.+]] = affine.min #[[MAP]]()[%[[COLUMN]]]
// CHECK: %[[PLACE:.+]] = tensor.extract_slice %[[DW]][%[[COLUMN]]] [%[[SIZE]]] [1]
// CHECK: %[[START:.+]] = tensor.pad %[[PLACE]]
// CHECK: scf.for %[[ROW:.+]] = %c0 to %c64 step %c4 iter_args(%{{.+}} = %[[START]])
// CHECK: tensor.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] [4, %[[SIZE]]] [1, 1]
// CHECK: norm.rms_norm_backward accumulate ins({{.*}} : tensor<4x24xf32>,
// CHECK: norm.schedule = #norm.schedule<vector = 4, parts = 1, threads = 8, rows = 4>
func.func @accumulate(%x: tensor<64x68xf32>, %rstd: tensor<64xf32>, %dw0: tensor<68xf32>) -> tensor<68xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<64x68xf32>, tensor<64x68xf32>, tensor<64xf32>) weight_grad(%dw0 : tensor<68xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 1, threads = 32, strips = 3>} -> tensor<68xf32>
  return %dw : tensor<68xf32>
}

// -----

// Parts of the rows: each takes every third, and a merge adds the sums up. The
// merge comes last, so that the others are neighbours.

// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xf32>
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<3x512xf32>
// CHECK: %[[SUMS:.+]] = scf.forall (%[[PART:.+]], %[[COLUMN:.+]]) = (0, 0) to (3, 512) step (1, 128) shared_outs(%[[OUT:.+]] = %[[EMPTY]])
// CHECK: tensor.extract_slice %[[OUT]][%[[PART]], %[[COLUMN]]] [1, 128] [1, 1] : tensor<3x512xf32> to tensor<1x128xf32>
// CHECK: %[[COUNT:.+]] = arith.divui %{{.+}}, %c3
// CHECK: scf.for %[[STEP:.+]] = %c0 to %[[COUNT]] step %c2
// CHECK: %[[AHEAD:.+]] = arith.muli %[[STEP]], %c3
// CHECK: %[[ROW:.+]] = arith.addi %[[PART]], %[[AHEAD]]
// CHECK: tensor.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] [%{{.+}}, 128] [3, 1]
// CHECK: tensor.parallel_insert_slice %{{.+}} into %[[OUT]][%[[PART]], %[[COLUMN]]] [1, 128] [1, 1]
// CHECK: {mapping = [#norm.task<1>, #norm.task<0>], norm.launch = #[[LAUNCH:.+]], norm.schedule
// CHECK: norm.launch = #[[LAUNCH]]
// CHECK: scf.forall ({{.+}}) = (0) to (512) step (32)
// CHECK: tensor.extract_slice %[[SUMS]]
// CHECK: {mapping = [#norm.task<0>], norm.schedule
func.func @parts(%x: tensor<?x512xf32>, %rstd: tensor<?xf32>, %dx0: tensor<?x512xf32>, %dw0: tensor<512xf32>) -> (tensor<?x512xf32>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x512xf32>, tensor<?x512xf32>, tensor<?xf32>)
      input_grad(%dx0 : tensor<?x512xf32>) weight_grad(%dw0 : tensor<512xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 3, prefetch = 1, threads = 64, strips = 4>} -> tensor<?x512xf32>, tensor<512xf32>
  return %dx, %dw : tensor<?x512xf32>, tensor<512xf32>
}

// -----

// The weight gradient alone is one program, in its own rows and threads, as far
// as a strip has columns for these. It keeps its ring.

// CHECK-LABEL: func.func @alone(
// CHECK-COUNT-1: scf.forall
// CHECK-NOT: norm.launch
// CHECK: norm.schedule = #norm.schedule<vector = 8, parts = 1, threads = 32, rows = 4, stage = shared>
// CHECK-NOT: scf.forall
// CHECK: return
func.func @alone(%x: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 1, threads = 32, rows = 4, stage = shared, strips = 4>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}

// -----

// Rows of two axes.

// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x6x128xf32>
// CHECK: scf.forall (%[[COLUMN:.+]]) = (0) to (128) step (64)
// CHECK: scf.for %[[I:.+]] = %c0 to %{{.+}} step %c1
// CHECK: scf.for %[[J:.+]] = %c0 to %c6 step %c2
// CHECK: tensor.extract_slice %[[X]][%[[I]], %[[J]], %[[COLUMN]]] [1, 2, 64] [1, 1, 1]
// CHECK: norm.rms_norm_backward accumulate ins({{.*}} : tensor<1x2x64xf32>, tensor<1x2x64xf32>, tensor<1x2xf32>)
func.func @heads(%x: tensor<?x6x128xf32>, %rstd: tensor<?x6xf32>, %dw0: tensor<128xf32>) -> tensor<128xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x6x128xf32>, tensor<?x6x128xf32>, tensor<?x6xf32>) weight_grad(%dw0 : tensor<128xf32>)
      {schedule = #norm.schedule<vector = 4, parts = 1, threads = 32, strips = 2>} -> tensor<128xf32>
  return %dw : tensor<128xf32>
}
