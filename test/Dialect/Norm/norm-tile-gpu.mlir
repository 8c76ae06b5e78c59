// RUN: rudnn-opt %s --split-input-file --norm-tile --canonicalize --cse | FileCheck %s

// A tile of a GPU's block is a fixed number of rows: the last is filled up with
// zeros, and what comes out for rows that do not exist is dropped.

// CHECK-DAG: #[[LEFT:.+]] = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
// CHECK-DAG: #[[MISSING:.+]] = affine_map<()[s0] -> (-s0 + 4)>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<512xf32>, %[[Y0:[a-z0-9]+]]: tensor<?x512xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK: scf.forall (%[[ROW:.+]]) = (0) to (%[[M]]) step (4) shared_outs(%[[Y:.+]] = %[[Y0]], %[[RSTD:.+]] = %[[RSTD0]])
// CHECK: %[[COUNT:.+]] = affine.min #[[LEFT]](%[[ROW]])[%[[M]]]
// CHECK-DAG: %[[XS:.+]] = tensor.extract_slice %[[X]][%[[ROW]], 0] [%[[COUNT]], 512] [1, 1]
// CHECK-DAG: %[[YS:.+]] = tensor.extract_slice %[[Y]][%[[ROW]], 0] [%[[COUNT]], 512] [1, 1]
// CHECK-DAG: %[[RS:.+]] = tensor.extract_slice %[[RSTD]][%[[ROW]]] [%[[COUNT]]] [1]
// CHECK-DAG: %[[HIGH:.+]] = affine.apply #[[MISSING]]()[%[[COUNT]]]
// CHECK-DAG: %[[XP:.+]] = tensor.pad %[[XS]] low[0, 0] high[%[[HIGH]], 0]
// CHECK-DAG: %[[YP:.+]] = tensor.pad %[[YS]] low[0, 0] high[%[[HIGH]], 0]
// CHECK-DAG: %[[RP:.+]] = tensor.pad %[[RS]] low[0] high[%[[HIGH]]]
// CHECK: %[[NORM:.+]]:2 = norm.rms_norm epsilon(1.0e-5) ins(%[[XP]], %[[GAMMA]] : tensor<4x512xbf16>, tensor<512xf32>) outs(%[[YP]], %[[RP]] : tensor<4x512xbf16>, tensor<4xf32>)
// CHECK: %[[YOUT:.+]] = tensor.extract_slice %[[NORM]]#0[0, 0] [%[[COUNT]], 512] [1, 1]
// CHECK: %[[ROUT:.+]] = tensor.extract_slice %[[NORM]]#1[0] [%[[COUNT]]] [1]
// CHECK: tensor.parallel_insert_slice %[[YOUT]] into %[[Y]][%[[ROW]], 0] [%[[COUNT]], 512] [1, 1]
// CHECK: tensor.parallel_insert_slice %[[ROUT]] into %[[RSTD]][%[[ROW]]] [%[[COUNT]]] [1]
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, threads = 32, rows = 4>}
func.func @forward(%x: tensor<?x512xbf16>, %gamma: tensor<512xf32>, %y0: tensor<?x512xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x512xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x512xbf16>, tensor<512xf32>) outs(%y0, %rstd0 : tensor<?x512xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8, threads = 32, rows = 4>} -> tensor<?x512xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x512xbf16>, tensor<?xf32>
}

// -----

// Where rows are known to fill the tiles nothing is padded.

// CHECK-LABEL: func.func @exact(
// CHECK-NOT: tensor.pad
// CHECK: norm.rms_norm epsilon(1.0e-5) ins(%{{.+}} : tensor<4x512xbf16>)
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @exact(%x: tensor<64x512xbf16>, %y0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xbf16>) outs(%y0 : tensor<64x512xbf16>)
      {schedule = #norm.schedule<vector = 8, threads = 32, rows = 4>} -> tensor<64x512xbf16>
  return %y : tensor<64x512xbf16>
}

// -----

// A single row needs no padding, whatever M is.

// CHECK-LABEL: func.func @one_row(
// CHECK-NOT: tensor.pad
// CHECK: norm.rms_norm epsilon(1.0e-5) ins(%{{.+}} : tensor<1x512xbf16>)
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @one_row(%x: tensor<?x512xbf16>, %y0: tensor<?x512xbf16>) -> tensor<?x512xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x512xbf16>) outs(%y0 : tensor<?x512xbf16>)
      {schedule = #norm.schedule<vector = 8, threads = 32>} -> tensor<?x512xbf16>
  return %y : tensor<?x512xbf16>
}

// -----

// Part p of 6 takes the rows p, p + 6, p + 12, ..., of which there are
// (M + 5 - p) / 6. Each part adds up its rows in f32, from zero. The merge takes
// 64 columns: 16 threads of 4, and 16 rows of them, each every 16th part.

