// RUN: rudnn-opt %s --norm-distribute --split-input-file --verify-diagnostics

// Each program that can't be cut into pieces of a row is refused at the op
// that is in the way.

func.func @tensors(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'scf.forall' op expected a row program on buffers}}
  %y = scf.forall (%i) in (8) shared_outs(%out = %x) -> (tensor<8x64xf32>) {
    scf.forall.in_parallel {
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return %y : tensor<8x64xf32>
}

// -----

func.func @strided_read(%x: memref<8x64xf32, strided<[128, 2]>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{expected rows with a last stride of 1 or 0, got 'memref<8x64xf32, strided<[128, 2]>>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32, strided<[128, 2]>>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @dynamic_stride(%x: memref<8x64xf32, strided<[?, ?]>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{expected rows with a last stride of 1 or 0, got 'memref<8x64xf32, strided<[?, ?]>>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32, strided<[?, ?]>>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @expanded_write(%x: memref<8x64xf32, strided<[1, 0]>>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%i) in (8) {
    // expected-error @below {{writes a row whose columns are one element}}
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32, strided<[1, 0]>>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @transposed_read(%x: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    // expected-error @below {{is no plain read of a row}}
    %v = vector.transfer_read %x[%c0, %i], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<64x64xf32>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @masked_write(%x: memref<8x64xf32>, %mask: vector<64xi1>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %m = arith.constant dense<true> : vector<64xi1>
  scf.forall (%i) in (8) {
    // expected-error @below {{is no plain write of a row}}
    vector.transfer_write %v, %x[%i, %c0], %m {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @row_of_constants(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    // expected-error @below {{is a row of different constants}}
    %v = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<16xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @columns_move(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    // expected-error @below {{'vector.shape_cast' op expected a row of whole vectors of 16 elements, got 'vector<4x16xf32>'}}
    %w = vector.shape_cast %v : vector<64xf32> to vector<4x16xf32>
    %u = arith.mulf %w, %w : vector<4x16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @several_rows(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<2xf32>
  scf.forall (%i) in (4) {
    // expected-error @below {{'vector.transfer_read' op expected a row of whole vectors of 16 elements, got 'vector<2x64xf32>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<2x64xf32>
    %s = vector.multi_reduction <add>, %v, %zero [1] : vector<2x64xf32> to vector<2xf32>
    vector.transfer_write %s, %y[%i] {in_bounds = [true]} : vector<2xf32>, memref<8xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// A row that is no multiple of the schedule's vector has not been cut.
func.func @uncut(%x: memref<8x20xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{'vector.transfer_read' op expected a row of whole vectors of 16 elements, got 'vector<20xf32>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x20xf32>, vector<20xf32>
    %w = arith.mulf %v, %v : vector<20xf32>
    vector.transfer_write %w, %x[%i, %c0] {in_bounds = [true]} : vector<20xf32>, memref<8x20xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @gather(%x: memref<8x64xf32>, %at: vector<64xindex>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant dense<0.0> : vector<64xf32>
  %mask = arith.constant dense<true> : vector<64xi1>
  %index = vector.step : vector<64xindex>
  scf.forall (%i) in (8) {
    // expected-error @below {{'vector.gather' op can't be cut into pieces of a row}}
    %v = vector.gather %x[%i, %c0] [%index], %mask, %pad : memref<8x64xf32>, vector<64xindex>, vector<64xi1>, vector<64xf32> into vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @region(%x: memref<8x64xf32>, %cond: i1) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{'scf.execute_region' op in a row program can't be cut into pieces of a row}}
    scf.execute_region {
      %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
      vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
      scf.yield
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @foreign_row(%x: memref<8x64xf32>, %v: vector<64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    // expected-error @below {{'vector.transfer_write' op has an operand that is no part of the row program}}
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

func.func @scalable(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{'vector.transfer_read' op expected a row of whole vectors of 16 elements, got 'vector<[16]xf32>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<[16]xf32>
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<[16]xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}
