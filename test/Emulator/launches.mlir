// Launches that a device refuses; each names the kernel.
//
// DEFINE: %{entry} =
// DEFINE: %{run} = rudnn-runner %s --device=emulate --entry=%{entry} --seed=1
// DEFINE: %{bad} = %python %S/../Runner/Inputs/exits.py 1 %{run} 2>&1

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @any() kernel {
      gpu.return
    }
    gpu.func @known() kernel attributes {known_block_size = array<i32: 64, 1, 1>,
                                         known_grid_size = array<i32: 2, 1, 1>} {
      gpu.return
    }
    gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>} {
      gpu.return
    }
    gpu.func @large()
        workgroup(%slots: memref<12289xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }

  // REDEFINE: %{entry} = threads
  // RUN: %{bad} | FileCheck %s --check-prefix=THREADS
  // THREADS: error: kernel @kernels::@any: expected a block of 1 to 1024 threads, at most (1024, 1024, 64), got (32, 33, 1)
  func.func @threads() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index
    gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%c32, %c33, %c1)
    return
  }

  // REDEFINE: %{entry} = grid
  // RUN: %{bad} | FileCheck %s --check-prefix=GRID
  // GRID: error: kernel @kernels::@any: expected a grid of at most (2147483647, 65535, 65535), got (1, 65536, 1)
  func.func @grid() {
    %c1 = arith.constant 1 : index
    %c65536 = arith.constant 65536 : index
    gpu.launch_func @kernels::@any blocks in (%c1, %c65536, %c1) threads in (%c1, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = block_size
  // RUN: %{bad} | FileCheck %s --check-prefix=BLOCK
  // BLOCK: error: kernel @kernels::@known: launched with a block of (32, 1, 1), compiled for (64, 1, 1)
  func.func @block_size() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@known blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = grid_size
  // RUN: %{bad} | FileCheck %s --check-prefix=SIZE
  // SIZE: error: kernel @kernels::@known: launched with a grid of (1, 1, 1), compiled for (2, 1, 1)
  func.func @grid_size() {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@known blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = whole_clusters
  // RUN: %{bad} | FileCheck %s --check-prefix=CLUSTERS
  // CLUSTERS: error: kernel @kernels::@cluster: expected a grid of whole clusters of (2, 1, 1) blocks, got (3, 1, 1)
  func.func @whole_clusters() {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    gpu.launch_func @kernels::@cluster blocks in (%c3, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = cluster_size
  // RUN: %{bad} | FileCheck %s --check-prefix=CLUSTER
  // CLUSTER: error: kernel @kernels::@cluster: launched with a cluster of (1, 1, 1), compiled for (2, 1, 1)
  func.func @cluster_size() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func @kernels::@cluster clusters in (%c1, %c1, %c1) blocks in (%c2, %c1, %c1)
        threads in (%c1, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = static_memory
  // RUN: %{bad} | FileCheck %s --check-prefix=STATIC
  // STATIC: error: kernel @kernels::@large: declares 49156 bytes of workgroup memory, more than 49152
  func.func @static_memory() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@large blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }

  // REDEFINE: %{entry} = dynamic_memory
  // RUN: %{bad} | FileCheck %s --check-prefix=DYNAMIC
  // DYNAMIC: error: kernel @kernels::@any: needs 232449 bytes of workgroup memory, more than 232448
  func.func @dynamic_memory() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 232449 : i32
    gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes
    return
  }

  // REDEFINE: %{entry} = good
  // RUN: %{run} | FileCheck %s --check-prefix=GOOD
  // GOOD: guard: ok
  func.func @good() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 232448 : i32
    gpu.launch_func @kernels::@any blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        dynamic_shared_memory_size %bytes
    gpu.launch_func @kernels::@known blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
    gpu.launch_func @kernels::@cluster blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
    return
  }

  // Timing an emulator is no benchmark of a GPU.
  // RUN: %python %S/../Runner/Inputs/exits.py 2 %{run} --bench 2>&1 | FileCheck %s --check-prefix=BENCH
  // BENCH: error: --bench: the time that device 'emulate' takes says nothing of a GPU's
}
