// RUN: rm -rf %t
// RUN: rudnn-opt %s --norm-export-kernels=directory=%t --verify-diagnostics
// RUN: test ! -e %t

// Kernels that are not compiled yet are not left out without a word.

// expected-error @below {{norm-export-kernels expects compiled kernels, as norm-to-nvvm leaves them, got gpu.module @kernels}}
gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}
