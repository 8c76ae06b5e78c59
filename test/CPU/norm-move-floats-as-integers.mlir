// RUN: rudnn-opt %s --norm-move-floats-as-integers | FileCheck %s

// CHECK-LABEL: llvm.func @scalar(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr
// CHECK-NEXT: %[[BITS:.+]] = llvm.load %[[P]] : !llvm.ptr -> i16
// CHECK-NEXT: %[[FLOAT:.+]] = llvm.bitcast %[[BITS]] : i16 to bf16
// CHECK-NEXT: %[[WIDE:.+]] = llvm.fpext %[[FLOAT]] : bf16 to f32
// CHECK-NEXT: %[[BACK:.+]] = llvm.bitcast %[[FLOAT]] : bf16 to i16
// CHECK-NEXT: llvm.store %[[BACK]], %[[P]] : i16, !llvm.ptr
llvm.func @scalar(%p: !llvm.ptr) -> f32 {
  %v = llvm.load %p : !llvm.ptr -> bf16
  %w = llvm.fpext %v : bf16 to f32
  llvm.store %v, %p : bf16, !llvm.ptr
  llvm.return %w : f32
}

// Alignment and hints stay.
// CHECK-LABEL: llvm.func @vector(
// CHECK: llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: llvm.bitcast %{{.+}} : vector<8xi16> to vector<8xf16>
// CHECK-NEXT: %[[BITS:.+]] = llvm.bitcast %{{.+}} : vector<8xf16> to vector<8xi16>
// CHECK-NEXT: llvm.store %[[BITS]], %{{.+}} {alignment = 16 : i64, nontemporal} : vector<8xi16>, !llvm.ptr
llvm.func @vector(%p: !llvm.ptr) {
  %v = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xf16>
  llvm.store %v, %p {alignment = 16 : i64, nontemporal} : vector<8xf16>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr, %[[MASK:[a-z0-9]+]]: vector<8xi1>, %[[PAD:[a-z0-9]+]]: vector<8xbf16>
// CHECK-NEXT: %[[PADBITS:.+]] = llvm.bitcast %[[PAD]] : vector<8xbf16> to vector<8xi16>
// CHECK-NEXT: %[[BITS:.+]] = llvm.intr.masked.load %[[P]], %[[MASK]], %[[PADBITS]] {{.*}} -> vector<8xi16>
// CHECK-NEXT: %[[FLOAT:.+]] = llvm.bitcast %[[BITS]] : vector<8xi16> to vector<8xbf16>
// CHECK-NEXT: %[[BACK:.+]] = llvm.bitcast %[[FLOAT]] : vector<8xbf16> to vector<8xi16>
// CHECK-NEXT: llvm.intr.masked.store %[[BACK]], %[[P]], %[[MASK]]
llvm.func @masked(%p: !llvm.ptr, %mask: vector<8xi1>, %pad: vector<8xbf16>) {
  %v = llvm.intr.masked.load %p, %mask, %pad {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %v, %p, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @others(
// CHECK-NOT: llvm.bitcast
// CHECK: llvm.return
llvm.func @others(%p: !llvm.ptr) {
  %v = llvm.load %p : !llvm.ptr -> vector<8xf32>
  llvm.store %v, %p : vector<8xf32>, !llvm.ptr
  %i = llvm.load %p : !llvm.ptr -> i16
  llvm.store %i, %p : i16, !llvm.ptr
  llvm.return
}
