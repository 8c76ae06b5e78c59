// RUN: rudnn-opt %s --split-input-file --verify-diagnostics | rudnn-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @along_x(
// CHECK: norm.thread_reduce <add> along x rows 2 threads 128(%{{.+}}) : f32
func.func @along_x(%v: f32) -> f32 {
  %sum = norm.thread_reduce <add> along x rows 2 threads 128(%v) : f32
  return %sum : f32
}

// CHECK-LABEL: func.func @along_y(
// CHECK: norm.thread_reduce <maximumf> along y rows 4 threads 8(%{{.+}}, %{{.+}}) : vector<4xf32>, f32
func.func @along_y(%v: vector<4xf32>, %s: f32) -> (vector<4xf32>, f32) {
  %0:2 = norm.thread_reduce <maximumf> along y rows 4 threads 8 (%v, %s) : vector<4xf32>, f32
  return %0#0, %0#1 : vector<4xf32>, f32
}

// -----

func.func @half_a_warp_more(%v: f32) -> f32 {
  // expected-error @below {{expected threads to be a power of two up to 32 or a multiple of 32, got 48}}
  %sum = norm.thread_reduce <add> along x rows 2 threads 48 (%v) : f32
  return %sum : f32
}

// -----

func.func @too_many(%v: f32) -> f32 {
  // expected-error @below {{expected rows x threads to be a power of two up to 32 or a multiple of 32 up to 1024, got 9 x 128}}
  %sum = norm.thread_reduce <add> along x rows 9 threads 128(%v) : f32
  return %sum : f32
}

// -----

func.func @part_of_a_warp(%v: f32) -> f32 {
  // expected-error @below {{got 3 x 16}}
  %sum = norm.thread_reduce <add> along x rows 3 threads 16 (%v) : f32
  return %sum : f32
}

// -----

func.func @vector_along_x(%v: vector<4xf32>) -> vector<4xf32> {
  // expected-error @below {{expected f32, or along y vectors of it, got 'vector<4xf32>'}}
  %sum = norm.thread_reduce <add> along x rows 2 threads 16 (%v) : vector<4xf32>
  return %sum : vector<4xf32>
}

// -----

func.func @kind(%v: f32) -> f32 {
  // expected-error @below {{expected kind add, mul, maximumf or minimumf, got minnumf}}
  %sum = norm.thread_reduce <minnumf> along x rows 2 threads 16 (%v) : f32
  return %sum : f32
}

// -----

func.func @rows_again(%v: f32) -> f32 {
  // expected-error @below {{expected 'rows' in its own place only, got 4 : i64 among the other attributes}}
  %sum = norm.thread_reduce <add> along x rows 2 threads 128(%v) {rows = 4} : f32
  return %sum : f32
}
