// RUN: rudnn-opt %s --norm-decompose --canonicalize --cse | FileCheck %s

// The ops as linalg: what each computes, for every mask. All arithmetic is f32
// and each result is rounded once.

// CHECK-DAG: #[[ROWS:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[ID:.+]] = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x512xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<512xf16>, %[[Y0:[a-z0-9]+]]: tensor<?x512xbf16>, %[[RSTD0:[a-z0-9]+]]: tensor<?xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[EPSILON:.+]] = arith.constant 9.99999974E-6 : f32
// CHECK-DAG: %[[MEAN:.+]] = arith.constant 0.001953125 : f32
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[ZERO]] : f32) outs({{.*}} : tensor<?xf32>)
// CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [#[[ROWS]], #[[ROW]]], iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<?x512xbf16>) outs(%[[FILL]] : tensor<?xf32>)
// CHECK: ^bb0(%[[IN:.+]]: bf16, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[WIDE]], %[[WIDE]] fastmath<contract> : f32
// CHECK-NEXT: %[[ADD:.+]] = arith.addf %[[OUT]], %[[SQUARE]] fastmath<contract> : f32
// CHECK-NEXT: linalg.yield %[[ADD]]
// CHECK: %[[RSTD:.+]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], iterator_types = ["parallel"]} ins(%[[SUM]] : tensor<?xf32>) outs(%[[RSTD0]] : tensor<?xf32>)
// CHECK: ^bb0(%[[IN:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[IN]], %[[MEAN]] fastmath<contract> : f32
// CHECK-NEXT: %[[SHIFTED:.+]] = arith.addf %[[SCALED]], %[[EPSILON]] fastmath<contract> : f32
// CHECK-NEXT: %[[ROOT:.+]] = math.rsqrt %[[SHIFTED]] : f32
// CHECK-NEXT: linalg.yield %[[ROOT]]
// CHECK: %[[Y:.+]] = linalg.generic {indexing_maps = [#[[ROWS]], #[[ROW]], #[[COLUMN]], #[[ROWS]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[RSTD]], %[[GAMMA]] : {{.*}}) outs(%[[Y0]] : tensor<?x512xbf16>)
// CHECK: ^bb0(%[[IN:.+]]: bf16, %[[R:.+]]: f32, %[[G:.+]]: f16, %{{.+}}: bf16):
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: %[[WIDEG:.+]] = arith.extf %[[G]] : f16 to f32
// CHECK-NEXT: %[[HAT:.+]] = arith.mulf %[[WIDE]], %[[R]] fastmath<contract> : f32
// CHECK-NEXT: %[[AFFINE:.+]] = arith.mulf %[[HAT]], %[[WIDEG]] fastmath<contract> : f32
// CHECK-NEXT: %[[ROUNDED:.+]] = arith.truncf %[[AFFINE]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[ROUNDED]]
// CHECK: return %[[Y]], %[[RSTD]]
func.func @forward(%x: tensor<?x512xbf16>, %gamma: tensor<512xf16>, %y0: tensor<?x512xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x512xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x512xbf16>, tensor<512xf16>) outs(%y0, %rstd0 : tensor<?x512xbf16>, tensor<?xf32>) -> tensor<?x512xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x512xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @forward_offset(
// CHECK-DAG: %[[OFFSET:.+]] = arith.constant 2.500000e-01 : f32
// CHECK: math.rsqrt
// CHECK: ^bb0(%[[IN:.+]]: f32, %[[R:.+]]: f32, %[[G:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: %[[HAT:.+]] = arith.mulf %[[IN]], %[[R]]
// CHECK-NEXT: %[[FACTOR:.+]] = arith.addf %[[G]], %[[OFFSET]]
// CHECK-NEXT: arith.mulf %[[HAT]], %[[FACTOR]]
func.func @forward_offset(%x: tensor<8x512xf32>, %gamma: tensor<512xf32>) -> tensor<8x512xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) gamma_offset(0.25) ins(%x, %gamma : tensor<8x512xf32>, tensor<512xf32>) outs(%x : tensor<8x512xf32>) -> tensor<8x512xf32>
  return %y : tensor<8x512xf32>
}

// Without gamma nothing is multiplied by; without rstd it is held in a new
// tensor. The mean divides by the run-time N.

