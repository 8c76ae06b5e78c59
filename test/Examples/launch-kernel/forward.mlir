// An RMSNorm forward compiled ahead of time and launched by a C program that
// knows no more than the manifests. A fake driver stands in for the GPU: it
// prints the launch, reads the parameters as the manifest describes them, and
// computes what the kernel would.
//
// RUN: rm -rf %t && mkdir -p %t/none
// RUN: rudnn-opt %s --norm-to-nvvm="set=vector=8,threads=64,stage=reload,gamma=reload,product=late" --norm-export-kernels=directory=%t/kernels -o /dev/null
// RUN: %cc -std=c99 -pedantic -Wall -Wextra -Werror %S/launch-kernel.c %S/driver.c %S/formula.c %S/json.c -o %t/launch-kernel -ldl -lm
// RUN: %cc -shared -fPIC %S/Inputs/fake-cuda.c -o %t/libcuda.so.1 -lm
// RUN: env LD_LIBRARY_PATH=%t FAKE_CUDA_ORDER=0312 %t/launch-kernel 37 0 %t/kernels/forward_kernel_0.json %t/kernels/forward_kernel_1.json | FileCheck %s --check-prefix=ALIGNED
// RUN: env LD_LIBRARY_PATH=%t FAKE_CUDA_ORDER=1032 %t/launch-kernel 37 1 %t/kernels/forward_kernel_0.json %t/kernels/forward_kernel_1.json | FileCheck %s --check-prefix=SHIFTED
// RUN: env LD_LIBRARY_PATH=%t FAKE_CUDA_ORDER=0312 %t/launch-kernel 0 0 %t/kernels/forward_kernel_0.json %t/kernels/forward_kernel_1.json | FileCheck %s --check-prefix=NO-ROWS

// Without a driver, and without a GPU.
// RUN: echo none > %t/none/libcuda.so.1
// RUN: env LD_LIBRARY_PATH=%t/none %python %S/../../Runner/Inputs/exits.py 3 %t/launch-kernel 37 0 %t/kernels/forward_kernel_0.json 2>&1 | FileCheck %s --check-prefix=NO-DRIVER
// RUN: env LD_LIBRARY_PATH=%t FAKE_CUDA_NO_GPU=1 %python %S/../../Runner/Inputs/exits.py 3 %t/launch-kernel 37 0 %t/kernels/forward_kernel_0.json 2>&1 | FileCheck %s --check-prefix=NO-GPU

// Numbers that are none.
// RUN: env LD_LIBRARY_PATH=%t %python %S/../../Runner/Inputs/exits.py 2 %t/launch-kernel -1 0 %t/kernels/forward_kernel_0.json 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: env LD_LIBRARY_PATH=%t %python %S/../../Runner/Inputs/exits.py 2 %t/launch-kernel 8 x %t/kernels/forward_kernel_0.json 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: expected a number that is not negative nor too large, got {{-1|x}}

// ALIGNED: cuLaunchKernel forward_kernel_0 37 1 1 64 1 1 0
// ALIGNED: argument 0: offset 0 sizes 37 1024 strides 1024 1
// ALIGNED: argument 3: offset 0 sizes 37 0 strides 1 0
// ALIGNED: argument 1: offset 0 sizes 1024 0 strides 1 0
// ALIGNED: argument 2: offset 0 sizes 37 1024 strides 1024 1
// ALIGNED: {{^}}0 wrong values
// SHIFTED: cuLaunchKernel forward_kernel_1 37 1 1
// SHIFTED: {{^}}0 wrong values
// NO-ROWS-NOT: cuLaunchKernel
// NO-ROWS: {{^}}0 wrong values
// NO-DRIVER: no CUDA driver: {{.*}}libcuda.so.1
// NO-GPU: no GPU: fake error (100)

func.func @forward(%x: tensor<?x1024xbf16>, %gamma: tensor<1024xbf16>,
                   %y: tensor<?x1024xbf16>, %rstd: tensor<?xf32>)
    -> (tensor<?x1024xbf16>, tensor<?xf32>) {
  %results:2 = norm.rms_norm epsilon(1.0e-06)
      ins(%x, %gamma : tensor<?x1024xbf16>, tensor<1024xbf16>)
      outs(%y, %rstd : tensor<?x1024xbf16>, tensor<?xf32>)
      -> tensor<?x1024xbf16>, tensor<?xf32>
  return %results#0, %results#1 : tensor<?x1024xbf16>, tensor<?xf32>
}
