// RUN: rudnn-opt %s --norm-tile --norm-decompose --canonicalize --cse --norm-strip-mine --canonicalize --cse --norm-vectorize --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[CHUNKMAP:.+]] = affine_map<()[s0] -> ((s0 floordiv 32) * 32)>
// CHECK-DAG: #[[VECTORMAP:.+]] = affine_map<()[s0] -> ((s0 floordiv 8) * 8)>

// Two phases: the sum of squares, then y. N = 625 is 19 chunks of 32, two
// vectors of 8 and one column, which a masked step takes.

// CHECK-LABEL: func.func @forward_625(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<8x625xbf16>, %[[GAMMA:[a-z0-9]+]]: tensor<625xf32>
// CHECK-DAG: %[[LANES:.+]] = arith.constant dense<1> : vector<8xindex>
// CHECK-DAG: %[[PAD:.+]] = arith.constant 0.000000e+00 : bf16
// CHECK: scf.forall
// CHECK: %[[CHUNKS:.+]] = scf.for %{{.+}} = %c0 to %c608 step %c32 {{.*}} -> (vector<1x32xf32>)
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, true]} : tensor<1x32xbf16>, vector<1x32xbf16>
// CHECK: scf.yield %{{.+}} : vector<1x32xf32>
// CHECK: %[[VECTORS:.+]] = scf.for %{{.+}} = %c608 to %c624 step %c8 {{.*}} -> (vector<1x8xf32>)
// CHECK: %[[LAST:.+]] = tensor.extract_slice %{{.+}}[0, 624] [1, 1] [1, 1]
// CHECK: vector.transfer_read %[[LAST]]{{.*}}, %[[PAD]] {in_bounds = [true, false]} : tensor<1x1xbf16>, vector<1x8xbf16>
// CHECK: %[[ADDED:.+]] = arith.addf %[[VECTORS]]
// CHECK: arith.cmpi ult, %{{.+}}, %[[LANES]] : vector<8xindex>
// CHECK: %[[KEPT:.+]] = arith.select %{{.+}}, %[[ADDED]], %[[VECTORS]]
// CHECK: %[[PARTIAL:.+]] = vector.multi_reduction <add>, %[[CHUNKS]], %{{.+}} [1]
// CHECK: vector.multi_reduction <add>, %[[KEPT]], %[[PARTIAL]] [1]
// CHECK: math.rsqrt
// CHECK: scf.for %{{.+}} = %c0 to %c608 step %c32
// CHECK-COUNT-2: vector.transfer_read {{.*}}32x
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, true]} : vector<1x32xbf16>, tensor<1x32xbf16>
// CHECK: scf.for %{{.+}} = %c608 to %c624 step %c8
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, true]} : vector<1x8xbf16>, tensor<1x8xbf16>
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, false]} : vector<1x8xbf16>, tensor<1x1xbf16>
// CHECK-NOT: scf.for %
// CHECK: scf.forall.in_parallel
func.func @forward_625(%x: tensor<8x625xbf16>, %gamma: tensor<625xf32>, %y0: tensor<8x625xbf16>, %rstd0: tensor<8xf32>) -> (tensor<8x625xbf16>, tensor<8xf32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x625xbf16>, tensor<625xf32>) outs(%y0, %rstd0 : tensor<8x625xbf16>, tensor<8xf32>)
      {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x625xbf16>, tensor<8xf32>
  return %y, %rstd : tensor<8x625xbf16>, tensor<8xf32>
}

// Whole chunks leave nothing over.

// CHECK-LABEL: func.func @forward_64(
// CHECK: scf.for %{{.+}} = %c0 to %c64 step %c32
// CHECK: math.rsqrt
// CHECK: scf.for %{{.+}} = %c0 to %c64 step %c32
// CHECK-NOT: in_bounds = [true, false]
// CHECK-NOT: scf.for %
// CHECK: return
func.func @forward_64(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// No chunk fits: vectors and a masked rest of 6.

// CHECK-LABEL: func.func @forward_30(
// CHECK-NOT: x32x
// CHECK: scf.for %{{.+}} = %c0 to %c24 step %c8 {{.*}} -> (vector<1x8xf32>)
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, false]} : tensor<1x6xbf16>, vector<1x8xbf16>
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, false]} : vector<1x8xbf16>, tensor<1x6xbf16>
func.func @forward_30(%x: tensor<8x30xbf16>) -> tensor<8x30xbf16> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x30xbf16>) outs(%x : tensor<8x30xbf16>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x30xbf16>
  return %y : tensor<8x30xbf16>
}

