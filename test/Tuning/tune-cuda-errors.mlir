// Schedules that a GPU's driver refuses are dropped like others. What a refused
// call had allocated is not freed.
// UNSUPPORTED: asan
//
// RUN: rm -rf %t && mkdir -p %t && %cc -shared -fPIC %S/../CUDA/Inputs/fake-cuda.c -o %t/libcuda.so.1
// DEFINE: %{driver} = FAKE_CUDA_REFUSE=128
// DEFINE: %{tune} = env LD_LIBRARY_PATH=%t FAKE_CUDA_COPY=0,1 %{driver} rudnn-runner %s --entry=forward --device=cuda --fill=signs --rows=7 --tune --tune-budget=4
// DEFINE: %{exits} = %python %S/../Runner/Inputs/exits.py

// A launch.
// RUN: %{tune} --check 2>&1 | FileCheck %s
// CHECK: warning: --tune: [[CHOSEN:#norm.schedule<.*>.*]] is dropped: kernel forward_kernel_0: cuLaunchKernelEx: fake error (2)
// CHECK: tune {{[0-9]+}} of
// CHECK: fastest:
// CHECK-NEXT: chosen : dropped, [[CHOSEN]]
// CHECK: result 0 (y): ok

// Code that does not load.
// REDEFINE: %{driver} = FAKE_CUDA_FAIL=cuModuleLoadDataEx
// RUN: %{exits} 1 %{tune} 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: warning: --tune: {{.*}} is dropped: line 7: fake error in PTX: cuModuleLoadDataEx: fake error (2)
// LOAD: error: --tune: tuning failed, none of {{[0-9]+}} schedules compiled, ran and gave right results; nothing was recorded or replayed

// Launches that cannot be recorded, and timed.
// REDEFINE: %{driver} = FAKE_CUDA_FAIL=cuStreamEndCapture
// RUN: %{exits} 1 %{tune} 2>&1 | FileCheck %s --check-prefix=RECORD
// RECORD: warning: --tune: {{.*}} is dropped: cuStreamEndCapture: fake error (2)
// RECORD: error: --tune: tuning failed

// What was said of a launch that was not made, for its kernel did not load, is
// not said of the next one.
// DEFINE: %{both} = env LD_LIBRARY_PATH=%t %{driver} rudnn-runner %s --entry=both --device=cuda --fill=signs --rows=700 --tune --tune-budget=2
// REDEFINE: %{driver} = FAKE_CUDA_FAIL=cuModuleLoadDataEx,2
// RUN: %{exits} 1 %{both} 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: launch both_kernel_0
// LAUNCH-NOT: launch both_kernel_1
// LAUNCH: is dropped: line 7: fake error in PTX
// LAUNCH: launch both_kernel_0
// LAUNCH-NOT: {{, dependent$}}
// LAUNCH: launch both_kernel_1 {{.*}}, dependent

// A device that does not recover ends the run.
// REDEFINE: %{driver} = FAKE_CUDA_FAIL=cuStreamSynchronize
// RUN: %{exits} 3 %{tune} 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: warning: --tune: #norm.schedule<{{.*}} is dropped: {{.*}}cuStreamSynchronize: fake error (2)
// GONE-NEXT: error: {{.*}}cuStreamSynchronize: fake error (2)

func.func @forward(%x: tensor<?x1024xf32>, %y0: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %y = norm.rms_norm epsilon(1.0e-07) ins(%x : tensor<?x1024xf32>) outs(%y0 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}

func.func @both(%g: memref<?x64xf32>, %x: memref<?x64xf32>, %rstd: memref<?xf32>, %dw: memref<64xf32>, %dx: memref<?x64xf32>) {
  norm.rms_norm_backward ins(%g, %x, %rstd : memref<?x64xf32>, memref<?x64xf32>, memref<?xf32>) input_grad(%dx : memref<?x64xf32>) weight_grad(%dw : memref<64xf32>)
  return
}
