// The runner on a GPU, which a fake driver plays: it prints launches, and in
// place of the kernel copies x to y. Of a row of ones and minus ones the norm is
// the row itself.
//
// RUN: rm -rf %t && mkdir -p %t/fake %t/none && echo none > %t/none/libcuda.so.1
// RUN: %cc -shared -fPIC %S/Inputs/fake-cuda.c -o %t/fake/libcuda.so.1
// DEFINE: %{entry} = forward
// DEFINE: %{fake} = env LD_LIBRARY_PATH=%t/fake FAKE_CUDA_COPY=0,1
// DEFINE: %{run} = rudnn-runner %s --device=cuda --entry=%{entry} --fill=signs --rows=7
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py

// RUN: %{fake} %{run} --check --guard --repeat=3 --json=%t.json | FileCheck %s --implicit-check-not=FAIL --implicit-check-not='loaded a module'
// CHECK: device cuda (Fake GPU), pipeline options "{chip=sm_90 database=true set= tuning-cache= tuning-device={Fake GPU} tuning-driver=13000 tuning-rows=7}"
// CHECK: compiled in
// The kernel for other addresses is not loaded.
// CHECK: loaded a module
// CHECK-COUNT-3: launch forward_kernel_0 7 1 1, 128 1 1, shared 0
// CHECK: kernel forward_kernel_0: blocks [7, 1, 1] of [128, 1, 1] threads, 32 registers, 0 bytes of local memory, 0 of shared
// CHECK: guard: ok
// CHECK: result 0 (y): ok, f32 [7, 1024]
// CHECK: repeat: ok, 3 runs gave the same bits
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); assert r['device_info']['name'] == 'Fake GPU' and r['device_info']['driver'] == 13000, r; k = r['kernels'][0]; assert k['grid'] == [7, 1, 1] and k['registers'] == 32 and 0 <= k['load_ms'] < 1e5, k; assert r['repeat'] == {'runs': 3, 'differences': []} and r['ok']" %t.json

// Code from a cache brings its kernels along.
// RUN: %{fake} %{run} --check --compile-cache=%t/cache | FileCheck %s --check-prefix=FIRST
// FIRST: compiled in
// RUN: %{fake} %{run} --check --compile-cache=%t/cache | FileCheck %s --check-prefix=SECOND --implicit-check-not=FAIL
// SECOND: loaded from the cache in
// SECOND: loaded a module
// SECOND: launch forward_kernel_0 7 1 1, 128 1 1, shared 0
// SECOND: result 0 (y): ok

// `auto` is the GPU if there is one, or else the CPU.
// RUN: %{fake} rudnn-runner %s --device=auto --entry=forward --rows=1 --fill=signs --check | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: device cuda
// RUN: env LD_LIBRARY_PATH=%t/none rudnn-runner %S/../Runner/Inputs/pair.mlir --device=auto --entry=forward --rows=1 --cols=8 | FileCheck %s --check-prefix=FALLBACK
// FALLBACK: device cpu

// Nothing is launched for no rows.
// RUN: %{fake} rudnn-runner %s --device=cuda --entry=forward --rows=0 --check | FileCheck %s --check-prefix=NO-ROWS --implicit-check-not=launch --implicit-check-not=kernel_
// NO-ROWS: result 0 (y): ok, f32 [0, 1024], no elements

// An address that is not aligned has a kernel of its own.
// RUN: %{fake} %{run} --misalign=0 --check | FileCheck %s --check-prefix=MISALIGNED
// MISALIGNED: launch forward_kernel_1
// MISALIGNED: result 0 (y): ok

// Results and temporary buffers are memory of the GPU; of what a kernel does not
// write nothing is there.
// REDEFINE: %{entry} = allocate
// RUN: %{fake} %{run} --check | FileCheck %s --check-prefix=ALLOCATE
// ALLOCATE: launch allocate_kernel
// ALLOCATE: result 0 (y): ok, f32 [7, 1024]
// RUN: env LD_LIBRARY_PATH=%t/fake %{exits} 1 %{run} --check | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: result 0 (y): FAIL{{.*}} got {{-?}}nan

// Times: launches are recorded for several sets of buffers, and so are copies.
// REDEFINE: %{entry} = forward
// RUN: %{fake} %{run} --bench --bench-seconds=0 --check --json=%t.json | FileCheck %s --check-prefix=BENCH
// BENCH-COUNT-58: launch
// BENCH: result 0 (y): ok
// BENCH: bench: 57344 bytes must move; 19 sets of buffers, batches of 38 calls, {{recorded|single}} copies, 50 repetitions
// BENCH: function: median {{[0-9.]+}} us
// BENCH: host    : {{[0-9.]+}} us to ask for a call
// BENCH: ratio to memcpy
// RUN: %python -c "import json, sys; b = json.load(open(sys.argv[1]))['bench']; assert b['buffer_sets'] == 19 and b['calls_per_batch'] %% 19 == 0 and b['memcpy']['median_us'] > 0 and b['host_us'] > 0, b" %t.json

// A kernel that needs more shared memory than every launch may have, and one with
// clusters.
// REDEFINE: %{entry} = long
// RUN: env LD_LIBRARY_PATH=%t/fake %{run} | FileCheck %s --check-prefix=SHARED
// SHARED: cuFuncSetAttribute 8 = [[BYTES:[0-9]+]]
// SHARED: launch long_kernel_0 {{.*}}, shared [[BYTES]]{{$}}
// REDEFINE: %{entry} = cluster
// RUN: env LD_LIBRARY_PATH=%t/fake %{run} | FileCheck %s --check-prefix=CLUSTER
// CLUSTER: launch cluster_kernel_0 {{.*}}, cluster 4

