// What host code does with buffers becomes something that the GPU does.
//
// RUN: rudnn-opt %s --norm-allocate-device-memory | FileCheck %s

// CHECK-LABEL: func.func @temporary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8xf32>, %[[M:[a-z0-9]+]]: index)
// CHECK-NEXT: %[[T0:.+]] = gpu.wait async
// CHECK-NEXT: %[[SUMS:.+]], %[[T1:.+]] = gpu.alloc async [%[[T0]]] (%[[M]]) : memref<?x8xf32>
// CHECK-NEXT: gpu.wait [%[[T1]]]
// CHECK: %[[T2:.+]] = gpu.wait async
// CHECK-NEXT: %[[T3:.+]] = gpu.memset async [%[[T2]]] %[[SUMS]], %{{.+}} : memref<?x8xf32>, f32
// CHECK-NEXT: gpu.wait [%[[T3]]]
// CHECK: scf.if
// CHECK-NEXT: gpu.launch_func {{ *}}@kernels::@kernel {{.*}} args(%[[SUMS]] : memref<?x8xf32>)
// CHECK: gpu.memcpy async [%{{.+}}] %[[X]], %[[SUMS]] :
// CHECK: gpu.wait
// CHECK: gpu.dealloc async [%{{.+}}] %[[SUMS]] :
// CHECK-NEXT: gpu.wait
// CHECK-NOT: memref.{{alloc|dealloc|copy}}
// CHECK: return

// What only looks at sizes and addresses is left alone.
// CHECK-LABEL: func.func @addresses(
// CHECK: memref.dim
// CHECK-NEXT: memref.extract_aligned_pointer_as_index
// CHECK-NEXT: memref.subview
// CHECK-NEXT: call @temporary

// Elements are copied from and to the host.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x8xf16>, %[[I:[a-z0-9]+]]: index)
// CHECK-NEXT: %[[WRITTEN:.+]] = memref.alloca() : memref<f16>
// CHECK-NEXT: %[[READ:.+]] = memref.alloca() : memref<f16>
// CHECK: %{{.+}}, %[[OFFSET:.+]], %{{.+}}:2, %[[STRIDES:.+]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[ROW:.+]] = arith.muli %[[I]], %[[STRIDES]]#0
// CHECK: %[[BASE:.+]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[ADDRESS:.+]] = arith.addi %[[BASE]], %{{.+}}
// CHECK: %[[HOST:.+]] = memref.extract_aligned_pointer_as_index %[[READ]]
// CHECK: call @rudnnReadElement(%[[HOST]], %[[ADDRESS]], %c2{{.*}}) : (index, index, index) -> ()
// CHECK: %[[VALUE:.+]] = memref.load %[[READ]][]
// CHECK: memref.store %[[VALUE]], %[[WRITTEN]][]
// CHECK: call @rudnnWriteElement(
// CHECK-NEXT: return

// A copy on the GPU that the function has is done there.
// CHECK-LABEL: func.func @own_copy(
// CHECK: gpu.memcpy async

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<?x8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %x[%c0, %c0] : memref<?x8xf32>
      gpu.return
    }
  }

  func.func @temporary(%x: memref<?x8xf32>, %m: index) {
    %sums = memref.alloc(%m) {alignment = 64 : i64} : memref<?x8xf32>
    %zero = arith.constant 0.0 : f32
    %c1 = arith.constant 1 : index
    linalg.fill ins(%zero : f32) outs(%sums : memref<?x8xf32>)
    %some = arith.cmpi sgt, %m, %c1 : index
    scf.if %some {
      gpu.launch_func @kernels::@kernel blocks in (%m, %c1, %c1) threads in (%c1, %c1, %c1) args(%sums : memref<?x8xf32>)
    }
    memref.copy %sums, %x : memref<?x8xf32> to memref<?x8xf32>
    memref.dealloc %sums : memref<?x8xf32>
    return
  }

  func.func @addresses(%x: memref<?x8xf32>, %m: index) -> (index, index, memref<2x4xf32, strided<[8, 1]>>) {
    %c0 = arith.constant 0 : index
    %rows = memref.dim %x, %c0 : memref<?x8xf32>
    %address = memref.extract_aligned_pointer_as_index %x : memref<?x8xf32> -> index
    %part = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1]>>
    func.call @temporary(%x, %m) : (memref<?x8xf32>, index) -> ()
    return %rows, %address, %part : index, index, memref<2x4xf32, strided<[8, 1]>>
  }

  func.func @elements(%x: memref<?x8xf16>, %i: index) {
    %value = memref.load %x[%i, %i] : memref<?x8xf16>
    memref.store %value, %x[%i, %i] : memref<?x8xf16>
    return
  }

  func.func @own_copy(%x: memref<8xf32>, %y: memref<8xf32>) {
    %begin = gpu.wait async
    %done = gpu.memcpy async [%begin] %y, %x : memref<8xf32>, memref<8xf32>
    gpu.wait [%done]
    return
  }

  // Tensors are no buffers yet.
  // CHECK-LABEL: func.func @tensor(
  // CHECK: linalg.fill
  func.func @tensor(%x: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %y = linalg.fill ins(%zero : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    return %y : tensor<8xf32>
  }

  // What is in a launch is left as it is.
  // CHECK-LABEL: func.func @launch(
  // CHECK: gpu.launch
  // CHECK: memref.load
  // CHECK: memref.store
  // CHECK: gpu.terminator
  func.func @launch(%x: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %x[%bx] : memref<?xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%bx] : memref<?xf32>
      gpu.terminator
    }
    return
  }

  // Buffers without elements need nothing.
  //
  // CHECK-LABEL: func.func @empty(
  // CHECK-NEXT: return
  func.func @empty(%x: memref<?x0xf64>, %value: f64, %source: memref<?x0xf32>, %target: memref<?x0xf32, strided<[8, 1]>>) {
    linalg.fill ins(%value : f64) outs(%x : memref<?x0xf64>)
    memref.copy %source, %target : memref<?x0xf32> to memref<?x0xf32, strided<[8, 1]>>
    return
  }
}
