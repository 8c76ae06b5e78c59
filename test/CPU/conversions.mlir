// Every conversion between f32 and 16-bit floats rounds once, to nearest even,
// bit by bit: on a CPU that has no instruction for any, on one that has some,
// and on this one; denormals, infinities and NaN too. x86's own conversion to
// bf16 takes denormals for zeros, unless an option asks for them.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{name} =
// DEFINE: %{make} = %python %S/Inputs/conversions.py make %t %{name}
// DEFINE: %{run} = rudnn-runner %s --entry=%{name} --input=0=%t/%{name}.npy --output-dir=%t --seed=1
// DEFINE: %{check} = %python %S/Inputs/conversions.py check %t %{name}

// REDEFINE: %{name} = to_bf16
// RUN: %{make} && %{run} --mcpu=x86-64 && %{check}
// RUN: %{run} --mcpu=x86-64-v3 && %{check}
// RUN: %{run} --pipeline-options="bf16-denormals=true" && %{check}
// RUN: %{run} && %{check} flushed
func.func @to_bf16(%x: memref<49152x8xf32>, %y: memref<49152x8xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 49152 : index
  scf.for %i = %c0 to %m step %c1 {
    %v = vector.load %x[%i, %c0] : memref<49152x8xf32>, vector<8xf32>
    %w = arith.truncf %v : vector<8xf32> to vector<8xbf16>
    vector.store %w, %y[%i, %c0] : memref<49152x8xbf16>, vector<8xbf16>
  }
  return
}

// REDEFINE: %{name} = to_f16
// RUN: %{make} && %{run} --mcpu=x86-64 && %{check}
// RUN: %{run} --mcpu=x86-64-v3 && %{check}
// RUN: %{run} && %{check}
func.func @to_f16(%x: memref<47620x8xf32>, %y: memref<47620x8xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 47620 : index
  scf.for %i = %c0 to %m step %c1 {
    %v = vector.load %x[%i, %c0] : memref<47620x8xf32>, vector<8xf32>
    %w = arith.truncf %v : vector<8xf32> to vector<8xf16>
    vector.store %w, %y[%i, %c0] : memref<47620x8xf16>, vector<8xf16>
  }
  return
}

// REDEFINE: %{name} = from_f16
// RUN: %{make} && %{run} --mcpu=x86-64 && %{check}
// RUN: %{run} --mcpu=x86-64-v3 && %{check}
// RUN: %{run} && %{check}
func.func @from_f16(%x: memref<8192x8xf16>, %y: memref<8192x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 8192 : index
  scf.for %i = %c0 to %m step %c1 {
    %v = vector.load %x[%i, %c0] : memref<8192x8xf16>, vector<8xf16>
    %w = arith.extf %v : vector<8xf16> to vector<8xf32>
    vector.store %w, %y[%i, %c0] : memref<8192x8xf32>, vector<8xf32>
  }
  return
}

// REDEFINE: %{name} = from_bf16
// RUN: %{make} && %{run} --mcpu=x86-64 && %{check}
// RUN: %{run} --mcpu=x86-64-v3 && %{check}
// RUN: %{run} && %{check}
func.func @from_bf16(%x: memref<8192x8xbf16>, %y: memref<8192x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 8192 : index
  scf.for %i = %c0 to %m step %c1 {
    %v = vector.load %x[%i, %c0] : memref<8192x8xbf16>, vector<8xbf16>
    %w = arith.extf %v : vector<8xbf16> to vector<8xf32>
    vector.store %w, %y[%i, %c0] : memref<8192x8xf32>, vector<8xf32>
  }
  return
}
