// RUN: rudnn-opt %s --norm-drop-memory-spaces | FileCheck %s

// CHECK-LABEL: func.func @buffers
// CHECK-SAME: (%[[X:.+]]: memref<4xf32>, %[[Y:.+]]: memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT: memref.copy %[[X]], %[[Y]] : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: return
func.func @buffers(%x: memref<4xf32, #gpu.address_space<global>>,
                   %y: memref<4xf32, strided<[?], offset: ?>, 1>) {
  %plain = memref.memory_space_cast %x
      : memref<4xf32, #gpu.address_space<global>> to memref<4xf32>
  memref.copy %plain, %y : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>, 1>
  return
}

// CHECK-LABEL: func.func @addresses(
// CHECK-SAME: %[[P:.+]]: !llvm.ptr) -> !llvm.ptr
// CHECK-NEXT: return %[[P]]
func.func @addresses(%p: !llvm.ptr<1>) -> !llvm.ptr {
  %plain = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr
  return %plain : !llvm.ptr
}
