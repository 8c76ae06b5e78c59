// RUN: rudnn-opt %s --split-input-file --norm-multiply-early | FileCheck %s

// The row and the columns do not wait for the sum, its scale does. The reads of
// the columns come first as well.

// CHECK-LABEL: func.func @scaled(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x64xf32>, %[[GAMMA:[a-z0-9]+]]: memref<64xbf16>
// CHECK: %[[ROW:.+]] = vector.transfer_read %[[X]]
// CHECK: %[[SQUARES:.+]] = arith.mulf %[[ROW]], %[[ROW]]
// CHECK-DAG: %[[COLUMNS:.+]] = vector.transfer_read %[[GAMMA]]
// CHECK-DAG: %[[WIDE:.+]] = arith.extf %[[COLUMNS]]
// CHECK-DAG: %[[PRODUCT:.+]] = arith.mulf %[[ROW]], %[[WIDE]] fastmath<contract>
// CHECK: vector.multi_reduction <add>, %[[SQUARES]]
// CHECK: %[[SCALE:.+]] = vector.broadcast
// CHECK-NEXT: %[[RESULT:.+]] = arith.mulf %[[PRODUCT]], %[[SCALE]] fastmath<contract>
// CHECK-NEXT: vector.transfer_write %[[RESULT]]
func.func @scaled(%x: memref<8x64xf32>, %gamma: memref<64xbf16>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %padb = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %s = arith.mulf %v, %v : vector<64xf32>
    %sum = vector.multi_reduction <add>, %s, %zero [0] : vector<64xf32> to f32
    %scale = vector.broadcast %sum : f32 to vector<64xf32>
    %scaled = arith.mulf %v, %scale fastmath<contract> : vector<64xf32>
    %g = vector.transfer_read %gamma[%c0], %padb {in_bounds = [true]} : memref<64xbf16>, vector<64xbf16>
    %wide = arith.extf %g : vector<64xbf16> to vector<64xf32>
    %r = arith.mulf %scaled, %wide fastmath<contract> : vector<64xf32>
    vector.transfer_write %r, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, product = early>}
  return
}

// -----

// Nothing is asked for.

// CHECK-LABEL: func.func @late(
// CHECK: vector.multi_reduction
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @late(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %sum = vector.multi_reduction <add>, %v, %pad [0] : vector<64xf32> to f32
    %scale = vector.broadcast %sum : f32 to vector<64xf32>
    %scaled = arith.mulf %v, %scale : vector<64xf32>
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %r = arith.mulf %scaled, %g : vector<64xf32>
    vector.transfer_write %r, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// A factor that something else needs stays, and with it the only early factor
// of the other product; what the program writes to is read when it is its turn.

// CHECK-LABEL: func.func @kept(
// CHECK: vector.multi_reduction
// CHECK: %[[SCALED:.+]] = arith.mulf
// CHECK: vector.transfer_write %[[SCALED]]
// CHECK: %[[G:.+]] = vector.transfer_read
// CHECK: %[[H:.+]] = arith.mulf %[[SCALED]], %[[G]]
// CHECK: %[[Z:.+]] = vector.transfer_read
// CHECK: arith.mulf %[[SCALED]], %[[Z]]
// CHECK-NEXT: arith.mulf
func.func @kept(%x: memref<8x64xf32>, %gamma: memref<64xf32>, %y: memref<8x64xf32>, %z: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%row) in (8) {
    %v = vector.transfer_read %x[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %sum = vector.multi_reduction <add>, %v, %pad [0] : vector<64xf32> to f32
    %scale = vector.broadcast %sum : f32 to vector<64xf32>
    %scaled = arith.mulf %v, %scale : vector<64xf32>
    vector.transfer_write %scaled, %y[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    %g = vector.transfer_read %gamma[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
    %r = arith.mulf %scaled, %g : vector<64xf32>
    %w = vector.transfer_read %y[%row, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    %s = arith.mulf %scaled, %w : vector<64xf32>
    %t = arith.mulf %s, %v : vector<64xf32>
    %u = arith.addf %r, %t : vector<64xf32>
    vector.transfer_write %u, %z[%row, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, product = early>}
  return
}
