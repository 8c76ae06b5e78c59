// --guard finds reads and writes around the arguments and writes to inputs. The
// functions here misbehave on purpose, behind the back of every analysis.
//
// DEFINE: %{run} = rudnn-runner %s --device=reference --guard
// DEFINE: %{bad} = %python %S/Inputs/exits.py 1 rudnn-runner %s --device=reference --guard

// RUN: %{run} --entry=good | FileCheck %s --check-prefix=GOOD
// GOOD: guard: ok, nothing was touched around the arguments
func.func @good(%x: memref<2x3xf32, strided<[5, 1], offset: 2>>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<2x3xf32, strided<[5, 1], offset: 2>>)
  return
}

// RUN: %{bad} --entry=read_past 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: %{bad} --entry=read_past --misalign=0 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: error: argument 0: access past the end of the buffer
func.func @read_past(%x: memref<7xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %view = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1]
      : memref<7xf32> to memref<8xf32>
  %value = memref.load %view[%c7] : memref<8xf32>
  memref.store %value, %y[%c0] : memref<1xf32>
  return
}

// RUN: %{bad} --entry=write_before | FileCheck %s --check-prefix=BEFORE
// BEFORE: guard: FAIL, argument 0: bytes before or after it were written
func.func @write_before(%x: memref<7xf32>) {
  %distance = arith.constant -1 : i64
  call @poke(%x, %distance) : (memref<7xf32>, i64) -> ()
  return
}

// RUN: %{bad} --entry=write_input | FileCheck %s --check-prefix=INPUT
// INPUT: guard: FAIL, argument 0: it was written, but is an input
func.func @write_input(%x: memref<7xf32>) {
  %distance = arith.constant 3 : i64
  call @poke(%x, %distance) : (memref<7xf32>, i64) -> ()
  return
}

// RUN: %{bad} --entry=write_gap | FileCheck %s --check-prefix=GAP
// GAP: guard: FAIL, argument 0: bytes between its rows were written
func.func @write_gap(%x: memref<2x3xf32, strided<[5, 1]>>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<2x3xf32, strided<[5, 1]>>)
  %all = memref.reinterpret_cast %x to offset: [0], sizes: [7], strides: [1]
      : memref<2x3xf32, strided<[5, 1]>> to memref<7xf32>
  %distance = arith.constant 3 : i64
  call @poke(%all, %distance) : (memref<7xf32>, i64) -> ()
  return
}

func.func private @poke(%x: memref<7xf32>, %distance: i64) {
  %base = memref.extract_aligned_pointer_as_index %x : memref<7xf32> -> index
  %address = arith.index_cast %base : index to i64
  %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
  %element = llvm.getelementptr %pointer[%distance] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %value = arith.constant 42.0 : f32
  llvm.store %value, %element : f32, !llvm.ptr
  return
}
