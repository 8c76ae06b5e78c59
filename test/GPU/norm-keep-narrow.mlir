// RUN: rudnn-opt %s --norm-keep-narrow | FileCheck %s

// What comes from outside the loop stays as it is, and is widened in each
// iteration; what does not, or does not fill words, is left alone.

// CHECK-LABEL: gpu.func @mixed(
// CHECK: %[[GAMMA:.+]] = vector.load
// CHECK: scf.for
// CHECK: %[[X:.+]] = vector.load
// CHECK: arith.extf %[[X]]
// CHECK: %[[WORDS:.+]] = vector.bitcast %[[GAMMA]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[EACH:.+]]:2 = vector.to_elements %[[WORDS]]
// CHECK: %[[MOVED:.+]]:2 = nvvm.inline_ptx "mov.b32 $0, $2;mov.b32 $1, $3;" ro(%[[EACH]]#0, %[[EACH]]#1 : i32, i32) -> i32, i32
// CHECK: %[[AGAIN:.+]] = vector.from_elements %[[MOVED]]#0, %[[MOVED]]#1 : vector<2xi32>
// CHECK: %[[NARROW:.+]] = vector.bitcast %[[AGAIN]] : vector<2xi32> to vector<4xbf16>
// CHECK: arith.extf %[[NARROW]]
// CHECK-NOT: inline_ptx
// Widened before the loop already, where the other use is.
// CHECK-LABEL: gpu.func @hoisted(
// CHECK: %[[GAMMA:.+]] = vector.load
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[GAMMA]]
// CHECK-NEXT: vector.store %[[WIDE]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: %[[X:.+]] = vector.load
// CHECK-NEXT: vector.bitcast %[[GAMMA]] : vector<4xbf16> to vector<2xi32>
// CHECK: nvvm.inline_ptx
// CHECK: %[[NARROW:.+]] = vector.bitcast {{.*}} : vector<2xi32> to vector<4xbf16>
// CHECK-NEXT: %[[AGAIN:.+]] = arith.extf %[[NARROW]]
// CHECK-NEXT: arith.mulf %[[X]], %[[AGAIN]]
// CHECK-NOT: inline_ptx
// CHECK-LABEL: gpu.func @convert(
// CHECK-NOT: inline_ptx
// CHECK: gpu.return
gpu.module @m {
  gpu.func @mixed(%gamma: memref<?xbf16>, %x: memref<?xbf16>, %y: memref<?xf32>, %rows: index) kernel
      attributes {norm.schedule = #norm.schedule<vector = 4, threads = 32, widen = mixed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = vector.load %gamma[%c0] : memref<?xbf16>, vector<4xbf16>
    %one = memref.load %gamma[%c1] : memref<?xbf16>
    scf.for %row = %c0 to %rows step %c1 {
      %v = vector.load %x[%row] : memref<?xbf16>, vector<4xbf16>
      %f = arith.extf %v : vector<4xbf16> to vector<4xf32>
      %w = arith.extf %g : vector<4xbf16> to vector<4xf32>
      %s = arith.extf %one : bf16 to f32
      %p = arith.mulf %f, %w : vector<4xf32>
      %b = vector.broadcast %s : f32 to vector<4xf32>
      %q = arith.mulf %p, %b : vector<4xf32>
      vector.store %q, %y[%row] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
  gpu.func @hoisted(%gamma: memref<?xbf16>, %x: memref<?xf32>, %y: memref<?xf32>, %rows: index) kernel
      attributes {norm.schedule = #norm.schedule<vector = 4, threads = 32, widen = mixed>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = vector.load %gamma[%c0] : memref<?xbf16>, vector<4xbf16>
    %w = arith.extf %g : vector<4xbf16> to vector<4xf32>
    vector.store %w, %y[%c0] : memref<?xf32>, vector<4xf32>
    scf.for %row = %c0 to %rows step %c1 {
      %v = vector.load %x[%row] : memref<?xf32>, vector<4xf32>
      %p = arith.mulf %v, %w : vector<4xf32>
      vector.store %p, %y[%row] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
  gpu.func @convert(%gamma: memref<?xbf16>, %y: memref<?xf32>, %rows: index) kernel
      attributes {norm.schedule = #norm.schedule<vector = 4, threads = 32>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = vector.load %gamma[%c0] : memref<?xbf16>, vector<4xbf16>
    scf.for %row = %c0 to %rows step %c1 {
      %w = arith.extf %g : vector<4xbf16> to vector<4xf32>
      vector.store %w, %y[%row] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
}