// CHECK-LABEL: func.func @forward_bare(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf16>
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[N:.+]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[NI:.+]] = arith.index_cast %[[N]] : index to i64
// CHECK-DAG: %[[NF:.+]] = arith.uitofp %[[NI]] : i64 to f32
// CHECK-DAG: %[[MEAN:.+]] = arith.divf %[[ONE]], %[[NF]] : f32
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.+}}, %[[MEAN]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.+}} : tensor<?x?xf16>, tensor<?xf32>)
// CHECK: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: linalg.yield
func.func @forward_bare(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x?xf16>) outs(%x : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %y : tensor<?x?xf16>
}

// dx = rstd * (dy * gamma - x * rstd * c) with c the mean of dy * gamma * x *
// rstd; the row's factor rstd * c is one value.

// CHECK-LABEL: func.func @input_grad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x512xbf16>, %[[DY:[a-z0-9]+]]: tensor<8x512xf32>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<512xf32>, %[[DX0:[a-z0-9]+]]: tensor<8x512xbf16>
// CHECK-DAG: %[[OFFSET:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[MEAN:.+]] = arith.constant 0.001953125 : f32
// CHECK: %[[SUM:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]], %[[DY]], %[[GAMMA]] : {{.*}}) outs({{.*}} : tensor<8xf32>)
// CHECK: ^bb0(%[[XI:.+]]: bf16, %[[DYI:.+]]: f32, %[[G:.+]]: f32, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[XI]]
// CHECK-NEXT: %[[FACTOR:.+]] = arith.addf %[[G]], %[[OFFSET]]
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[DYI]], %[[FACTOR]]
// CHECK-NEXT: %[[PRODUCT:.+]] = arith.mulf %[[SCALED]], %[[WIDE]]
// CHECK-NEXT: arith.addf %[[OUT]], %[[PRODUCT]]
// CHECK: %[[COEFFICIENT:.+]] = linalg.generic {{.*}} ins(%[[SUM]], %[[RSTD]] : tensor<8xf32>, tensor<8xf32>)
// CHECK: ^bb0(%[[S:.+]]: f32, %[[R:.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: %[[A:.+]] = arith.mulf %[[S]], %[[R]]
// CHECK-NEXT: %[[B:.+]] = arith.mulf %[[A]], %[[MEAN]]
// CHECK-NEXT: arith.mulf %[[B]], %[[R]]
// CHECK: %[[DX:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[DY]], %[[GAMMA]], %[[RSTD]], %[[COEFFICIENT]] : {{.*}}) outs(%[[DX0]] : tensor<8x512xbf16>)
// CHECK: ^bb0(%[[XI:.+]]: bf16, %[[DYI:.+]]: f32, %[[G:.+]]: f32, %[[R:.+]]: f32, %[[C:.+]]: f32, %{{.+}}: bf16):
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[XI]]
// CHECK-NEXT: %[[FACTOR:.+]] = arith.addf %[[G]], %[[OFFSET]]
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[DYI]], %[[FACTOR]]
// CHECK-NEXT: %[[PROJECTION:.+]] = arith.mulf %[[WIDE]], %[[C]]
// CHECK-NEXT: %[[REST:.+]] = arith.subf %[[SCALED]], %[[PROJECTION]]
// CHECK-NEXT: %[[WIDEDX:.+]] = arith.mulf %[[REST]], %[[R]]
// CHECK-NEXT: arith.truncf %[[WIDEDX]] : f32 to bf16
// CHECK-NOT: linalg.generic
// CHECK: return %[[DX]]
func.func @input_grad(%x: tensor<8x512xbf16>, %dy: tensor<8x512xf32>, %rstd: tensor<8xf32>, %gamma: tensor<512xf32>, %dx0: tensor<8x512xbf16>) -> tensor<8x512xbf16> {
  %dx = norm.rms_norm_backward gamma_offset(1.0) ins(%x, %dy, %rstd, %gamma : tensor<8x512xbf16>, tensor<8x512xf32>, tensor<8xf32>, tensor<512xf32>) input_grad(%dx0 : tensor<8x512xbf16>) -> tensor<8x512xbf16>
  return %dx : tensor<8x512xbf16>
}

// dgamma = sum over rows of dy * x * rstd, in f32, cast at the end.

