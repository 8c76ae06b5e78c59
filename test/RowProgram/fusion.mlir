// RUN: rudnn-opt %s --norm-assign-schedule="vector-bits=256 unroll=4" --norm-tile \
// RUN:   --transform-preload-library="transform-library-paths=%S/Inputs/fuse-producer.mlir" --transform-interpreter -o %t.mlir
// RUN: rudnn-runner %t.mlir --seed=1 --check --guard
// RUN: rudnn-opt %t.mlir --norm-decompose --canonicalize --cse --norm-strip-mine --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s

// A producer that stock fusion brings into the loop over rows becomes part of
// the row program: the residual sum is made twice from its inputs, and stored
// nowhere.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @residual(
// CHECK-NOT: linalg.generic
// CHECK: scf.forall
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} -> (vector<1x32xf32>)
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x32xf32>
// CHECK: %[[SUM:.+]] = arith.addf %{{.+}}, %{{.+}} : vector<1x32xf32>
// CHECK: arith.mulf %[[SUM]], %[[SUM]]
// CHECK: math.rsqrt
// CHECK: scf.for
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x32xf32>
// CHECK: arith.addf %{{.+}}, %{{.+}} : vector<1x32xf32>
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_write
// CHECK: norm.schedule = #norm.schedule<vector = 8, parts = 2>
func.func @residual(%x: tensor<64x512xf32>, %r: tensor<64x512xf32>, %y0: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %r : tensor<64x512xf32>, tensor<64x512xf32>) outs(%empty : tensor<64x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x512xf32>
  %y = norm.rms_norm epsilon(1.0e-05) ins(%sum : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}
