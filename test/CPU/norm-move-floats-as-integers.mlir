// RUN: rudnn-opt %s --norm-move-floats-as-integers | FileCheck %s

// CHECK-LABEL: llvm.func @scalar(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr
// CHECK-NEXT: %[[BITS:.+]] = llvm.load %[[P]] : !llvm.ptr -> i16
// CHECK-NEXT: %[[FLOAT:.+]] = llvm.bitcast %[[BITS]] : i16 to bf16
// CHECK-NEXT: %[[WIDE:.+]] = llvm.fpext %[[FLOAT]] : bf16 to f32
// CHECK-NEXT: llvm.store %[[BITS]], %[[P]] : i16, !llvm.ptr
llvm.func @scalar(%p: !llvm.ptr) -> f32 {
  %v = llvm.load %p : !llvm.ptr -> bf16
  %w = llvm.fpext %v : bf16 to f32
  llvm.store %v, %p : bf16, !llvm.ptr
  llvm.return %w : f32
}

// Alignment and hints stay.
// CHECK-LABEL: llvm.func @vector(
// CHECK: %[[BITS:.+]] = llvm.load %{{.+}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK: llvm.store %[[BITS]], %{{.+}} {alignment = 16 : i64, nontemporal} : vector<8xi16>, !llvm.ptr
llvm.func @vector(%p: !llvm.ptr) {
  %v = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xf16>
  llvm.store %v, %p {alignment = 16 : i64, nontemporal} : vector<8xf16>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr, %[[MASK:[a-z0-9]+]]: vector<8xi1>, %[[PAD:[a-z0-9]+]]: vector<8xbf16>
// CHECK-NEXT: %[[PADBITS:.+]] = llvm.bitcast %[[PAD]] : vector<8xbf16> to vector<8xi16>
// CHECK-NEXT: %[[BITS:.+]] = llvm.intr.masked.load %[[P]], %[[MASK]], %[[PADBITS]] {{.*}} -> vector<8xi16>
// CHECK: llvm.intr.masked.store %[[BITS]], %[[P]], %[[MASK]]
llvm.func @masked(%p: !llvm.ptr, %mask: vector<8xi1>, %pad: vector<8xbf16>) {
  %v = llvm.intr.masked.load %p, %mask, %pad {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %v, %p, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// From block to block, and through elements.
// CHECK-LABEL: llvm.func @blocks(
// CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr, %[[C:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: bf16
// CHECK: %[[V:.+]] = llvm.load %[[P]] : !llvm.ptr -> i16
// CHECK: %[[XBITS:.+]] = llvm.bitcast %[[X]] : bf16 to i16
// CHECK: llvm.cond_br %[[C]], ^bb1(%[[V]] : i16), ^bb2(%[[XBITS]] : i16)
// CHECK: ^bb1(%[[W:.+]]: i16):
// CHECK: %[[ONE:.+]] = llvm.insertelement %[[W]], %{{.+}}[%{{.+}} : i32] : vector<8xi16>
// CHECK: %[[ALL:.+]] = llvm.shufflevector %[[ONE]], %{{.+}} [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xi16>
// CHECK: %[[S:.+]] = llvm.select %[[C]], %[[ALL]], %[[ONE]] : i1, vector<8xi16>
// CHECK: %[[E:.+]] = llvm.extractelement %[[S]][%{{.+}} : i32] : vector<8xi16>
// CHECK: llvm.br ^bb2(%[[E]] : i16)
// CHECK: ^bb2(%[[R:.+]]: i16):
// CHECK: %[[FLOAT:.+]] = llvm.bitcast %[[R]] : i16 to bf16
// CHECK: llvm.return %[[FLOAT]] : bf16
llvm.func @blocks(%p: !llvm.ptr, %c: i1, %x: bf16) -> bf16 {
  %i = llvm.mlir.constant(0 : i32) : i32
  %poison = llvm.mlir.poison : vector<8xbf16>
  %v = llvm.load %p : !llvm.ptr -> bf16
  llvm.cond_br %c, ^bb1(%v : bf16), ^bb2(%x : bf16)
^bb1(%w: bf16):
  %one = llvm.insertelement %w, %poison[%i : i32] : vector<8xbf16>
  %all = llvm.shufflevector %one, %poison [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xbf16>
  %s = llvm.select %c, %all, %one : i1, vector<8xbf16>
  %e = llvm.extractelement %s[%i : i32] : vector<8xbf16>
  llvm.br ^bb2(%e : bf16)
^bb2(%r: bf16):
  llvm.return %r : bf16
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

// Bits that would be a float between two moves stay bits.
// CHECK-LABEL: llvm.func @chosen(
// CHECK-NOT: bf16
// CHECK: %[[BITS:.+]] = llvm.load %{{.+}} : !llvm.ptr -> vector<8xi16>
// CHECK: %[[CHOSEN:.+]] = llvm.select %{{.+}}, %[[BITS]], %{{.+}} : i1, vector<8xi16>
// CHECK-NEXT: %[[WORDS:.+]] = llvm.bitcast %[[CHOSEN]] : vector<8xi16> to vector<4xi32>
// CHECK-NEXT: llvm.return %[[WORDS]]
llvm.func @chosen(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1) -> vector<4xi32> {
  %v = llvm.load %p : !llvm.ptr -> vector<8xbf16>
  %w = llvm.load %q : !llvm.ptr -> vector<8xbf16>
  %s = llvm.select %c, %v, %w : i1, vector<8xbf16>
  %words = llvm.bitcast %s : vector<8xbf16> to vector<4xi32>
  llvm.return %words : vector<4xi32>
}