// CHECK-DAG: #[[COLUMNS:.+]] = affine_map<()[s0] -> (-s0 + 500, 64)>
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x500xbf16>, %[[DY:[a-z0-9]+]]: tensor<?x500xf32>, %[[RSTD:[a-z0-9]+]]: tensor<?xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<500xbf16>, %[[DX0:[a-z0-9]+]]: tensor<?x500xbf16>, %[[DW0:[a-z0-9]+]]: tensor<500xbf16>
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<6x500xf32>
// CHECK: %[[SUMS:.+]]:2 = scf.forall (%[[PART:.+]]) in (6) shared_outs(%[[DX:.+]] = %[[DX0]], %[[OUT:.+]] = %[[EMPTY]])
// CHECK-DAG: %[[M:.+]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[ROUND:.+]] = arith.addi %[[M]], %c5
// CHECK-DAG: %[[BEHIND:.+]] = arith.subi %[[ROUND]], %[[PART]]
// CHECK-DAG: %[[COUNT:.+]] = arith.divui %[[BEHIND]], %c6
// CHECK-DAG: tensor.extract_slice %[[X]][%[[PART]], 0] [%[[COUNT]], 500] [6, 1]
// CHECK-DAG: tensor.extract_slice %[[DY]][%[[PART]], 0] [%[[COUNT]], 500] [6, 1]
// CHECK-DAG: tensor.extract_slice %[[RSTD]][%[[PART]]] [%[[COUNT]]] [6]
// CHECK-DAG: tensor.extract_slice %[[DX]][%[[PART]], 0] [%[[COUNT]], 500] [6, 1]
// CHECK-DAG: %[[START:.+]] = linalg.fill {{.*}} outs({{.*}} : tensor<500xf32>)
// CHECK: %[[PARTSUM:.+]]:2 = scf.for %{{.+}} = %c0 to %[[COUNT]] step %c4 iter_args(%{{.+}} = %{{.+}}, %[[ACC:.+]] = %[[START]])
// CHECK-COUNT-4: tensor.pad
// CHECK: norm.rms_norm_backward accumulate ins({{.*}} : tensor<4x500xbf16>, tensor<4x500xf32>, tensor<4xf32>, tensor<500xbf16>) input_grad({{.*}} : tensor<4x500xbf16>) weight_grad(%[[ACC]] : tensor<500xf32>)
// CHECK: tensor.parallel_insert_slice %[[PARTSUM]]#0 into %[[DX]][%[[PART]], 0] [%[[COUNT]], 500] [6, 1]
// CHECK: tensor.parallel_insert_slice %[[PARTSUM]]#1 into %[[OUT]][%[[PART]], 0] [1, 500] [1, 1]
// CHECK: norm.schedule = #norm.schedule<vector = 8, parts = 6, threads = 32, rows = 4, merge_columns = 64>
// CHECK: scf.forall (%[[COLUMN:.+]]) = (0) to (500) step (64) shared_outs(%[[DW:.+]] = %[[DW0]])
// CHECK-DAG: %[[SIZE:.+]] = affine.min #[[COLUMNS]]()[%[[COLUMN]]]
// CHECK-DAG: %[[TILE:.+]] = tensor.extract_slice %[[SUMS]]#1[0, %[[COLUMN]]] [6, %[[SIZE]]] [1, 1]
// CHECK-DAG: %[[PADDED:.+]] = tensor.pad %[[TILE]] low[0, 0] high[%c10{{.*}}, %{{.+}}] {
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[PADDED]] : tensor<16x64xf32>) outs({{.*}} : tensor<64xf32>)
// CHECK: arith.truncf %{{.+}} : f32 to bf16
// CHECK: tensor.parallel_insert_slice %{{.+}} into %[[DW]][%[[COLUMN]]] [%[[SIZE]]] [1]
// CHECK: norm.schedule = #norm.schedule<vector = 4, threads = 16, rows = 16>
func.func @both(%x: tensor<?x500xbf16>, %dy: tensor<?x500xf32>, %rstd: tensor<?xf32>, %gamma: tensor<500xbf16>, %dx0: tensor<?x500xbf16>, %dw0: tensor<500xbf16>) -> (tensor<?x500xbf16>, tensor<500xbf16>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x500xbf16>, tensor<?x500xf32>, tensor<?xf32>, tensor<500xbf16>)
      input_grad(%dx0 : tensor<?x500xbf16>) weight_grad(%dw0 : tensor<500xbf16>) {schedule = #norm.schedule<vector = 8, parts = 6, threads = 32, rows = 4, merge_columns = 64>} -> tensor<?x500xbf16>, tensor<500xbf16>
  return %dx, %dw : tensor<?x500xbf16>, tensor<500xbf16>
}

// -----

