// RUN: not rudnn-opt %s --norm-check-lowered --split-input-file 2>&1 | FileCheck %s

// The op that was left is named, not a cast beside it.
// CHECK: error: 'math.exp' op could not be lowered to the LLVM dialect
llvm.func @left(%x: f32) -> f32 {
  %0 = builtin.unrealized_conversion_cast %x : f32 to f32
  %1 = math.exp %0 : f32
  llvm.return %1 : f32
}

// -----

// CHECK: error: 'builtin.unrealized_conversion_cast' op could not be lowered
llvm.func @cast(%x: i64) -> i64 {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  llvm.return %1 : i64
}

// -----

// CHECK: llvm.func @done
llvm.func @done(%x: f32) -> f32 {
  llvm.return %x : f32
}
