// RUN: rudnn-opt %s --norm-check-gpu-operands --split-input-file --verify-diagnostics

// The example of the pass's description.
func.func @workgroup(%x: memref<4x64xf32>, %y: memref<4x64xf32, #gpu.address_space<workgroup>>) {
  // expected-error @below {{'norm.rms_norm' op expected y in the default or the global memory space of a GPU, got 'memref<4x64xf32, #gpu.address_space<workgroup>>'}}
    norm.rms_norm epsilon(1.0e-05)
        ins(%x : memref<4x64xf32>)
        outs(%y : memref<4x64xf32, #gpu.address_space<workgroup>>)
  return
}

// -----

func.func @global(%x: memref<4x64xf32, 1>, %y: memref<4x64xf32, #gpu.address_space<global>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x64xf32, 1>) outs(%y : memref<4x64xf32, #gpu.address_space<global>>)
  return
}

// -----

func.func @encoding(%x: tensor<4x64xf32, "rows">) -> tensor<4x64xf32, "rows"> {
  // expected-error @below {{expected x without an encoding for a GPU, got "rows" in 'tensor<4x64xf32, "rows">'}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<4x64xf32, "rows">) outs(%x : tensor<4x64xf32, "rows">) -> tensor<4x64xf32, "rows">
  return %y : tensor<4x64xf32, "rows">
}
