// RUN: rudnn-opt %s --split-input-file --norm-to-gpu --verify-diagnostics

func.func @for_a_cpu(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-error @below {{has a schedule for a CPU (threads = 0), expected threads > 0}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) {schedule = #norm.schedule<vector = 8>} -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

func.func @in_a_kernel(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected to stand outside of kernels and nested modules, got it inside 'gpu.launch'}}
    norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
    gpu.terminator
  }
  return
}

// -----

func.func @left_to_the_host(%x: memref<8x64xf32>, %y: memref<8x64xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
  // expected-warning @below {{is left to the host, between kernels; fuse it with a norm op}}
  linalg.exp ins(%y : memref<8x64xf32>) outs(%y : memref<8x64xf32>)
  return
}

// -----

func.func @workgroup(%x: memref<4x64xf32>, %y: memref<4x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{expected y in the default or the global memory space of a GPU, got 'memref<4x64xf32, #gpu.address_space<workgroup>>'}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x64xf32>) outs(%y : memref<4x64xf32, #gpu.address_space<workgroup>>)
  return
}

// -----

func.func @private(%x: memref<4x64xf32, #gpu.address_space<private>>, %y: memref<4x64xf32>) {
  // expected-error @below {{expected x in the default or the global memory space of a GPU, got 'memref<4x64xf32, #gpu.address_space<private>>'}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x64xf32, #gpu.address_space<private>>) outs(%y : memref<4x64xf32>)
  return
}

// -----

func.func @shared_by_number(%x: memref<4x64xf32>, %gamma: memref<64xf32, 3>) {
  // expected-error @below {{expected gamma in the default or the global memory space of a GPU, got 'memref<64xf32, 3>'}}
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<4x64xf32>, memref<64xf32, 3>) outs(%x : memref<4x64xf32>)
  return
}

// -----

func.func @as_tensor(%x: memref<4x64xf32, 3>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @below {{expected buffer in the default or the global memory space of a GPU, got 'memref<4x64xf32, 3>'}}
  %t = bufferization.to_tensor %x restrict : memref<4x64xf32, 3> to tensor<4x64xf32>
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%t : tensor<4x64xf32>) outs(%y : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @global(%x: memref<4x64xf32, 1>, %y: memref<4x64xf32, #gpu.address_space<global>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x64xf32, 1>) outs(%y : memref<4x64xf32, #gpu.address_space<global>>)
  return
}

// -----

func.func @encoding(%x: tensor<4x64xf32>, %y: tensor<4x64xf32, "tiles">) -> tensor<4x64xf32, "tiles"> {
  // expected-error @below {{expected y without an encoding for a GPU, got "tiles" in 'tensor<4x64xf32, "tiles">'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x64xf32, "tiles">) -> tensor<4x64xf32, "tiles">
  return %0 : tensor<4x64xf32, "tiles">
}

// -----

module {
  module @inner {
    func.func @f(%x: memref<9x96xf32>, %y: memref<9x96xf32>) {
      // expected-error @below {{expected to stand outside of kernels and nested modules, got it inside 'builtin.module'}}
      norm.rms_norm epsilon(1.0e-5) ins(%x : memref<9x96xf32>) outs(%y : memref<9x96xf32>)
      return
    }
  }
}
