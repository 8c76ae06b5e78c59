// RUN: rudnn-opt %s --norm-emulate-kernels --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
      // expected-error @below {{'memref.copy' op cannot be emulated}}
      memref.copy %x, %y : memref<4xf32> to memref<4xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: f32) kernel {
      // expected-error @below {{'gpu.subgroup_reduce' op cannot be emulated}}
      %y = gpu.subgroup_reduce add %x : (f32) -> f32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{'gpu.func' op cannot be emulated: expected kernels only, with calls inlined}}
    gpu.func @helper() {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xi4>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'memref.load' op cannot be emulated: expected memrefs of index, or of integers or floats of whole bytes, got 'memref<4xi4>'}}
      %y = memref.load %x[%c0] : memref<4xi4>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: vector<2xf32>, %d: i32) kernel {
      // expected-error @below {{'gpu.shuffle' op cannot be emulated: expected an integer or float of at most 64 bits, got 'vector<2xf32>'}}
      %y, %valid = gpu.shuffle xor %x, %d, %d : vector<2xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%d: i32) workgroup(%x: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @below {{'memref.atomic_rmw' op cannot be emulated on workgroup memory}}
      %y = memref.atomic_rmw addi %d, %x[%c0] : (i32, memref<4xi32, #gpu.address_space<workgroup>>) -> i32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() workgroup(%x: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
      // expected-error @below {{'memref.memory_space_cast' op cannot be emulated: hides a memory space}}
      %y = memref.memory_space_cast %x : memref<4xi32, #gpu.address_space<workgroup>> to memref<4xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xf32>) workgroup(%s: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = nvgpu.device_async_copy %x[%c0], %s[%c0], 4
          : memref<8xf32> to memref<8xf32, #gpu.address_space<workgroup>>
      // expected-error @below {{'scf.for' op cannot be emulated: takes a token of asynchronous copies, expected groups and waits only to do so}}
      %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%u = %t) -> !nvgpu.device.async.token {
        scf.yield %u : !nvgpu.device.async.token
      }
      nvgpu.device_async_wait %r
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      // expected-error @below {{'memref.alloc' op cannot be emulated}}
      %x = memref.alloc() : memref<4xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @f(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{'gpu.launch' op cannot be emulated: expected launches of functions, and waits for them, only}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.terminator
    }
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @below {{'gpu.func' op cannot be emulated: has an argument of type '!gpu.async.token'}}
    gpu.func @k(%t: !gpu.async.token) kernel {
      gpu.return
    }
  }
}

// -----

func.func @tensors(%y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected loops on memrefs, got scf.forall with results of type 'tensor<4xf32>'}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %y) -> tensor<4xf32> {
    %b = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
