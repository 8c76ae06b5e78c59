// Host code that would touch memory of the GPU is refused.
//
// RUN: rudnn-opt %s --norm-allocate-device-memory --split-input-file --verify-diagnostics

func.func @linalg(%x: memref<8xf32>) {
  // expected-error@+1 {{'linalg.map' op touches a buffer of the GPU on the host}}
  linalg.map { math.absf } ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// -----

func.func @stack() -> index {
  // expected-error@+1 {{'memref.alloca' op touches a buffer of the GPU on the host}}
  %x = memref.alloca() : memref<8xf32>
  %address = memref.extract_aligned_pointer_as_index %x : memref<8xf32> -> index
  return %address : index
}

// -----

memref.global "private" constant @weights : memref<2xf32> = dense<[1.0, 2.0]>
func.func @constant() -> memref<2xf32> {
  // expected-error@+1 {{'memref.get_global' op gives a kernel memory of the host: expected the buffer as an argument of the function}}
  %x = memref.get_global @weights : memref<2xf32>
  return %x : memref<2xf32>
}

// -----

func.func @unranked(%x: memref<*xf32>, %y: memref<4x8xf32>) {
  // expected-error@+1 {{'memref.copy' op cannot be done by the GPU: expected buffers of known rank, got 'memref<*xf32>' and 'memref<4x8xf32>'}}
  memref.copy %x, %y : memref<*xf32> to memref<4x8xf32>
  return
}

// -----

func.func @descriptors(%x: memref<?xmemref<4xf32>>, %i: index) -> memref<4xf32> {
  // expected-error@+1 {{'memref.load' op expected a buffer of numbers, got 'memref<?xmemref<4xf32>>'}}
  %0 = memref.load %x[%i] : memref<?xmemref<4xf32>>
  return %0 : memref<4xf32>
}

// -----

#pairs = affine_map<(m, n) -> (m floordiv 2, n, m mod 2)>
func.func @no_strides(%x: memref<4x8xf32, #pairs>, %value: f32, %i: index) {
  // expected-error@+1 {{'memref.store' op expected a buffer with strides, got 'memref<4x8xf32, affine_map<}}
  memref.store %value, %x[%i, %i] : memref<4x8xf32, #pairs>
  return
}

// -----

// expected-error@+1 {{'func.func' op expected @rudnnReadElement to be the runtime's function of type '(index, index, index) -> ()', got another}}
func.func private @rudnnReadElement(f32)
func.func @names(%x: memref<8xf32>, %i: index) -> f32 {
  %0 = memref.load %x[%i] : memref<8xf32>
  return %0 : f32
}