// One row of rank 1: its rstd is read and written as an element.
// REDEFINE: %{entry} = row
// RUN: env LD_LIBRARY_PATH=%t/fake %{run} | FileCheck %s --check-prefix=ROW
// ROW: launch row_kernel_0
// ROW: result 1 (rstd): f32 []
// RUN: env LD_LIBRARY_PATH=%t/fake %{exits} 3 %{run} --bench 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: error: launches cannot be recorded, and timed, together with elements that host code reads or writes

// Columns that lie apart are copied by a kernel, which may be recorded.
// REDEFINE: %{entry} = columns
// RUN: env LD_LIBRARY_PATH=%t/fake %{run} | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: launch columns_kernel 28 1 1, 256 1 1,
// COLUMNS-NEXT: loaded a module
// COLUMNS-NEXT: launch columns_kernel_0 7 1 1, 128 1 1,
// RUN: env LD_LIBRARY_PATH=%t/fake %{run} --bench --bench-seconds=0 | FileCheck %s --check-prefix=COLUMNS

// What a kernel writes next to a buffer is found.
// REDEFINE: %{entry} = forward
// RUN: env LD_LIBRARY_PATH=%t/fake FAKE_CUDA_STRAY=1 %{exits} 1 %{run} | FileCheck %s --check-prefix=STRAY
// STRAY: guard: FAIL, argument 1 (y): bytes before or after it were written

// Runs that give other bits.
// RUN: %{fake} FAKE_CUDA_DRIFT=1 %{exits} 1 %{run} --repeat=3 | FileCheck %s --check-prefix=DRIFT
// DRIFT: repeat: FAIL, in run 2 result 0 (y) has other bits in 1 of 7168 elements, the first of them number 0

// What is missing, and what the driver refuses: exit code 3, with the kernel.
// DEFINE: %{failing} = cuLaunchKernelEx
// DEFINE: %{fail} = %{fake} FAKE_CUDA_FAIL=%{failing} %{exits} 3 %{run}
// RUN: env LD_LIBRARY_PATH=%t/none %{exits} 3 %{run} 2>&1 | FileCheck %s --check-prefix=NO-DRIVER
// NO-DRIVER: error: --device=cuda: no CUDA driver: {{.*}}libcuda.so.1
// RUN: %{fake} FAKE_CUDA_NO_GPU=1 %{exits} 3 %{run} 2>&1 | FileCheck %s --check-prefix=NO-GPU
// NO-GPU: error: --device=cuda: no GPU: fake error (100)
// RUN: %{fail} 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: error: kernel forward_kernel_0: cuLaunchKernelEx: fake error (2)
// REDEFINE: %{failing} = cuModuleLoadDataEx
// RUN: %{fail} 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: error: line 7: fake error in PTX: cuModuleLoadDataEx: fake error (2)
// REDEFINE: %{failing} = cuMemAlloc_v2
// RUN: %{fail} 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: {{[0-9]+}} bytes: cuMemAlloc_v2: fake error (2)

// Work that is left to the host would need the GPU's memory there.
// RUN: %{fake} %{exits} 2 rudnn-runner %S/Inputs/host.mlir --device=cuda 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: host.mlir{{.*}} error: 'linalg.exp' op touches a buffer of the GPU on the host: expected kernels, allocations and copies only

func.func @forward(%x: tensor<?x1024xf32>, %y0: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %y = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<?x1024xf32>) outs(%y0 : tensor<?x1024xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 128>} -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}

func.func @allocate(%x: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x1024xf32>
  %y0 = tensor.empty(%rows) : tensor<?x1024xf32>
  %y = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<?x1024xf32>) outs(%y0 : tensor<?x1024xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 128>} -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}

func.func @long(%x: tensor<?x16384xf32>, %dy: tensor<?x16384xf32>, %rstd: tensor<?xf32>, %dgamma0: tensor<16384xf32>) -> tensor<16384xf32> {
  %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd : tensor<?x16384xf32>, tensor<?x16384xf32>, tensor<?xf32>) weight_grad(%dgamma0 : tensor<16384xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 1024, stage = shared, stages = 1, parts = 132>} -> tensor<16384xf32>
  return %dgamma : tensor<16384xf32>
}

func.func @cluster(%x: tensor<?x32768xf32>, %dy: tensor<?x32768xf32>, %rstd: tensor<?xf32>, %dgamma0: tensor<32768xf32>) -> tensor<32768xf32> {
  %dgamma = norm.rms_norm_backward
      ins(%x, %dy, %rstd : tensor<?x32768xf32>, tensor<?x32768xf32>, tensor<?xf32>) weight_grad(%dgamma0 : tensor<32768xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 512, cluster = 4, parts = 7>} -> tensor<32768xf32>
  return %dgamma : tensor<32768xf32>
}

func.func @columns(%x: tensor<?x2048xf32>, %y0: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x2048xf32>
  %even = tensor.extract_slice %x[0, 0] [%m, 1024] [1, 2] : tensor<?x2048xf32> to tensor<?x1024xf32>
  %y = norm.rms_norm epsilon(1.0e-07) ins(%even : tensor<?x1024xf32>) outs(%y0 : tensor<?x1024xf32>)
      {schedule = #norm.schedule<vector = 4, threads = 128>} -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}

func.func @row(%x: tensor<1024xf32>, %y0: tensor<1024xf32>, %rstd0: tensor<f32>) -> (tensor<1024xf32>, tensor<f32>) {
  %y, %rstd = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<1024xf32>) outs(%y0, %rstd0 : tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>, tensor<f32>
  return %y, %rstd : tensor<1024xf32>, tensor<f32>
}
