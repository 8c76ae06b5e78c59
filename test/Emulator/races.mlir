// What no barrier orders, in whichever order the warps happen to run.
//
// DEFINE: %{entry} =
// DEFINE: %{seed} = 1
// DEFINE: %{good} = rudnn-runner %s --device=emulate --entry=%{entry} --seed=%{seed}
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{good} 2>&1

module attributes {gpu.container_module} {
  // Threads write a slot each and read their neighbour's, again and again.
  // REDEFINE: %{entry} = in_order
  // RUN: %{good} | FileCheck %s --check-prefix=GOOD
  // REDEFINE: %{seed} = 2
  // RUN: %{good} | FileCheck %s --check-prefix=GOOD
  // REDEFINE: %{seed} = 3
  // RUN: %{good} | FileCheck %s --check-prefix=GOOD
  // GOOD: result 0, argument 0: i32 [64]
  func.func @in_order(%y: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @in_order_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%y : memref<64xi32>)
    return
  }
  gpu.module @in_order_kernel {
    gpu.func @k(%y: memref<64xi32>)
        workgroup(%slots: memref<2x64xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c63 = arith.constant 63 : index
      %tid = gpu.thread_id x
      %next = arith.addi %tid, %c1 : index
      %neighbour = arith.andi %next, %c63 : index
      %start = arith.index_cast %tid : index to i32
      %end, %parity = scf.for %i = %c0 to %c5 step %c1 iter_args(%v = %start, %p = %c0) -> (i32, index) {
        memref.store %v, %slots[%p, %tid] : memref<2x64xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %other = memref.load %slots[%p, %neighbour] : memref<2x64xi32, #gpu.address_space<workgroup>>
        %q = arith.subi %c1, %p : index
        scf.yield %other, %q : i32, index
      }
      memref.store %end, %y[%tid] : memref<64xi32>
      gpu.return
    }
  }

  // The same with one buffer: a warp may write before the others have read.
  // REDEFINE: %{entry} = one_buffer
  // REDEFINE: %{seed} = 1
  // RUN: %{bad} | FileCheck %s --check-prefix=BUFFER
  // REDEFINE: %{seed} = 2
  // RUN: %{bad} | FileCheck %s --check-prefix=BUFFER
  // BUFFER: error: kernel @one_buffer_kernel::@k, block (0, 0, 0), thread ({{[0-9]+}}, 0, 0):
  // BUFFER-SAME: that another thread has {{read|written}}, with no barrier in between
  // BUFFER-NEXT: at: {{.*}}memref.{{.*}}races.mlir:[[#]]:[[#]])
  // BUFFER-NEXT: before, thread ({{[0-9]+}}, 0, 0) at: {{.*}}memref.{{.*}}races.mlir:[[#]]:[[#]])
  func.func @one_buffer(%y: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @one_buffer_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%y : memref<64xi32>)
    return
  }
  gpu.module @one_buffer_kernel {
    gpu.func @k(%y: memref<64xi32>)
        workgroup(%slots: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c63 = arith.constant 63 : index
      %tid = gpu.thread_id x
      %next = arith.addi %tid, %c1 : index
      %neighbour = arith.andi %next, %c63 : index
      %start = arith.index_cast %tid : index to i32
      %end = scf.for %i = %c0 to %c5 step %c1 iter_args(%v = %start) -> (i32) {
        memref.store %v, %slots[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %other = memref.load %slots[%neighbour] : memref<64xi32, #gpu.address_space<workgroup>>
        scf.yield %other : i32
      }
      memref.store %end, %y[%tid] : memref<64xi32>
      gpu.return
    }
  }

  // No barrier at all: what is read may be there already or not.
  // REDEFINE: %{entry} = no_barrier
  // RUN: %{bad} | FileCheck %s --check-prefix=BARRIER
  // BARRIER: error: kernel @no_barrier_kernel::@k
  // BARRIER-SAME: read of workgroup memory that {{(another thread has written, with no barrier in between|nobody has written)}}
  // BARRIER-NEXT: at: {{.*}}memref.load
  func.func @no_barrier(%y: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @no_barrier_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%y : memref<64xi32>)
    return
  }
  gpu.module @no_barrier_kernel {
    gpu.func @k(%y: memref<64xi32>)
        workgroup(%slots: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
      %c63 = arith.constant 63 : index
      %tid = gpu.thread_id x
      %mirrored = arith.subi %c63, %tid : index
      %v = arith.index_cast %tid : index to i32
      memref.store %v, %slots[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
      %other = memref.load %slots[%mirrored] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %other, %y[%tid] : memref<64xi32>
      gpu.return
    }
  }

  // A shuffle brings the threads of a warp together, but orders no memory.
  // REDEFINE: %{entry} = shuffle_only
  // RUN: %{bad} | FileCheck %s --check-prefix=SHUFFLE
  // SHUFFLE: error: kernel @shuffle_only_kernel::@k, block (0, 0, 0), thread ({{[0-9]+}}, 0, 0):
  // SHUFFLE-SAME: read of workgroup memory that another thread has written, with no barrier in between
  // SHUFFLE-NEXT: at: {{.*}}memref.load
  // SHUFFLE-NEXT: before, thread (0, 0, 0) at: memref.store
  func.func @shuffle_only(%y: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @shuffle_only_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%y : memref<32xi32>)
    return
  }
  gpu.module @shuffle_only_kernel {
    gpu.func @k(%y: memref<32xi32>)
        workgroup(%slot: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %width = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %v = arith.index_cast %tid : index to i32
      %first = arith.cmpi eq, %tid, %c0 : index
      scf.if %first {
        memref.store %v, %slot[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      }
      %s, %valid = gpu.shuffle idx %v, %zero, %width : i32
      %other = memref.load %slot[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
      %sum = arith.addi %s, %other : i32
      memref.store %sum, %y[%tid] : memref<32xi32>
      gpu.return
    }
  }

  // Two threads write one place.
  // REDEFINE: %{entry} = write_twice
  // RUN: %{bad} | FileCheck %s --check-prefix=TWICE
  // TWICE: write of workgroup memory that another thread has written, with no barrier in between
  func.func @write_twice() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @write_twice_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1)
    return
  }
  gpu.module @write_twice_kernel {
    gpu.func @k() workgroup(%slot: memref<1xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %v = arith.constant 1.0 : f32
      memref.store %v, %slot[%c0] : memref<1xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }

  // Halves of one word are places of their own.
  // REDEFINE: %{entry} = halves
  // RUN: %{good} | FileCheck %s --check-prefix=HALVES
  // HALVES: result 0, argument 0: f16 [64]
  func.func @halves(%y: memref<64xf16>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @halves_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%y : memref<64xf16>)
    return
  }
  gpu.module @halves_kernel {
    gpu.func @k(%y: memref<64xf16>)
        workgroup(%slots: memref<64xf16, #gpu.address_space<workgroup>>) kernel {
      %v = arith.constant 1.0 : f16
      %tid = gpu.thread_id x
      memref.store %v, %slots[%tid] : memref<64xf16, #gpu.address_space<workgroup>>
      %own = memref.load %slots[%tid] : memref<64xf16, #gpu.address_space<workgroup>>
      memref.store %own, %y[%tid] : memref<64xf16>
      gpu.return
    }
  }

  // What another block left there is not what this block wrote.
  // REDEFINE: %{entry} = left_over
  // RUN: %{bad} | FileCheck %s --check-prefix=LEFT
  // LEFT: error: kernel @left_over_kernel::@k, block ({{[0-3]}}, 0, 0), thread (0, 0, 0): read of workgroup memory that nobody has written
  // LEFT-NEXT: at: {{.*}}vector.load
  // LEFT-NOT: before
  func.func @left_over(%y: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @left_over_kernel::@k blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%y : memref<4x4xf32>)
    return
  }
  gpu.module @left_over_kernel {
    gpu.func @k(%y: memref<4x4xf32>)
        workgroup(%slots: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %block = gpu.block_id x
      %v = arith.constant dense<1.0> : vector<4xf32>
      %even = arith.remui %block, %c2 : index
      %writes = arith.cmpi eq, %even, %c0 : index
      scf.if %writes {
        vector.store %v, %slots[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      }
      %w = vector.load %slots[%c0] : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %w, %y[%block, %c0] : memref<4x4xf32>, vector<4xf32>
      gpu.return
    }
  }
}
