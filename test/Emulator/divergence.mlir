// Threads that wait for others in vain.
//
// DEFINE: %{entry} =
// DEFINE: %{seed} = 1
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 rudnn-runner %s --device=emulate --entry=%{entry} --seed=%{seed} 2>&1

module attributes {gpu.container_module} {
  // Only the first warp comes to the barrier; the second one finishes.
  // REDEFINE: %{entry} = half
  // RUN: %{bad} | FileCheck %s --check-prefix=HALF
  // REDEFINE: %{seed} = 2
  // RUN: %{bad} | FileCheck %s --check-prefix=HALF
  // HALF: error: kernel @half_kernel::@k, block (0, 0, 0), thread ({{[0-9]+}}, 0, 0): divergent barrier
  // HALF-NEXT: at: gpu.barrier ({{.*}}divergence.mlir:[[#@LINE+15]]:
  // HALF-NEXT: thread (32, 0, 0) has finished
  func.func @half() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @half_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
  gpu.module @half_kernel {
    gpu.func @k() kernel {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %low = arith.cmpi ult, %tid, %c32 : index
      scf.if %low {
        // The check above counts the lines to this barrier.
        gpu.barrier
      }
      gpu.return
    }
  }

  // Both warps come to a barrier, but to different ones.
  // REDEFINE: %{entry} = two
  // RUN: %{bad} | FileCheck %s --check-prefix=TWO
  // TWO: error: kernel @two_kernel::@k, block (0, 0, 0), thread ({{[0-9]+}}, 0, 0): divergent barrier
  // TWO-NEXT: at: gpu.barrier
  // TWO-NEXT: thread ({{[0-9]+}}, 0, 0) waits at a barrier: gpu.barrier
  func.func @two() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @two_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }
  gpu.module @two_kernel {
    gpu.func @k() kernel {
      %c32 = arith.constant 32 : index
      %tid = gpu.thread_id x
      %low = arith.cmpi ult, %tid, %c32 : index
      scf.if %low {
        gpu.barrier
      } else {
        gpu.barrier
      }
      gpu.return
    }
  }

  // A loop that one thread leaves early.
  // REDEFINE: %{entry} = rounds
  // RUN: %{bad} | FileCheck %s --check-prefix=ROUNDS
  // ROUNDS: divergent barrier
  // ROUNDS-NEXT: at: gpu.barrier
  // ROUNDS-NEXT: thread (0, 0, 0) has finished
  func.func @rounds() {
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    gpu.launch_func @rounds_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1)
    return
  }
  gpu.module @rounds_kernel {
    gpu.func @k() kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %tid = gpu.thread_id x
      %lazy = arith.cmpi eq, %tid, %c0 : index
      %count = arith.select %lazy, %c1, %c2 : index
      scf.for %i = %c0 to %count step %c1 {
        gpu.barrier
      }
      gpu.return
    }
  }

  // A lane of a full shuffle has finished.
  // REDEFINE: %{entry} = lane
  // RUN: %{bad} | FileCheck %s --check-prefix=LANE
  // LANE: error: kernel @lane_kernel::@k, block (0, 0, 0), thread (0, 0, 0): divergent shuffle
  // LANE-NEXT: at: {{.*}}gpu.shuffle
  // LANE-NEXT: thread (7, 0, 0) has finished
  func.func @lane() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @lane_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  gpu.module @lane_kernel {
    gpu.func @k() kernel {
      %c7 = arith.constant 7 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %stays = arith.cmpi ne, %tid, %c7 : index
      scf.if %stays {
        %v, %valid = gpu.shuffle xor %one, %one, %width : i32
      }
      gpu.return
    }
  }

  // Half a warp is at a barrier when the other half shuffles.
  // REDEFINE: %{entry} = mixed
  // RUN: %{bad} | FileCheck %s --check-prefix=MIXED
  // MIXED: divergent shuffle
  // MIXED-NEXT: at: {{.*}}gpu.shuffle
  // MIXED-NEXT: thread (16, 0, 0) waits at a barrier: gpu.barrier
  func.func @mixed() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @mixed_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  gpu.module @mixed_kernel {
    gpu.func @k() kernel {
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %tid = gpu.thread_id x
      %low = arith.cmpi ult, %tid, %c16 : index
      scf.if %low {
        %v, %valid = gpu.shuffle xor %one, %one, %width : i32
      }
      gpu.barrier
      gpu.return
    }
  }

  // A block of 24 threads has no lane 24 to shuffle with.
  // REDEFINE: %{entry} = absent
  // RUN: %{bad} | FileCheck %s --check-prefix=ABSENT
  // ABSENT: thread (8, 0, 0): shuffles with lane 24, but its warp has 24
  // ABSENT-NEXT: at: {{.*}}gpu.shuffle
  func.func @absent() {
    %c1 = arith.constant 1 : index
    %c24 = arith.constant 24 : index
    gpu.launch_func @absent_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c24, %c1, %c1)
    return
  }
  gpu.module @absent_kernel {
    gpu.func @k() kernel {
      %distance = arith.constant 16 : i32
      %width = arith.constant 32 : i32
      %v, %valid = gpu.shuffle xor %distance, %distance, %width : i32
      gpu.return
    }
  }

  // A shuffle of 8 lanes leaves the others out: they must not be there.
  // REDEFINE: %{entry} = wide
  // RUN: %{bad} | FileCheck %s --check-prefix=WIDE
  // WIDE: thread ({{[0-9]+}}, 0, 0): lane {{[0-9]+}} of its warp is at a shuffle of the first 8
  func.func @wide() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @wide_kernel::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
  gpu.module @wide_kernel {
    gpu.func @k() kernel {
      %distance = arith.constant 1 : i32
      %width = arith.constant 8 : i32
      %v, %valid = gpu.shuffle xor %distance, %distance, %width : i32
      gpu.return
    }
  }
}
