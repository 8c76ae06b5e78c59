// RUN: rudnn-opt %s --norm-forall-to-threads="threads=3" --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,POOL
// RUN: rudnn-opt %s --norm-forall-to-threads="threads=1" --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: rudnn-opt %s --norm-forall-to-threads --canonicalize --split-input-file | FileCheck %s --check-prefix=DEFAULT
// RUN: not rudnn-opt %s --norm-forall-to-threads="threads=-1" --split-input-file 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: error: expected threads >= 0, got -1

// The body becomes a function over a range of tasks, which the runtime calls
// from its threads; what it uses goes through memory, constants are made again.

// POOL: func.func private @rudnnParallelFor(i64, i64, !llvm.ptr, !llvm.ptr)
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x64xf32>
// POOL-DAG: %[[THREADS:.+]] = arith.constant 3 : i64
// POOL-DAG: %[[CONTEXT:.+]] = llvm.alloca %{{.+}} x !llvm.struct<
// POOL-DAG: %[[M:.+]] = memref.dim %[[X]]
// POOL-DAG: llvm.store %{{.+}}, %[[CONTEXT]]
// POOL-DAG: %[[TASKS:.+]] = arith.index_cast %[[M]] : index to i64
// POOL-DAG: %[[BODY:.+]] = constant @rows_rows
// POOL-DAG: %[[POINTER:.+]] = builtin.unrealized_conversion_cast %[[BODY]] : (!llvm.ptr, i64, i64) -> () to !llvm.ptr
// POOL: call @rudnnParallelFor(%[[TASKS]], %[[THREADS]], %[[POINTER]], %[[CONTEXT]])
// POOL-NOT: scf.forall
// POOL: func.func private @rows_rows(%[[ARG:.+]]: !llvm.ptr, %[[BEGIN:.+]]: i64, %[[END:.+]]: i64)
// POOL-DAG: %[[FIRST:.+]] = arith.index_cast %[[BEGIN]]
// POOL-DAG: %[[LAST:.+]] = arith.index_cast %[[END]]
// POOL-DAG: llvm.load %[[ARG]]
// POOL: scf.for %[[ROW:.+]] = %[[FIRST]] to %[[LAST]] step %c1
// POOL: vector.load %{{.+}}[%[[ROW]], %c0]

// ONE-NOT: rudnnParallelFor
// ONE: scf.for %[[ROW:.+]] = %c0 to %{{.+}} step %c1
// ONE: vector.load %[[X]][%[[ROW]], %c0]
// ONE-NOT: scf.forall

// DEFAULT: %[[THREADS:.+]] = arith.constant 0 : i64
// DEFAULT: call @rudnnParallelFor(%{{.+}}, %[[THREADS]],
func.func @rows(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x64xf32>
  scf.forall (%i) in (%m) {
    %v = vector.load %x[%i, %c0] : memref<?x64xf32>, vector<16xf32>
    vector.store %v, %x[%i, %c0] : memref<?x64xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// Two dimensions, bounds and a step that are no 0 and 1: the tasks are counted,
// and each finds its place.

// CHECK-LABEL: func.func @places(
// POOL-DAG: %[[TASKS:.+]] = arith.constant 24 : i64
// POOL: call @rudnnParallelFor(%[[TASKS]],
// POOL: func.func private @places_rows(
// POOL: scf.for %[[TASK:.+]] =
// POOL: %[[AT:.+]]:2 = affine.delinearize_index %[[TASK]] into (
// POOL: %[[I:.+]] = affine.apply #{{.+}}{{[([]}}%[[AT]]#0
// POOL: vector.load %{{.+}}[%[[I]], %[[AT]]#1, %c0]

// ONE: scf.for %{{.+}} = %c2 to %c8 step %c2
// ONE: scf.for %{{.+}} = %c0 to %c8 step %c1
func.func @places(%x: memref<8x8x16xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (2, 0) to (8, 8) step (2, 1) {
    %v = vector.load %x[%i, %j, %c0] : memref<8x8x16xf32>, vector<16xf32>
    vector.store %v, %x[%i, %j, %c0] : memref<8x8x16xf32>, vector<16xf32>
  } {mapping = [#norm.task<1>, #norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// Two programs of one function have bodies of their own; the runtime's function
// is declared once. A loop that is no row program stays.

// POOL-COUNT-1: func.func private @rudnnParallelFor
// POOL-NOT: @rudnnParallelFor(i64, i64
// CHECK-LABEL: func.func @two(
// POOL: constant @two_rows
// POOL: constant @two_rows
// CHECK: scf.forall
// CHECK-NOT: scf.forall
// POOL: func.func private @two_rows{{.*}}(
// POOL: func.func private @two_rows{{.*}}(
func.func @two(%x: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  scf.forall (%i) in (4) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  scf.forall (%i) in (8) {
    %v = vector.load %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
    vector.store %v, %x[%i, %c0] : memref<8x16xf32>, vector<16xf32>
  }
  return
}

// -----

// A program inside a program is a loop of its task.

// CHECK-LABEL: func.func @nested(
// POOL-COUNT-1: call @rudnnParallelFor
// POOL-NOT: call @rudnnParallelFor
// POOL: func.func private @nested_rows(
// POOL: scf.for
// POOL: scf.for
// CHECK-NOT: scf.forall
func.func @nested(%x: memref<8x8x16xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    scf.forall (%j) in (8) {
      %v = vector.load %x[%i, %j, %c0] : memref<8x8x16xf32>, vector<16xf32>
      vector.store %v, %x[%i, %j, %c0] : memref<8x8x16xf32>, vector<16xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  return
}

// -----

// The context is made once, in front of a loop around the program: the stack
// does not grow with its iterations.

// CHECK-LABEL: func.func @in_loop(
// POOL: llvm.alloca
// POOL: scf.for
// POOL-NOT: llvm.alloca
// POOL: call @rudnnParallelFor
func.func @in_loop(%x: memref<8x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.forall (%i) in (8) {
      %v = vector.load %x[%i, %k] : memref<8x16xf32>, vector<16xf32>
      vector.store %v, %x[%i, %k] : memref<8x16xf32>, vector<16xf32>
    } {mapping = [#norm.task<0>], norm.schedule = #norm.schedule<>}
  }
  return
}
