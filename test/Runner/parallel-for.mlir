// The pool that compiled code runs loops on: every item once, whatever the
// numbers of items and threads; nested loops too.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/write_npy.py %t/counts.npy '<i8' 9 0,1,2,3,7,64,1000,999,1001
// RUN: %python %S/Inputs/write_npy.py %t/zeros.npy '<i8' 9,1001 0
// RUN: %python %S/Inputs/write_npy.py %t/marks.npy '<i8' 9,1001 0*1001,1,0*1000,1*2,0*999,1*3,0*998,1*7,0*994,1*64,0*937,1*1000,0,1*999,0*2,1*1001
// DEFINE: %{run} = rudnn-runner %s --device=reference --input=0=%t/counts.npy --input=1=%t/threads.npy --input=2=%t/zeros.npy --expect=0=%t/marks.npy --expect-ulp=0
// DEFINE: %{write} = %python %S/Inputs/write_npy.py %t/threads.npy '<i8' 1
// RUN: %{write} 0 && %{run} --entry=flat
// RUN: %{write} 1 && %{run} --entry=flat
// RUN: %{write} 2 && %{run} --entry=flat
// RUN: %{write} 3 && %{run} --entry=flat
// RUN: %{write} 37 && %{run} --entry=flat
// RUN: %{write} 3 && %{run} --entry=nested

llvm.func @rudnnParallelFor(i64, i64, !llvm.ptr, !llvm.ptr)

// Adds 1 to items [begin, end) of a row.
llvm.func @mark(%row: !llvm.ptr, %begin: i64, %end: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^test(%begin : i64)
^test(%i: i64):
  %more = llvm.icmp "slt" %i, %end : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %item = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %old = llvm.load %item : !llvm.ptr -> i64
  %new = llvm.add %old, %one : i64
  llvm.store %new, %item : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^test(%next : i64)
^done:
  llvm.return
}

func.func private @address(%x: memref<1001xi64, strided<[1], offset: ?>>) -> i64 {
  %base, %offset, %size, %stride = memref.extract_strided_metadata %x
      : memref<1001xi64, strided<[1], offset: ?>> -> memref<i64>, index, index, index
  %pointer = memref.extract_aligned_pointer_as_index %base : memref<i64> -> index
  %c8 = arith.constant 8 : index
  %bytes = arith.muli %offset, %c8 : index
  %sum = arith.addi %pointer, %bytes : index
  %address = arith.index_cast %sum : index to i64
  return %address : i64
}

// One loop for each row, as many items as its count says.
func.func @flat(%counts: memref<9xi64>, %threads: memref<1xi64>, %marks: memref<9x1001xi64>)
    -> memref<9x1001xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %body = llvm.mlir.addressof @mark : !llvm.ptr
  %n = memref.load %threads[%c0] : memref<1xi64>
  scf.for %i = %c0 to %c9 step %c1 {
    %count = memref.load %counts[%i] : memref<9xi64>
    %row = memref.subview %marks[%i, 0] [1, 1001] [1, 1]
        : memref<9x1001xi64> to memref<1001xi64, strided<[1], offset: ?>>
    %address = func.call @address(%row) : (memref<1001xi64, strided<[1], offset: ?>>) -> i64
    %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
    llvm.call @rudnnParallelFor(%count, %n, %body, %pointer) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
  }
  return %marks : memref<9x1001xi64>
}

// The same from inside a parallel loop over the rows. The context is an array of
// the addresses of counts and marks.
llvm.func @mark_rows(%context: !llvm.ptr, %begin: i64, %end: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %width = llvm.mlir.constant(1001 : i64) : i64
  %body = llvm.mlir.addressof @mark : !llvm.ptr
  %counts = llvm.load %context : !llvm.ptr -> !llvm.ptr
  %second = llvm.getelementptr %context[%one] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %marks = llvm.load %second : !llvm.ptr -> !llvm.ptr
  llvm.br ^test(%begin : i64)
^test(%i: i64):
  %more = llvm.icmp "slt" %i, %end : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %where = llvm.getelementptr %counts[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %count = llvm.load %where : !llvm.ptr -> i64
  %first = llvm.mul %i, %width : i64
  %row = llvm.getelementptr %marks[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.call @rudnnParallelFor(%count, %three, %body, %row) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
  %next = llvm.add %i, %one : i64
  llvm.br ^test(%next : i64)
^done:
  llvm.return
}

func.func @nested(%counts: memref<9xi64>, %threads: memref<1xi64>, %marks: memref<9x1001xi64>)
    -> memref<9x1001xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %context = memref.alloca() : memref<2xindex>
  %a = memref.extract_aligned_pointer_as_index %counts : memref<9xi64> -> index
  memref.store %a, %context[%c0] : memref<2xindex>
  %b = memref.extract_aligned_pointer_as_index %marks : memref<9x1001xi64> -> index
  memref.store %b, %context[%c1] : memref<2xindex>
  %c = memref.extract_aligned_pointer_as_index %context : memref<2xindex> -> index
  %address = arith.index_cast %c : index to i64
  %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
  %body = llvm.mlir.addressof @mark_rows : !llvm.ptr
  %nine = arith.constant 9 : i64
  %n = memref.load %threads[%c0] : memref<1xi64>
  llvm.call @rudnnParallelFor(%nine, %n, %body, %pointer) : (i64, i64, !llvm.ptr, !llvm.ptr) -> ()
  return %marks : memref<9x1001xi64>
}
