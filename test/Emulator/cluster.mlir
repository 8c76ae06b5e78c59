// Blocks of a cluster that write each other's workgroup memory.
//
// DEFINE: %{entry} =
// DEFINE: %{seed} = 1
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --seed=%{seed}
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{run} 2>&1
//
// Each thread gives its number to the thread of its number in each block of its
// cluster: 6 blocks, in clusters of 3.
// RUN: %python %S/../Runner/Inputs/write_npy.py %t.npy '<i4' 6,4 12,15,18,21,12,15,18,21,12,15,18,21,48,51,54,57,48,51,54,57,48,51,54,57
// REDEFINE: %{entry} = sums
// RUN: %{run} --expect=0=%t.npy | FileCheck %s --check-prefix=SUMS
// REDEFINE: %{seed} = 2
// RUN: %{run} --expect=0=%t.npy | FileCheck %s --check-prefix=SUMS
// REDEFINE: %{seed} = 3
// RUN: %{run} --expect=0=%t.npy | FileCheck %s --check-prefix=SUMS
// SUMS: result 0, argument 0 against {{.*}}: ok

// Without the first barrier a block may not be there yet, without the second
// its values, without the last it may be gone.
// REDEFINE: %{entry} = no_first
// RUN: %{bad} | FileCheck %s --check-prefix=FIRST
// FIRST: error: kernel @kernel::@k, block ({{[0-5]}}, 0, 0), thread ({{[0-3]}}, 0, 0):
// FIRST-SAME: access to the workgroup memory of a block that may not have begun: no cluster barrier before it
// FIRST-NEXT: at: llvm.store
// REDEFINE: %{entry} = no_second
// RUN: %{bad} | FileCheck %s --check-prefix=SECOND
// SECOND: read of workgroup memory that {{(nobody has written|another thread has written, with no barrier in between)}}
// SECOND-NEXT: at: {{.*}}memref.load

