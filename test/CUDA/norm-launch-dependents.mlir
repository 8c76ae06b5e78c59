// A merge that is launched while its parts are still summed: the kernel waits
// for them before it reads, the host says so before the launch, and so does
// the manifest. Chosen where the merge is a good part of the time.
//
// RUN: rudnn-opt %s --norm-to-gpu=chip=sm_90 | FileCheck %s --check-prefix=GPU
// RUN: rudnn-opt %s --norm-to-gpu=chip=sm_90 | rudnn-opt --norm-launch-dependents | FileCheck %s --check-prefix=HOST
// RUN: rudnn-opt %s --norm-to-nvvm=chip=sm_90 | FileCheck %s --check-prefix=PTX
// RUN: rm -rf %t && mkdir %t
// RUN: rudnn-opt %s --norm-to-nvvm=chip=sm_90 | rudnn-opt --norm-export-kernels=directory=%t -o /dev/null
// RUN: FileCheck %s --check-prefix=PARTS --input-file=%t/gradients_kernel_0.json
// RUN: FileCheck %s --check-prefix=MERGE --input-file=%t/gradients_kernel_1.json
// RUN: rudnn-runner %s --device=emulate --check
// RUN: mkdir %t/fake && %cc -shared -fPIC %S/Inputs/fake-cuda.c -o %t/fake/libcuda.so.1
// RUN: env LD_LIBRARY_PATH=%t/fake rudnn-runner %s --device=cuda | FileCheck %s --check-prefix=LAUNCH
//
// Earlier chips have no such launch.
// RUN: rudnn-opt %s --norm-to-gpu=chip=sm_86 | FileCheck %s --check-prefix=OLD

// GPU: gpu.func @gradients_kernel_0
// GPU: nvvm.griddepcontrol launch_dependents
// GPU: gpu.func @gradients_kernel_1
// GPU-NOT: memref.load
// GPU-NOT: vector.load
// GPU: nvvm.griddepcontrol wait

// HOST: func.func private @rudnnLaunchNextAsDependent()
// HOST: gpu.launch_func @gradients_kernel_0
// HOST-NEXT: call @rudnnLaunchNextAsDependent() : () -> ()
// HOST-NEXT: gpu.launch_func @gradients_kernel_1

// PTX: .entry gradients_kernel_0
// PTX: griddepcontrol.launch_dependents;
// PTX: .entry gradients_kernel_1
// PTX-NOT: ld.global
// PTX: griddepcontrol.wait;
// PTX: ld.global

// LAUNCH: launch gradients_kernel_0
// LAUNCH-NOT: dependent
// LAUNCH: launch gradients_kernel_1 {{.*}}, dependent

// PARTS: "dependent": false
// PARTS: "position": 0
// MERGE: "dependent": true
// MERGE: "position": 1

// OLD-NOT: nvvm.griddepcontrol
func.func @gradients(%x: memref<1000x128xbf16>, %dy: memref<1000x128xbf16>, %rstd: memref<1000xf32>, %gamma: memref<128xbf16>, %dx: memref<1000x128xbf16>, %dw: memref<128xbf16>) {
  norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : memref<1000x128xbf16>, memref<1000x128xbf16>, memref<1000xf32>, memref<128xbf16>)
      input_grad(%dx : memref<1000x128xbf16>) weight_grad(%dw : memref<128xbf16>)
  return
}
