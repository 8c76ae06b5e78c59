// RUN: rudnn-opt %s --norm-tile --norm-decompose --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s

// The row program over whole rows: each input is read once, nothing of size
// M x N but the results exists, and sums over rows live in registers.

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?x4096xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<4096xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<1xf32>
// CHECK-DAG: %[[MEAN:.+]] = arith.constant dense<2.44140625E-4> : vector<1xf32>
// CHECK-DAG: %[[EPSILON:.+]] = arith.constant dense<9.99999974E-6> : vector<1xf32>
// CHECK-NOT: tensor.empty
// CHECK: scf.forall
// CHECK-COUNT-3: tensor.extract_slice
// CHECK-NEXT: %[[X:.+]] = vector.transfer_read %{{.+}} {in_bounds = [true, true]} : tensor<1x4096xbf16>, vector<1x4096xbf16>
// CHECK-NEXT: %[[XF:.+]] = arith.extf %[[X]] : vector<1x4096xbf16> to vector<1x4096xf32>
// CHECK-NEXT: %[[SQUARES:.+]] = arith.mulf %[[XF]], %[[XF]]
// CHECK-NEXT: %[[SUM:.+]] = vector.multi_reduction <add>, %[[SQUARES]], %[[ZERO]] [1] : vector<1x4096xf32> to vector<1xf32>
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[SUM]], %[[MEAN]]
// CHECK-NEXT: %[[SHIFTED:.+]] = arith.addf %[[SCALED]], %[[EPSILON]]
// CHECK-NEXT: %[[RSTD:.+]] = math.rsqrt %[[SHIFTED]] : vector<1xf32>
// CHECK-NEXT: vector.transfer_write %[[RSTD]], %{{.+}} : vector<1xf32>, tensor<1xf32>
// CHECK-NEXT: %[[R:.+]] = vector.broadcast %[[RSTD]] : vector<1xf32> to vector<1x4096xf32>
// CHECK-NEXT: %[[G:.+]] = vector.transfer_read %[[GAMMA]][{{.*}} {in_bounds = [true]} : tensor<4096xf32>, vector<4096xf32>
// CHECK-NEXT: %[[GB:.+]] = vector.broadcast %[[G]]
// CHECK-NEXT: %[[HAT:.+]] = arith.mulf %[[XF]], %[[R]]
// CHECK-NEXT: %[[AFFINE:.+]] = arith.mulf %[[HAT]], %[[GB]]
// CHECK-NEXT: %[[Y:.+]] = arith.truncf %[[AFFINE]] : vector<1x4096xf32> to vector<1x4096xbf16>
// CHECK-NEXT: vector.transfer_write %[[Y]], %{{.+}} : vector<1x4096xbf16>, tensor<1x4096xbf16>
// CHECK-NEXT: scf.forall.in_parallel
func.func @forward(%x: tensor<?x4096xbf16>, %gamma: tensor<4096xf32>, %y0: tensor<?x4096xbf16>, %rstd0: tensor<?xf32>) -> (tensor<?x4096xbf16>, tensor<?xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x4096xbf16>, tensor<4096xf32>) outs(%y0, %rstd0 : tensor<?x4096xbf16>, tensor<?xf32>)
      {schedule = #norm.schedule<>} -> tensor<?x4096xbf16>, tensor<?xf32>
  return %y, %rstd : tensor<?x4096xbf16>, tensor<?xf32>
}

// One read of x, dy and rstd a row; gamma is read once a part; the sum of the
// weight gradient is a vector that the row loop carries.

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<?x4096xbf16>, %{{[a-z0-9]+}}: tensor<?x4096xf16>, %{{[a-z0-9]+}}: tensor<?xf32>, %[[GAMMA:[a-z0-9]+]]: tensor<4096xf32>
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4096xf32>
// CHECK: tensor.empty() : tensor<8x4096xf32>
// CHECK-NOT: tensor.empty
// CHECK: scf.forall
// CHECK: vector.transfer_read %[[GAMMA]]
// CHECK: %[[LOOP:.+]]:2 = scf.for {{.*}} iter_args(%{{.+}} = %{{.+}}, %[[ACC:.+]] = %[[ZERO]]) -> (tensor<?x4096xbf16>, vector<4096xf32>)
// CHECK-COUNT-1: vector.transfer_read {{.*}} vector<1x4096xbf16>
// CHECK-COUNT-1: vector.transfer_read {{.*}} vector<1x4096xf16>
// CHECK-NOT: vector.transfer_read {{.*}}4096
// CHECK: vector.multi_reduction <add>, {{.*}} : vector<1x4096xf32> to vector<1xf32>
// CHECK-NOT: vector.transfer_read {{.*}}4096
// CHECK: vector.transfer_read {{.*}} vector<1xf32>
// CHECK-NOT: vector.transfer_read
// CHECK-NOT: vector.multi_reduction
// CHECK: %[[NEXT:.+]] = arith.addf %[[ACC]], %{{.+}} : vector<4096xf32>
// CHECK: scf.yield %{{.+}}, %[[NEXT]] : tensor<?x4096xbf16>, vector<4096xf32>
// CHECK: vector.transfer_write %[[LOOP]]#1
// CHECK: scf.forall.in_parallel
// CHECK: scf.forall
// CHECK: vector.multi_reduction <add>, {{.*}} [0] : vector<8x512xf32> to vector<512xf32>
func.func @both(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xf32>, %dx0: tensor<?x4096xbf16>, %dw0: tensor<4096xf32>) -> (tensor<?x4096xbf16>, tensor<4096xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xf16>, tensor<?xf32>, tensor<4096xf32>)
      input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dw0 : tensor<4096xf32>) {schedule = #norm.schedule<parts = 8>} -> tensor<?x4096xbf16>, tensor<4096xf32>
  return %dx, %dw : tensor<?x4096xbf16>, tensor<4096xf32>
}

// The weight gradient alone: no reduction along the row, no write of rows.

// CHECK-LABEL: func.func @weight_grad(
// CHECK: scf.for {{.*}} -> (vector<4096xf32>)
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x4096xf16>
// CHECK-NOT: vector.multi_reduction
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield %{{.+}} : vector<4096xf32>
func.func @weight_grad(%x: tensor<?x4096xf16>, %dy: tensor<?x4096xf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x4096xf16>, tensor<?x4096xf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>)
      {schedule = #norm.schedule<parts = 8>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}