// Less than a vector: masked steps only.

// CHECK-LABEL: func.func @forward_5(
// CHECK-NOT: scf.for %
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, false]} : tensor<1x5xf32>, vector<1x8xf32>
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, false]} : vector<1x8xf32>, tensor<1x5xf32>
// CHECK-NOT: scf.for %
// CHECK: return
func.func @forward_5(%x: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x5xf32>) outs(%x : tensor<8x5xf32>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// N of the run time: the same three steps a phase, their bounds computed. The
// sum may be long, so its chunks are added up in blocks of 64 steps, and these
// in blocks of 64 blocks.

// CHECK-LABEL: func.func @forward_dynamic(
// CHECK-DAG: %[[CHUNKEND:.+]] = affine.apply #[[CHUNKMAP]]()[%[[N:[a-z0-9_]+]]]
// CHECK-DAG: %[[VECTOREND:.+]] = affine.apply #[[VECTORMAP]]()[%[[N]]]
// CHECK: scf.for %[[OUTER:.+]] = %c0 to %[[CHUNKEND]] step %c131072 iter_args(%[[SUM:.+]] = %[[ZEROS:.+]]) -> (vector<1x32xf32>)
// CHECK: %[[OUTEREND:.+]] = affine.min #{{.+}}%[[OUTER]], %[[N]]]
// CHECK: %[[BLOCKS:.+]] = scf.for %[[BLOCK:.+]] = %[[OUTER]] to %[[OUTEREND]] step %c2048 iter_args(%[[BLOCKSUM:.+]] = %[[ZEROS]]) -> (vector<1x32xf32>)
// CHECK: %[[BLOCKEND:.+]] = affine.min #{{.+}}%[[BLOCK]], %[[OUTER]], %[[N]]]
// CHECK: %[[PART:.+]] = scf.for %{{.+}} = %[[BLOCK]] to %[[BLOCKEND]] step %c32 iter_args(%{{.+}} = %[[ZEROS]]) -> (vector<1x32xf32>)
// CHECK: arith.addf %[[BLOCKSUM]], %[[PART]] {{.*}} : vector<1x32xf32>
// CHECK: arith.addf %[[SUM]], %[[BLOCKS]] {{.*}} : vector<1x32xf32>
// CHECK: scf.for %{{.+}} = %[[CHUNKEND]] to %[[VECTOREND]] step %c8 {{.*}} -> (vector<1x8xf32>)
// CHECK: scf.for %{{.+}} = %[[VECTOREND]] to %[[N]] step %c8 {{.*}} -> (vector<1x8xf32>)
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true, false]} : tensor<1x?xf32>, vector<1x8xf32>
// CHECK: math.rsqrt
// CHECK: scf.for %{{.+}} = %c0 to %[[CHUNKEND]] step %c32
// CHECK: scf.for %{{.+}} = %[[CHUNKEND]] to %[[VECTOREND]] step %c8
// CHECK: scf.for %{{.+}} = %[[VECTOREND]] to %[[N]] step %c8
// CHECK: vector.transfer_write {{.*}} {in_bounds = [true, false]} : vector<1x8xf32>, tensor<1x?xf32>
// CHECK: return
func.func @forward_dynamic(%x: tensor<?x?xf32>, %gamma: tensor<?xf32>) -> tensor<?x?xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xf32>, tensor<?xf32>) outs(%x : tensor<?x?xf32>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// A sum of more than 64 steps of static number has the blocks it needs; what is
// only written has none.

// CHECK-LABEL: func.func @forward_long(
// CHECK: scf.for %{{.+}} = %c0 to %c65536 step %c2048 {{.*}} -> (vector<1x32xf32>)
// CHECK: scf.for {{.*}} step %c32 {{.*}} -> (vector<1x32xf32>)
// CHECK: math.rsqrt
// CHECK: scf.for %{{.+}} = %c0 to %c65536 step %c32
// CHECK-NOT: scf.for %
// CHECK: return
func.func @forward_long(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x65536xf32>) outs(%x : tensor<8x65536xf32>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x65536xf32>
  return %y : tensor<8x65536xf32>
}

// CHECK-LABEL: func.func @forward_longer(
// CHECK: scf.for %{{.+}} = %c0 to %c262144 step %c131072 {{.*}} -> (vector<1x32xf32>)
// CHECK: scf.for {{.*}} step %c2048 {{.*}} -> (vector<1x32xf32>)
// CHECK: scf.for {{.*}} step %c32 {{.*}} -> (vector<1x32xf32>)
// CHECK: math.rsqrt
// CHECK: scf.for %{{.+}} = %c0 to %c262144 step %c32
// CHECK-NOT: scf.for %
// CHECK: return
func.func @forward_longer(%x: tensor<8x262144xf32>) -> tensor<8x262144xf32> {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x262144xf32>) outs(%x : tensor<8x262144xf32>) {schedule = #norm.schedule<vector = 8, unroll = 4>} -> tensor<8x262144xf32>
  return %y : tensor<8x262144xf32>
}

// dx and dgamma in two phases: the first sums for dx and adds to dgamma from one
// read of each chunk, the second writes dx. The part of dgamma is too long for
// registers and stays in memory, a chunk of it in registers while it is added to.

// CHECK-LABEL: func.func @both(
// CHECK: scf.forall
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for %{{.+}} = %c0 to %c4096 step %c64 {{.*}} -> (tensor<4096xf32>, vector<1x64xf32>)
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x64xbf16>
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<64xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} vector<64xf32>, tensor<64xf32>
// CHECK: scf.yield
// CHECK: vector.multi_reduction <add>, {{.*}} [1] : vector<1x64xf32> to vector<1xf32>
// CHECK: scf.for %{{.+}} = %c0 to %c4096 step %c64 {{.*}} -> (tensor<1x4096xbf16>)
// CHECK-COUNT-2: vector.transfer_read {{.*}} vector<1x64xbf16>
// CHECK-COUNT-1: vector.transfer_read {{.*}} vector<64xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} vector<1x64xbf16>, tensor<1x64xbf16>
// CHECK: scf.yield
// CHECK-NOT: step %c64
// CHECK: scf.forall.in_parallel
func.func @both(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<4096xf32>, %dx0: tensor<?x4096xbf16>, %dw0: tensor<4096xf32>) -> (tensor<?x4096xbf16>, tensor<4096xf32>) {
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>, tensor<4096xf32>)
      input_grad(%dx0 : tensor<?x4096xbf16>) weight_grad(%dw0 : tensor<4096xf32>) {schedule = #norm.schedule<parts = 8>} -> tensor<?x4096xbf16>, tensor<4096xf32>
  return %dx, %dw : tensor<?x4096xbf16>, tensor<4096xf32>
}

// The weight gradient alone has one phase. Its merge adds the parts of a chunk
// of columns in ascending order, in registers.

// CHECK-LABEL: func.func @weight_grad(
// CHECK: scf.forall
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for %{{.+}} = %c0 to %c4096 step %c64
// CHECK-NOT: vector.multi_reduction
// CHECK-NOT: step %c64
// CHECK: scf.forall.in_parallel
// CHECK: scf.forall
// CHECK: scf.for {{.*}} step %c64
// CHECK: %[[SUM:.+]] = scf.for %{{.+}} = %c0 to %c8 step %c1 {{.*}} -> (vector<64xf32>)
// CHECK: vector.transfer_read {{.*}}64xf32>
// CHECK: arith.addf
// CHECK: vector.transfer_write %[[SUM]]
func.func @weight_grad(%x: tensor<?x4096xbf16>, %dy: tensor<?x4096xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<4096xf32>)
      {schedule = #norm.schedule<parts = 8>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}
