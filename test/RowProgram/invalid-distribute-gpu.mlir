// RUN: rudnn-opt %s --norm-distribute --split-input-file --verify-diagnostics

// What can't be spread over threads is refused at the op that is in the way.

func.func @tensors(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'scf.forall' op expected a row program on buffers}}
  %y = scf.forall (%i) in (8) shared_outs(%out = %x) -> (tensor<8x64xf32>) {
    scf.forall.in_parallel {
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return %y : tensor<8x64xf32>
}

// -----

func.func @more_rows_than_the_tile(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    // expected-error @below {{expected vectors of one row or of the 4 of a tile, got 'vector<8x64xf32>'}}
    %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<8x64xf32>
    vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

func.func @three_axes(%x: memref<4x4x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    // expected-error @below {{expected vectors of one row or of the 4 of a tile, got 'vector<4x4x64xf32>'}}
    %v = vector.transfer_read %x[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x4x64xf32>, vector<4x4x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

func.func @scalable(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{expected vectors of one row, got 'vector<[16]xf32>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<[16]xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

// Threads next to each other would be rows apart.

func.func @columns_across_rows(%x: memref<64x4xf32>, %y: memref<64x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    // expected-error @below {{accesses columns across rows}}
    %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x4xf32>, vector<64x4xf32>
    vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<64x4xf32>, memref<64x4xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

func.func @strided_read(%x: memref<8x64xf32, strided<[128, 2]>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    // expected-error @below {{expected rows with a last stride of 1 or 0, got 'memref<8x64xf32, strided<[128, 2]>>'}}
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32, strided<[128, 2]>>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @strided_write(%x: memref<8x64xf32, strided<[?, ?]>>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%i) in (8) {
    // expected-error @below {{expected rows with a last stride of 1 or 0, got 'memref<8x64xf32, strided<[?, ?]>>'}}
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32, strided<[?, ?]>>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @expanded_write(%x: memref<8x64xf32, strided<[1, 0]>>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%i) in (8) {
    // expected-error @below {{writes a row whose columns are one element}}
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32, strided<[1, 0]>>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @transposed_read(%x: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (64) {
    // expected-error @below {{is no plain access to a row}}
    %v = vector.transfer_read %x[%c0, %i], %pad {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<64x64xf32>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @masked_write(%x: memref<8x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %mask = arith.constant dense<true> : vector<64xi1>
  scf.forall (%i) in (8) {
    // expected-error @below {{is no plain access to a row}}
    vector.transfer_write %v, %x[%i, %c0], %mask {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @both_at_once(%x: memref<8x64xf32>, %s: memref<f32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (2) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true, true]} : memref<8x64xf32>, vector<4x64xf32>
    // expected-error @below {{reduces rows and columns at once}}
    %sum = vector.multi_reduction <add>, %v, %pad [0, 1] : vector<4x64xf32> to f32
    memref.store %sum, %s[] : memref<f32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32, rows = 4>}
  return
}

// -----

func.func @different_constants(%x: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    // expected-error @below {{is a row of different constants}}
    %v = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>
    vector.transfer_write %v, %x[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<8x4xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @shuffled(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    // expected-error @below {{can't be cut into pieces of a row}}
    %w = vector.shuffle %v, %v [3, 2, 1, 0] : vector<64xf32>, vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @moves_columns(%x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true]} : memref<8x64xf32>, vector<64xf32>
    // expected-error @below {{moves columns}}
    %w = vector.extract %v[3] : f32 from vector<64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @argument(%g: vector<64xf32>, %x: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    // expected-error @below {{has an operand that is no part of the row program}}
    vector.transfer_write %g, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @region(%x: memref<8x64xf32>, %m: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%i) in (8) {
    // expected-error @below {{in a row program can't be cut into pieces of a row}}
    scf.execute_region {
      vector.transfer_write %one, %x[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
      scf.yield
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @integers(%x: memref<8x64xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %zero = arith.constant dense<0> : vector<1xi32>
  scf.forall (%i) in (8) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true, true]} : memref<8x64xi32>, vector<1x64xi32>
    // expected-error @below {{has a kind that threads can't combine}}
    %s = vector.multi_reduction <add>, %v, %zero [1] : vector<1x64xi32> to vector<1xi32>
    vector.transfer_write %s, %y[%i] {in_bounds = [true]} : vector<1xi32>, memref<8xi32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @nested(%y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<64xf32>
  scf.forall (%i) in (8) {
    // expected-error @below {{in a row program can't be cut into pieces of a row}}
    scf.forall (%j) in (8) {
      vector.transfer_write %one, %y[%j, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
    }
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @more_blocks_than_a_grid_has(%x: memref<8x64xf32>) {
  // expected-error @below {{expected at most 2147483647 blocks in a grid, got 3000000000}}
  scf.forall (%i) in (3000000000) {
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 2, threads = 32>}
  return
}

// -----

func.func @as_many_rows_as_columns(%x: memref<8x4xf32>, %y: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error @below {{expected tiles whose rows are other than their columns, got rows = 4 in a schedule for tiles of 'vector<4x4xf32>'}}
  scf.forall (%i) = (0) to (8) step (4) {
    %v = vector.transfer_read %x[%i, %c0], %pad {in_bounds = [true, true]} : memref<8x4xf32>, vector<4x4xf32>
    %w = arith.mulf %v, %v : vector<4x4xf32>
    vector.transfer_write %w, %y[%i, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x4xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 1, threads = 8, rows = 4>}
  return
}

// -----

func.func @cluster_of_single_threads(%y: memref<8x64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : vector<64xf32>
  // expected-error @below {{expected threads >= 32 with a cluster, got 1}}
  scf.forall (%i) in (8) {
    vector.transfer_write %one, %y[%i, %c0] {in_bounds = [true]} : vector<64xf32>, memref<8x64xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<vector = 4, threads = 1, cluster = 2>}
  return
}