module attributes {gpu.container_module} {
  func.func @sums(%y: memref<6x4xi32>) {
    %true = arith.constant true
    call @launch(%y, %true, %true) : (memref<6x4xi32>, i1, i1) -> ()
    return
  }
  func.func @no_first(%y: memref<6x4xi32>) {
    %true = arith.constant true
    %false = arith.constant false
    call @launch(%y, %false, %true) : (memref<6x4xi32>, i1, i1) -> ()
    return
  }
  func.func @no_second(%y: memref<6x4xi32>) {
    %true = arith.constant true
    %false = arith.constant false
    call @launch(%y, %true, %false) : (memref<6x4xi32>, i1, i1) -> ()
    return
  }
  func.func private @launch(%y: memref<6x4xi32>, %first: i1, %second: i1) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    gpu.launch_func @kernel::@k clusters in (%c3, %c1, %c1) blocks in (%c6, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%y : memref<6x4xi32>, %first : i1, %second : i1)
    return
  }
  gpu.module @kernel {
    gpu.func @k(%y: memref<6x4xi32>, %first: i1, %second: i1)
        workgroup(%slots: memref<3x4xi32, #gpu.address_space<workgroup>>)
        kernel attributes {known_cluster_size = array<i32: 3, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %tid = gpu.thread_id x
      %block = gpu.block_id x
      %rank = gpu.cluster_block_id x
      %base = memref.extract_aligned_pointer_as_index %slots
          : memref<3x4xi32, #gpu.address_space<workgroup>> -> index
      %row = arith.muli %rank, %c4 : index
      %element = arith.addi %row, %tid : index
      %bytes = arith.muli %element, %c4 : index
      %address = arith.addi %base, %bytes : index
      %address64 = arith.index_cast %address : index to i64
      %pointer = llvm.inttoptr %address64 : i64 to !llvm.ptr<3>
      %thread = arith.muli %block, %c4 : index
      %number = arith.addi %thread, %tid : index
      %value = arith.index_cast %number : index to i32
      scf.if %first {
        nvvm.cluster.arrive {aligned}
        nvvm.cluster.wait {aligned}
      }
      scf.for %target = %c0 to %c3 step %c1 {
        %other = arith.index_cast %target : index to i32
        %there = nvvm.mapa %pointer, %other : !llvm.ptr<3> -> !llvm.ptr<7>
        llvm.store %value, %there : i32, !llvm.ptr<7>
      }
      scf.if %second {
        nvvm.cluster.arrive {aligned}
        nvvm.cluster.wait {aligned}
      }
      %sum = scf.for %from = %c0 to %c3 step %c1 iter_args(%s = %zero) -> i32 {
        %v = memref.load %slots[%from, %tid] : memref<3x4xi32, #gpu.address_space<workgroup>>
        %next = arith.addi %s, %v : i32
        scf.yield %next : i32
      }
      memref.store %sum, %y[%block, %tid] : memref<6x4xi32>
      gpu.return
    }
  }

  // A block that reads another's memory which nobody keeps there. Which block
  // ends first is up to the order; for some seed this is seen.
  // REDEFINE: %{entry} = gone
  // REDEFINE: %{seed} = 1
  // RUN: %{bad} | FileCheck %s --check-prefix=GONE
  // GONE: access to the workgroup memory of a block that may have ended
  // GONE-NEXT: at: {{.*}}llvm.load
  func.func @gone(%y: memref<2xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @gone_kernel::@k clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%y : memref<2xi32>)
    return
  }
  gpu.module @gone_kernel {
    gpu.func @k(%y: memref<2xi32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rank = gpu.cluster_block_id x
      %value = arith.index_cast %rank : index to i32
      memref.store %value, %slot[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      %base = memref.extract_aligned_pointer_as_index %slot
          : memref<1xi32, #gpu.address_space<workgroup>> -> index
      %address = arith.index_cast %base : index to i64
      %pointer = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %otherIndex = arith.subi %c1, %rank : index
      %other = arith.index_cast %otherIndex : index to i32
      %there = nvvm.mapa %pointer, %other : !llvm.ptr<3> -> !llvm.ptr<7>
      %theirs = llvm.load %there : !llvm.ptr<7> -> i32
      memref.store %theirs, %y[%rank] : memref<2xi32>
      gpu.return
    }
  }

  // A block that does not come to the cluster's barrier; one that comes twice.
  // REDEFINE: %{entry} = absent
  // RUN: %{bad} | FileCheck %s --check-prefix=ABSENT
  // ABSENT: divergent cluster barrier
  // ABSENT-NEXT: at: nvvm.cluster.wait
  // ABSENT-NEXT: thread (0, 0, 0) of block (1, 0, 0) has finished
  func.func @absent() {
    %c0 = arith.constant 0 : index
    call @launch_arrivals(%c0) : (index) -> ()
    return
  }
  // REDEFINE: %{entry} = twice
  // RUN: %{bad} | FileCheck %s --check-prefix=TWICE
  // TWICE: block (1, 0, 0), thread ({{[0-9]+}}, 0, 0): arrives at the cluster's barrier twice without waiting there
  // TWICE-NEXT: at: nvvm.cluster.arrive
  func.func @twice() {
    %c2 = arith.constant 2 : index
    call @launch_arrivals(%c2) : (index) -> ()
    return
  }
  func.func private @launch_arrivals(%count: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c40 = arith.constant 40 : index
    gpu.launch_func @arrivals_kernel::@k clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1)
        threads in (%c40, %c1, %c1) args(%count : index)
    return
  }
  gpu.module @arrivals_kernel {
    gpu.func @k(%count: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rank = gpu.cluster_block_id x
      %isFirst = arith.cmpi eq, %rank, %c0 : index
      %arrivals = arith.select %isFirst, %c1, %count : index
      scf.for %i = %c0 to %arrivals step %c1 {
        nvvm.cluster.arrive {aligned}
      }
      scf.if %isFirst {
        nvvm.cluster.wait {aligned}
      }
      gpu.return
    }
  }
}