// More parts than the merge has rows of threads: a loop, in steps of them, of
// which the last is padded. An accumulating gradient starts from what is there.

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<96x30xf32>, %[[RSTD:[a-z0-9]+]]: tensor<96xf32>, %[[DW0:[a-z0-9]+]]: tensor<30xf32>
// CHECK: %[[SUMS:.+]] = scf.forall (%{{.+}}) in (70)
// CHECK: scf.forall (%[[COLUMN:.+]]) = (0) to (30) step (16) shared_outs(%[[DW:.+]] = %[[DW0]])
// CHECK: %[[BEFORE:.+]] = tensor.extract_slice %[[DW]][%[[COLUMN]]]
// CHECK: %[[INIT:.+]] = tensor.pad %[[BEFORE]]
// CHECK: scf.for %[[PART:.+]] = %c0 to %c70 step %c64 iter_args(%[[ACC:.+]] = %[[INIT]]) -> (tensor<16xf32>)
// CHECK: %[[COUNT:.+]] = {{arith.minsi|affine.min}}
// CHECK: %[[TILE:.+]] = tensor.extract_slice %[[SUMS]][%[[PART]], %[[COLUMN]]] [%[[COUNT]], %{{.+}}] [1, 1]
// CHECK: %[[PADDED:.+]] = tensor.pad %[[TILE]]
// CHECK: linalg.generic {{.*}} ins(%[[PADDED]] : tensor<64x16xf32>) outs(%[[ACC]] : tensor<16xf32>)
// CHECK-NOT: arith.truncf
// CHECK: norm.schedule = #norm.schedule<vector = 4, threads = 4, rows = 64>
func.func @accumulate(%x: tensor<96x30xf32>, %rstd: tensor<96xf32>, %dw0: tensor<30xf32>) -> tensor<30xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<96x30xf32>, tensor<96x30xf32>, tensor<96xf32>)
      weight_grad(%dw0 : tensor<30xf32>) {schedule = #norm.schedule<vector = 2, parts = 70, threads = 32, merge_columns = 16>} -> tensor<30xf32>
  return %dw : tensor<30xf32>
}

// -----

// 32 columns would be as many as rows of threads, and the two axes of a tile
// are told apart by their sizes: there are 64 rows then.

// CHECK-LABEL: func.func @equal(
// CHECK: scf.forall ({{.+}}) = (0) to (64) step (32)
// CHECK: linalg.generic {{.*}} ins(%{{.+}} : tensor<64x32xf32>)
// CHECK: norm.schedule = #norm.schedule<vector = 4, threads = 8, rows = 64>
func.func @equal(%x: tensor<?x64xf32>, %rstd: tensor<?xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?xf32>)
      weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<vector = 2, parts = 6, threads = 32>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

// Narrow merges: one column for each thread.

// CHECK-LABEL: func.func @narrow(
// CHECK: scf.forall ({{.+}}) in (64)
// CHECK: norm.schedule = #norm.schedule<vector = 1, threads = 1, rows = 256>
func.func @narrow(%x: tensor<?x64xf32>, %rstd: tensor<?xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?xf32>)
      weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<vector = 2, parts = 6, threads = 32, merge_columns = 1>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

// With a number of parts the rows are dealt to as many blocks: one of them takes
// every third row, a tile at a time.

// CHECK-LABEL: func.func @walk(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xbf16>, %[[Y0:[a-z0-9]+]]: tensor<?x512xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>
// CHECK: scf.forall (%[[PART:.+]]) in (3) shared_outs(%[[Y:.+]] = %[[Y0]], %[[RSTD:.+]] = %[[RSTD0]])
// CHECK: %[[COUNT:.+]] = arith.divui %{{.+}}, %c3
// CHECK-DAG: tensor.extract_slice %[[X]][%[[PART]], 0] [%[[COUNT]], 512] [3, 1]
// CHECK-DAG: tensor.extract_slice %[[Y]][%[[PART]], 0] [%[[COUNT]], 512] [3, 1]
// CHECK-DAG: tensor.extract_slice %[[RSTD]][%[[PART]]] [%[[COUNT]]] [3]
// CHECK: %[[WALK:.+]]:2 = scf.for %{{.+}} = %c0 to %[[COUNT]] step %c2
// CHECK: norm.rms_norm {{.*}} tensor<2x512xbf16>
// CHECK: tensor.parallel_insert_slice %[[WALK]]#0 into %[[Y]][%[[PART]], 0] [%[[COUNT]], 512] [3, 1]
// CHECK: tensor.parallel_insert_slice %[[WALK]]#1 into %[[RSTD]][%[[PART]]] [%[[COUNT]]] [3]
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, rows = 2>}
func.func @walk(%x: tensor<?x512xbf16>, %y0: tensor<?x512xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x512xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x512xbf16>) outs(%y0, %rstd0 : tensor<?x512xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, rows = 2>} -> tensor<?x512xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x512xbf16>, tensor<?xf32>
}

// -----

// The loop does not make rows that nobody uses.

// CHECK-LABEL: func.func @unused_rows(
// CHECK: scf.forall (%{{.+}}) in (3) shared_outs(%{{.+}} = %{{.+}}) -> (tensor<?xf32>)
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}) -> (tensor<?xf32>)
func.func @unused_rows(%x: tensor<?x512xbf16>, %gamma: tensor<512xbf16>, %y0: tensor<?x512xbf16>, %r0: tensor<?xf32>)
    -> tensor<?xf32> {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05)
      ins(%x, %gamma : tensor<?x512xbf16>, tensor<512xbf16>) outs(%y0, %r0 : tensor<?x512xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<vector = 8, parts = 3, threads = 32, rows = 2>} -> tensor<?x512xbf16>, tensor<?xf32>
  return %rstd : tensor<?xf32>
}
