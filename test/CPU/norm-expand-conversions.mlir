// RUN: rudnn-opt %s --norm-expand-conversions --canonicalize | FileCheck %s --check-prefixes=CHECK,BF16,F16
// RUN: rudnn-opt %s --norm-expand-conversions="f16=false" --canonicalize | FileCheck %s --check-prefixes=CHECK,BF16,KEEPF16
// RUN: rudnn-opt %s --norm-expand-conversions="bf16=false" --canonicalize | FileCheck %s --check-prefixes=CHECK,KEEPBF16,F16

// Conversions between f32 and 16-bit floats as integer arithmetic on vectors
// and scalars. (Whether they are right in every bit is tested by running them.)

// CHECK-LABEL: func.func @to_bf16(
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<8xf32>
// BF16-NOT: arith.truncf
// BF16: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<8xf32> to vector<8xi32>
// BF16: arith.cmpi ugt
// BF16: arith.select
// BF16: arith.shrui
// BF16: %[[HALF:.+]] = arith.trunci %{{.+}} : vector<8xi32> to vector<8xi16>
// BF16: arith.bitcast %[[HALF]] : vector<8xi16> to vector<8xbf16>
// KEEPBF16-NEXT: arith.truncf
func.func @to_bf16(%x: vector<8xf32>) -> vector<8xbf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  return %y : vector<8xbf16>
}

// CHECK-LABEL: func.func @from_bf16(
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<8xbf16>
// BF16-NOT: arith.extf
// BF16: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<8xbf16> to vector<8xi16>
// BF16: %[[WIDE:.+]] = arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
// BF16: %[[UPPER:.+]] = arith.shli %[[WIDE]], %{{.+}} : vector<8xi32>
// BF16: arith.bitcast %[[UPPER]] : vector<8xi32> to vector<8xf32>
// KEEPBF16-NEXT: arith.extf
func.func @from_bf16(%x: vector<8xbf16>) -> vector<8xf32> {
  %y = arith.extf %x : vector<8xbf16> to vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @to_f16(
// F16-NOT: arith.truncf
// F16: arith.trunci %{{.+}} : vector<8xi32> to vector<8xi16>
// F16: arith.bitcast %{{.+}} : vector<8xi16> to vector<8xf16>
// KEEPF16-NEXT: arith.truncf
func.func @to_f16(%x: vector<8xf32>) -> vector<8xf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xf16>
  return %y : vector<8xf16>
}

// CHECK-LABEL: func.func @from_f16(
// CHECK-SAME: %[[X:[a-z0-9]+]]: vector<8xf16>
// F16-NOT: arith.extf
// F16: %[[BITS:.+]] = arith.bitcast %[[X]] : vector<8xf16> to vector<8xi16>
// F16: arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
// F16: arith.bitcast %{{.+}} : vector<8xi32> to vector<8xf32>
// KEEPF16-NEXT: arith.extf
func.func @from_f16(%x: vector<8xf16>) -> vector<8xf32> {
  %y = arith.extf %x : vector<8xf16> to vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @scalars(
// BF16-NOT: arith.truncf {{.*}} to bf16
// F16-NOT: arith.truncf {{.*}} to f16
// F16-NOT: arith.extf
// CHECK: return
func.func @scalars(%x: f32, %h: f16) -> (bf16, f16, f32) {
  %a = arith.truncf %x : f32 to bf16
  %b = arith.truncf %x : f32 to f16
  %c = arith.extf %h : f16 to f32
  return %a, %b, %c : bf16, f16, f32
}

// Other conversions are none of its business.
// CHECK-LABEL: func.func @others(
// CHECK-DAG: arith.extf %{{.+}} : f32 to f64
// CHECK-DAG: arith.truncf %{{.+}} : f64 to f32
// CHECK-DAG: arith.truncf %{{.+}} : f64 to bf16
func.func @others(%x: f32, %d: f64) -> (f64, f32, bf16) {
  %a = arith.extf %x : f32 to f64
  %b = arith.truncf %d : f64 to f32
  %c = arith.truncf %d : f64 to bf16
  return %a, %b, %c : f64, f32, bf16
}

// Nor are tensors, which bufferization has left.
// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT: arith.extf %{{.+}} : tensor<8xf16> to tensor<8xf32>
// CHECK-NEXT: arith.truncf %{{.+}} : tensor<8xf32> to tensor<8xbf16>
func.func @tensors(%x: tensor<8xf16>) -> tensor<8xbf16> {
  %a = arith.extf %x : tensor<8xf16> to tensor<8xf32>
  %b = arith.truncf %a : tensor<8xf32> to tensor<8xbf16>
  return %b : tensor<8xbf16>
}