// CHECK-LABEL: func.func @weight_grad(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x512xbf16>, %[[DY:[a-z0-9]+]]: tensor<8x512xf16>, %[[RSTD:[a-z0-9]+]]: tensor<8xf32>, %[[DW0:[a-z0-9]+]]: tensor<512xf16>
// CHECK: %[[ZEROS:.+]] = linalg.fill {{.*}} -> tensor<512xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {indexing_maps = [#[[ROWS]], #[[ROWS]], #[[ROW]], #[[COLUMN]]], iterator_types = ["reduction", "parallel"]} ins(%[[X]], %[[DY]], %[[RSTD]] : {{.*}}) outs(%[[ZEROS]] : tensor<512xf32>)
// CHECK: ^bb0(%[[XI:.+]]: bf16, %[[DYI:.+]]: f16, %[[R:.+]]: f32, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[WIDEX:.+]] = arith.extf %[[XI]] : bf16 to f32
// CHECK-NEXT: %[[WIDEDY:.+]] = arith.extf %[[DYI]] : f16 to f32
// CHECK-NEXT: %[[HAT:.+]] = arith.mulf %[[WIDEX]], %[[R]]
// CHECK-NEXT: %[[PRODUCT:.+]] = arith.mulf %[[HAT]], %[[WIDEDY]]
// CHECK-NEXT: arith.addf %[[OUT]], %[[PRODUCT]]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : tensor<512xf32>) outs(%[[DW0]] : tensor<512xf16>)
// CHECK: arith.truncf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @weight_grad(%x: tensor<8x512xbf16>, %dy: tensor<8x512xf16>, %rstd: tensor<8xf32>, %dw0: tensor<512xf16>) -> tensor<512xf16> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x512xbf16>, tensor<8x512xf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<512xf16>) -> tensor<512xf16>
  return %dw : tensor<512xf16>
}

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[DW0:[a-z0-9]+]]: tensor<512xf32>)
// CHECK-NOT: linalg.fill
// CHECK: %[[DW:.+]] = linalg.generic {{.*}} outs(%[[DW0]] : tensor<512xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return %[[DW]]
func.func @accumulate(%x: tensor<8x512xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  %dw = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<8x512xbf16>, tensor<8x512xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// Both gradients, without gamma: dy is not scaled.

// CHECK-LABEL: func.func @both(
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
// CHECK: linalg.generic {{.*}}["parallel"]
// CHECK: linalg.generic {{.*}}["parallel", "parallel"]
// CHECK: linalg.generic {{.*}}["reduction", "parallel"]
// CHECK: return
func.func @both(%x: tensor<8x512xf32>, %dy: tensor<8x512xf32>, %rstd: tensor<8xf32>, %dw0: tensor<512xf32>) -> (tensor<8x512xf32>, tensor<512xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x512xf32>, tensor<8x512xf32>, tensor<8xf32>)
      input_grad(%x : tensor<8x512xf32>) weight_grad(%dw0 : tensor<512xf32>) -> tensor<8x512xf32>, tensor<512xf32>
  return %dx, %dw : tensor<8x512xf32>, tensor<512xf32>
}

// Any rank, columns innermost.

// CHECK-LABEL: func.func @rank_1(
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]} ins({{.*}} : tensor<512xf32>) outs({{.*}} : tensor<f32>)
func.func @rank_1(%x: tensor<512xf32>) -> tensor<512xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<512xf32>) outs(%x : tensor<512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}

// CHECK-LABEL: func.func @rank_4(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins({{.*}}) outs({{.*}} : tensor<2x3x5xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "reduction", "reduction", "parallel"]} ins({{.*}}) outs({{.*}} : tensor<64xf32>)
func.func @rank_4(%x: tensor<2x3x5x64xf32>, %rstd0: tensor<2x3x5xf32>, %dw0: tensor<64xf32>) -> (tensor<2x3x5x64xf32>, tensor<64xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<2x3x5x64xf32>) outs(%x, %rstd0 : tensor<2x3x5x64xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5x64xf32>, tensor<2x3x5xf32>
  %dw = norm.rms_norm_backward ins(%x, %y, %rstd : tensor<2x3x5x64xf32>, tensor<2x3x5x64xf32>, tensor<2x3x5xf32>) weight_grad(%dw0 : tensor<64xf32>) -> tensor<64xf32>
  return %y, %dw : tensor<2x3x5x64xf32>, tensor<64xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK-NEXT: norm.rms_norm
func.func @memref(%x: memref<8x512xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x512xf32>) outs(%x : memref<8x512xf32>)
  return
}
