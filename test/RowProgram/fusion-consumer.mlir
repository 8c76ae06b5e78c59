// RUN: rudnn-opt %s --transform-preload-library="transform-library-paths=%S/Inputs/fuse-into-consumer.mlir" --transform-interpreter -o %t.mlir
// RUN: rudnn-runner %t.mlir --seed=1 --check --guard
// RUN: rudnn-opt %t.mlir --norm-decompose --canonicalize --cse \
// RUN:   --norm-strip-mine --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s

// The loop of a consumer that the norm was fused into is a row program once it
// has a schedule and a mapping; all it takes is upstream's transform dialect.

#rows = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @gate(
// CHECK: scf.forall
// CHECK: scf.for {{.*}} -> (vector<1x32xf32>)
// CHECK-COUNT-1: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: math.rsqrt
// CHECK: scf.for
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x32xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: arith.truncf %{{.+}} : vector<1x32xf32> to vector<1x32xbf16>
// CHECK-COUNT-1: vector.transfer_write {{.*}} vector<1x32xbf16>
// CHECK-NOT: vector.transfer_write
// CHECK: {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 8>}
// CHECK: return
func.func @gate(%x: tensor<64x512xf32>, %gate: tensor<64x512xf32>, %y0: tensor<64x512xf32>, %z0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64x512xf32>) outs(%y0 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%y, %gate : tensor<64x512xf32>, tensor<64x512xf32>) outs(%z0 : tensor<64x512xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %p = arith.mulf %a, %b : f32
    %c = arith.truncf %p : f32 to bf16
    linalg.yield %c : bf16
  } -> tensor<64x512xbf16>
  return %z : tensor<64x512xbf16>
}
