// RUN: rudnn-opt %s --split-input-file --norm-order-pieces | FileCheck %s

// Rows of two pieces. Before the sum all that is done with the first comes before
// the wait for the second; after it, each piece is read, used, stored and copied
// anew before the next. What is needed by one piece is read for it; what is for
// the next iteration alone comes first.

// CHECK-LABEL: func.func @two_pieces(
// CHECK: %[[R0:.+]] = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: %[[R1:.+]] = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
// CHECK: %[[GAMMA:.+]] = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: %[[A0:.+]] = vector.load %[[R0]]
// CHECK-NEXT: %[[F0:.+]] = arith.mulf %[[A0]], %[[A0]]
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: %[[A1:.+]] = vector.load %[[R1]]
// CHECK-NEXT: %[[F1:.+]] = arith.mulf %[[A1]], %[[A1]]
// CHECK-NEXT: %[[S:.+]] = arith.addf %[[F0]], %[[F1]]
// CHECK-NEXT: vector.reduction <add>, %[[S]]
// CHECK-NEXT: norm.thread_reduce
// CHECK-NEXT: vector.broadcast
// CHECK-NEXT: %[[G0:.+]] = vector.load %[[GAMMA]][%c0,
// CHECK-NEXT: %[[B0:.+]] = vector.load %[[R0]]
// CHECK-NEXT: arith.mulf %[[B0]], %{{.+}}
// CHECK-NEXT: arith.mulf %{{.+}}, %[[G0]]
// CHECK-NEXT: vector.store
// CHECK-NEXT: arith.addi
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R0]]
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: %[[G1:.+]] = vector.load %[[GAMMA]][%c1,
// CHECK-NEXT: %[[B1:.+]] = vector.load %[[R1]]
// CHECK-NEXT: arith.mulf %[[B1]], %{{.+}}
// CHECK-NEXT: arith.mulf %{{.+}}, %[[G1]]
// CHECK-NEXT: vector.store
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R1]]
// CHECK-NEXT: }
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: scf.yield
func.func @two_pieces(%x: memref<?x128xf32>, %rstd: memref<?xf32>, %y: memref<?x128xf32>, %rows: index, %first: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %r1 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %gamma = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c2 : index
    %column1 = arith.addi %column, %c64 : index
    %last = scf.for %row = %c0 to %rows step %c1 iter_args(%r = %first) -> (f32) {
      %next = memref.load %rstd[%row] : memref<?xf32>
      nvvm.cp.async.wait.group 1
      %a0 = vector.load %r0[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      nvvm.cp.async.wait.group 0
      %a1 = vector.load %r1[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %f0 = arith.mulf %a0, %a0 : vector<2xf32>
      %f1 = arith.mulf %a1, %a1 : vector<2xf32>
      %s = arith.addf %f0, %f1 : vector<2xf32>
      %t = vector.reduction <add>, %s : vector<2xf32> into f32
      %sum = norm.thread_reduce <add> along x rows 1 threads 32(%t) : f32
      %spread = vector.broadcast %sum : f32 to vector<2xf32>
      %g0 = vector.load %gamma[%c0, %column] : memref<2x64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %g1 = vector.load %gamma[%c1, %column] : memref<2x64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %b0 = vector.load %r0[%column] {second_read} : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %b1 = vector.load %r1[%column] {second_read} : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %m0 = arith.mulf %b0, %spread : vector<2xf32>
      %m1 = arith.mulf %b1, %spread : vector<2xf32>
      %n0 = arith.mulf %m0, %g0 : vector<2xf32>
      %n1 = arith.mulf %m1, %g1 : vector<2xf32>
      vector.store %n0, %y[%row, %column] : memref<?x128xf32>, vector<2xf32>
      vector.store %n1, %y[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      %ahead = arith.addi %row, %c1 : index
      %exists = arith.cmpi slt, %ahead, %rows : index
      scf.if %exists {
        %0 = nvgpu.device_async_copy %x[%ahead, %column], %r0[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      }
      nvvm.cp.async.commit.group
      scf.if %exists {
        %0 = nvgpu.device_async_copy %x[%ahead, %column1], %r1[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      }
      nvvm.cp.async.commit.group
      scf.yield %next : f32
    }
    gpu.terminator
  }
  return
}

// -----

// A row that ends in its second piece: the store under a condition is ordered as
// the other is, though nothing after it needs it.

// CHECK-LABEL: func.func @tail(
// CHECK: scf.for
// CHECK-NEXT: vector.load %[[R0:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.store
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R0]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: vector.load %[[R1:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store
// CHECK-NEXT: }
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R1]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: }
func.func @tail(%x: memref<?x128xf32>, %y: memref<?x100xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %r1 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c2 : index
    %column1 = arith.addi %column, %c64 : index
    %exists = arith.cmpi ult, %column1, %c100 : index
    scf.for %row = %c0 to %rows step %c1 {
      %a0 = vector.load %r0[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %a1 = vector.load %r1[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %b1 = arith.mulf %a1, %a1 : vector<2xf32>
      %b0 = arith.mulf %a0, %a0 : vector<2xf32>
      scf.if %exists {
        vector.store %b1, %y[%row, %column1] : memref<?x100xf32>, vector<2xf32>
      }
      vector.store %b0, %y[%row, %column] : memref<?x100xf32>, vector<2xf32>
      %0 = nvgpu.device_async_copy %x[%row, %column], %r0[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
      %1 = nvgpu.device_async_copy %x[%row, %column1], %r1[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}

// -----

// In place: the copy of a piece of the next row does not wait for stores to this
// one, though they are to the same buffer.

// CHECK-LABEL: func.func @in_place(
// CHECK: scf.for
// CHECK-NEXT: vector.load %[[R0:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.store
// CHECK-NEXT: arith.addi
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R0]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: vector.load %[[R1:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.store
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R1]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: }
func.func @in_place(%x: memref<?x128xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %r1 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c2 : index
    %column1 = arith.addi %column, %c64 : index
    scf.for %row = %c0 to %rows step %c1 {
      %a0 = vector.load %r0[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %a1 = vector.load %r1[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %f0 = arith.mulf %a0, %a0 : vector<2xf32>
      %f1 = arith.mulf %a1, %a1 : vector<2xf32>
      vector.store %f0, %x[%row, %column] : memref<?x128xf32>, vector<2xf32>
      vector.store %f1, %x[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      %ahead = arith.addi %row, %c1 : index
      %0 = nvgpu.device_async_copy %x[%ahead, %column], %r0[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
      %1 = nvgpu.device_async_copy %x[%ahead, %column1], %r1[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}

// -----

// Without a sum copies come after all waits, which count them. What is read
// from a buffer that the loop writes stays behind the write.

// CHECK-LABEL: func.func @no_sum(
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: vector.load %[[R0:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.store
// CHECK-NEXT: nvvm.cp.async.wait.group 0
// CHECK-NEXT: vector.load %[[R1:.+]][
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.store
// CHECK-NEXT: vector.load
// CHECK-NEXT: vector.store
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R0]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R1]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: }
func.func @no_sum(%x: memref<?x128xf32>, %y: memref<?x128xf32>, %z: memref<?x128xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %r1 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c2 : index
    %column1 = arith.addi %column, %c64 : index
    scf.for %row = %c0 to %rows step %c1 {
      nvvm.cp.async.wait.group 1
      %a0 = vector.load %r0[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      nvvm.cp.async.wait.group 0
      %a1 = vector.load %r1[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %f0 = arith.mulf %a0, %a0 : vector<2xf32>
      %f1 = arith.mulf %a1, %a1 : vector<2xf32>
      vector.store %f0, %y[%row, %column] : memref<?x128xf32>, vector<2xf32>
      vector.store %f1, %y[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      %again = vector.load %y[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      vector.store %again, %z[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      %0 = nvgpu.device_async_copy %x[%row, %column], %r0[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
      %1 = nvgpu.device_async_copy %x[%row, %column1], %r1[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}

// -----

// Stores of other columns may change places; stores of the same may not. (The
// second piece makes room first.)

// CHECK-LABEL: func.func @stores(
// CHECK: %[[F0:.+]] = arith.constant dense<1.
// CHECK: %[[F1:.+]] = arith.constant dense<2.
// CHECK: scf.for
// CHECK: norm.thread_reduce
// CHECK: vector.load %[[R1:.+]][
// CHECK-NEXT: %[[M1:.+]] = arith.mulf
// CHECK-NEXT: vector.store %[[M1]], %[[Y:.+]][
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R1]]
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: vector.load %[[R0:.+]][
// CHECK-NEXT: %[[M0:.+]] = arith.mulf
// CHECK-NEXT: vector.store %[[M0]], %[[Y]][
// CHECK-NEXT: vector.store %[[M1]], %[[Y]][
// CHECK-NEXT: nvgpu.device_async_copy {{.*}} %[[R0]]
func.func @stores(%x: memref<?x128xf32>, %y: memref<?x128xf32>, %rows: index, %sum: f32) {
  %f0 = arith.constant dense<1.0> : vector<2xf32>
  %f1 = arith.constant dense<2.0> : vector<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %r0 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %r1 = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c2 : index
    %column1 = arith.addi %column, %c64 : index
    scf.for %row = %c0 to %rows step %c1 {
      %total = norm.thread_reduce <add> along x rows 1 threads 32(%sum) : f32
      %a0 = vector.load %r0[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %a1 = vector.load %r1[%column] : memref<64xf32, #gpu.address_space<workgroup>>, vector<2xf32>
      %m0 = arith.mulf %a0, %f0 : vector<2xf32>
      %m1 = arith.mulf %a1, %f1 : vector<2xf32>
      vector.store %m0, %y[%row, %column] : memref<?x128xf32>, vector<2xf32>
      vector.store %m1, %y[%row, %column1] : memref<?x128xf32>, vector<2xf32>
      vector.store %m1, %y[%row, %column] : memref<?x128xf32>, vector<2xf32>
      %0 = nvgpu.device_async_copy %x[%row, %column1], %r1[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
      %1 = nvgpu.device_async_copy %x[%row, %column], %r0[%column], 2 : memref<?x128xf32> to memref<64xf32, #gpu.address_space<workgroup>>
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}

// -----

// Loops without copies keep their order.

// CHECK-LABEL: func.func @no_copies(
// CHECK: scf.for
// CHECK-NEXT: vector.load
// CHECK-NEXT: vector.load
// CHECK-NEXT: vector.store
// CHECK-NEXT: vector.store
func.func @no_copies(%x: memref<?x128xf32>, %y: memref<?x128xf32>, %rows: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    scf.for %row = %c0 to %rows step %c1 {
      %a0 = vector.load %x[%row, %tx] : memref<?x128xf32>, vector<2xf32>
      %a1 = vector.load %x[%row, %c0] : memref<?x128xf32>, vector<2xf32>
      vector.store %a0, %y[%row, %tx] : memref<?x128xf32>, vector<2xf32>
      vector.store %a1, %y[%row, %c0] : memref<?x128xf32>, vector<2xf32>
    }
    gpu.terminator
  }
  return
}
