// RUN: rudnn-opt %s --verify-diagnostics --split-input-file

// One case or more for each constraint of the ops, by the number that it has in
// their descriptions. A message names the operand, what was expected and what
// came.

//===----------------------------------------------------------------------===//
// norm.rms_norm
//===----------------------------------------------------------------------===//

func.func @rms_norm_c1(%x: tensor<f32>) {
  // expected-error @below {{'norm.rms_norm' op rms_norm_c1: expected x of rank >= 1, got rank 0}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<f32>) outs(%x : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<8x0xf32>) {
  // expected-error @below {{'norm.rms_norm' op rms_norm_c2: expected x with N >= 1 columns, got N = 0}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x0xf32>) outs(%x : tensor<8x0xf32>) -> tensor<8x0xf32>
  return
}

// -----

func.func @rms_norm_c3_x(%x: tensor<8x64xf64>) {
  // expected-error @below {{rms_norm_c3: expected x of element type f32, f16 or bf16, got 'f64'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf64>) outs(%x : tensor<8x64xf64>) -> tensor<8x64xf64>
  return
}

// -----

func.func @rms_norm_c3_integer(%x: tensor<8x64xi8>) {
  // expected-error @below {{rms_norm_c3: expected x of element type f32, f16 or bf16, got 'i8'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xi8>) outs(%x : tensor<8x64xi8>) -> tensor<8x64xi8>
  return
}

// -----

func.func @rms_norm_c3_gamma(%x: tensor<8x64xf32>, %gamma: tensor<64xf8E4M3FN>) {
  // expected-error @below {{rms_norm_c3: expected gamma of element type f32, f16 or bf16, got 'f8E4M3FN'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf8E4M3FN>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c3_y(%x: memref<8x64xf32>, %y: memref<8x64xi32>) {
  // expected-error @below {{rms_norm_c3: expected y of element type f32, f16 or bf16, got 'i32'}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xi32>)
  return
}

// -----

func.func @rms_norm_c4(%x: tensor<?x4096xf32>, %gamma: tensor<4095xf32>) {
  // expected-error @below {{rms_norm_c4: expected gamma of shape [4096], got [4095]}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x4096xf32>, tensor<4095xf32>) outs(%x : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return
}

// -----

func.func @rms_norm_c4_rank(%x: tensor<?x?xf32>, %gamma: tensor<1x4096xf32>) {
  // expected-error @below {{rms_norm_c4: expected gamma of shape [?], got [1, 4096]}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<?x?xf32>, tensor<1x4096xf32>) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rms_norm_c5_shape(%x: tensor<8x?x64xf32>, %y: tensor<8x4x63xf32>) {
  // expected-error @below {{rms_norm_c5: expected y of shape [8, ?, 64], got [8, 4, 63]}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x?x64xf32>) outs(%y : tensor<8x4x63xf32>) -> tensor<8x4x63xf32>
  return
}

// -----

func.func @rms_norm_c5_element(%x: tensor<8x64xbf16>, %y: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c5: expected y of element type 'bf16' as x has, got 'f32'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xbf16>) outs(%y : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c6_shape(%x: tensor<8x4x64xf32>, %rstd: tensor<32xf32>) {
  // expected-error @below {{rms_norm_c6: expected rstd of shape [8, 4], got [32]}}
  %0, %1 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x4x64xf32>) outs(%x, %rstd : tensor<8x4x64xf32>, tensor<32xf32>) -> tensor<8x4x64xf32>, tensor<32xf32>
  return
}

// -----

func.func @rms_norm_c6_rank0(%x: tensor<64xf32>, %rstd: tensor<1xf32>) {
  // expected-error @below {{rms_norm_c6: expected rstd of shape [], got [1]}}
  %0, %1 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<64xf32>) outs(%x, %rstd : tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>, tensor<1xf32>
  return
}

// -----

func.func @rms_norm_c6_element(%x: tensor<8x64xbf16>, %rstd: tensor<8xbf16>) {
  // expected-error @below {{rms_norm_c6: expected rstd of element type f32, got 'bf16'}}
  %0, %1 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xbf16>) outs(%x, %rstd : tensor<8x64xbf16>, tensor<8xbf16>) -> tensor<8x64xbf16>, tensor<8xbf16>
  return
}

// -----

func.func @rms_norm_c7_zero(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got 0}}
  %0 = norm.rms_norm epsilon(0.0) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c7_negative(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got -5.000000e-01}}
  %0 = norm.rms_norm epsilon(-0.5) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c7_infinite(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got }}
  %0 = norm.rms_norm epsilon(0x7FF0000000000000) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c7_nan(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got }}
  %0 = norm.rms_norm epsilon(0x7FF8000000000000) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

// The arithmetic is f32, where this is 0 ...
func.func @rms_norm_c7_below_f32(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got 1.000000e-60}}
  %0 = norm.rms_norm epsilon(1.0e-60) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

// ... and this infinite.
func.func @rms_norm_c7_above_f32(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c7: expected an epsilon that is finite and > 0 as f32, got 1.000000e+39}}
  %0 = norm.rms_norm epsilon(1.0e+39) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c8_infinite(%x: tensor<8x64xf32>, %gamma: tensor<64xf32>) {
  // expected-error @below {{rms_norm_c8: expected a finite gamma_offset, got }}
  %0 = norm.rms_norm epsilon(1.0e-05) gamma_offset(0x7F800000) ins(%x, %gamma : tensor<8x64xf32>, tensor<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c8_no_gamma(%x: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c8: expected gamma_offset 0 without gamma, got 1}}
  %0 = norm.rms_norm epsilon(1.0e-05) gamma_offset(1.0) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c9_gamma(%x: tensor<8x64xf32>, %gamma: memref<64xf32>) {
  // expected-error @below {{rms_norm_c9: expected all operands to be tensors as x is, got gamma of type 'memref<64xf32>'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xf32>, memref<64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c9_y(%x: memref<8x64xf32>, %y: tensor<8x64xf32>) {
  // expected-error @below {{rms_norm_c9: expected all operands to be memrefs as x is, got y of type 'tensor<8x64xf32>'}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_c10(%x: memref<8x64xf32>, %y: memref<8x64xf32, strided<[1, 8]>>) {
  // expected-error @below {{rms_norm_c10: expected the last axis of y to have stride 1, got 8}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32, strided<[1, 8]>>)
  return
}

// -----

func.func @rms_norm_c10_dynamic(%x: memref<8x64xf32>, %gamma: memref<64xf32, strided<[?]>>) {
  // expected-error @below {{rms_norm_c10: expected the last axis of gamma to have stride 1, got a dynamic stride}}
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<8x64xf32>, memref<64xf32, strided<[?]>>) outs(%x : memref<8x64xf32>)
  return
}

// -----

func.func @rms_norm_c10_rows(%x: memref<8x64xf32>, %y: memref<8x64xf32, strided<[32, 1]>>) {
  // expected-error @below {{rms_norm_c10: expected rows of y at least 64 elements apart along axis 0, got a stride of 32}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y : memref<8x64xf32, strided<[32, 1]>>)
  return
}

// -----

func.func @rms_norm_c10_rstd(%x: memref<8x64xf32>, %y: memref<8x64xf32>, %rstd: memref<8xf32, strided<[0]>>) {
  // expected-error @below {{rms_norm_c10: expected rows of rstd at least 1 elements apart along axis 0, got a stride of 0}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32>) outs(%y, %rstd : memref<8x64xf32>, memref<8xf32, strided<[0]>>)
  return
}

// -----

func.func @rms_norm_backward_c10_rows(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %dx: memref<8x64xf32, strided<[0, 1]>>) {
  // expected-error @below {{rms_norm_backward_c10: expected rows of input_grad at least 64 elements apart along axis 0, got a stride of 0}}
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) input_grad(%dx : memref<8x64xf32, strided<[0, 1]>>)
  return
}

// -----

// An axis steps over all that those of smaller strides reach.
func.func @rms_norm_c10_axes(%x: memref<4x4x64xf32>, %y: memref<4x4x64xf32, strided<[64, 64, 1]>>) {
  // expected-error @below {{rms_norm_c10: expected rows of y at least 256 elements apart along axis 0, got a stride of 64}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x64xf32>) outs(%y : memref<4x4x64xf32, strided<[64, 64, 1]>>)
  return
}

// -----

func.func @rms_norm_c10_outer_is_last(%x: memref<4x4x64xf32>, %y: memref<4x4x64xf32, strided<[-64, 255, 1], offset: 192>>) {
  // expected-error @below {{rms_norm_c10: expected rows of y at least 256 elements apart along axis 1, got a stride of 255}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x64xf32>) outs(%y : memref<4x4x64xf32, strided<[-64, 255, 1], offset: 192>>)
  return
}

// -----

func.func @rms_norm_c10_rstd_axes(%x: memref<4x4x64xf32>, %rstd: memref<4x4xf32, strided<[3, 1]>>) {
  // expected-error @below {{rms_norm_c10: expected rows of rstd at least 4 elements apart along axis 0, got a stride of 3}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x64xf32>) outs(%x, %rstd : memref<4x4x64xf32>, memref<4x4xf32, strided<[3, 1]>>)
  return
}

// -----

// However many columns there are.
func.func @rms_norm_c10_partly_known(%x: memref<4x4x?xf32>, %y: memref<4x4x?xf32, strided<[2, 1, 1]>>) {
  // expected-error @below {{rms_norm_c10: expected rows of y at least 4 elements apart along axis 0, got a stride of 2}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x?xf32>) outs(%y : memref<4x4x?xf32, strided<[2, 1, 1]>>)
  return
}

// -----

// Axes may lie in memory in any order and direction.
func.func @rms_norm_c10_any_order(%x: memref<4x2x3x64xf32>, %y: memref<4x2x3x64xf32, strided<[64, 768, -256, 1], offset: 512>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x2x3x64xf32>) outs(%y : memref<4x2x3x64xf32, strided<[64, 768, -256, 1], offset: 512>>)
  return
}

// -----

// A single row may have any stride, and rows that are read may overlap.
func.func @rms_norm_c10_one_row(%x: memref<1x64xf32, strided<[0, 1]>>, %many: memref<8x64xf32, strided<[0, 1]>>, %y: memref<8x64xf32>) {
  norm.rms_norm epsilon(1.0e-05) ins(%many : memref<8x64xf32, strided<[0, 1]>>) outs(%y : memref<8x64xf32>)
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<1x64xf32, strided<[0, 1]>>) outs(%x : memref<1x64xf32, strided<[0, 1]>>)
  return
}

// -----

// An axis that may have no index leaves it to the run.
func.func @rms_norm_c10_maybe_empty(%x: memref<4x4x?x64xf32>, %y: memref<4x4x?x64xf32, strided<[2, 1, ?, 1]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x4x?x64xf32>) outs(%y : memref<4x4x?x64xf32, strided<[2, 1, ?, 1]>>)
  return
}

// -----

// Where an axis has no index nothing is written.
func.func @rms_norm_c10_empty(%x: memref<4x0x64xf32>, %y: memref<4x0x64xf32, strided<[0, 0, 1]>>, %rstd: memref<4x0xf32, strided<[0, 0]>>) {
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<4x0x64xf32>) outs(%y, %rstd : memref<4x0x64xf32, strided<[0, 0, 1]>>, memref<4x0xf32, strided<[0, 0]>>)
  return
}

// -----

func.func @rms_norm_c11_gamma(%x: memref<64xf32>, %gamma: memref<64xf32>) {
  // expected-error @below {{rms_norm_c11: expected y to be a memref of its own or x, got gamma}}
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<64xf32>, memref<64xf32>) outs(%gamma : memref<64xf32>)
  return
}

// -----

func.func @rms_norm_c11_rstd(%x: memref<64x64xf32>, %gamma: memref<64xf32>) {
  // expected-error @below {{rms_norm_c11: expected rstd to be a memref of its own, got gamma}}
  norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : memref<64x64xf32>, memref<64xf32>) outs(%x, %gamma : memref<64x64xf32>, memref<64xf32>)
  return
}

// -----

// On tensors they are values.
func.func @rms_norm_c11_tensors(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  %z = norm.rms_norm epsilon(1.0e-05) ins(%y, %x : tensor<64xf32>, tensor<64xf32>) outs(%x : tensor<64xf32>) -> tensor<64xf32>
  return %y, %z : tensor<64xf32>, tensor<64xf32>
}

// -----

func.func @rms_norm_epsilon_again(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{custom op 'norm.rms_norm' expected 'epsilon' in its own place only, got 2.000000e+00 : f64 among the other attributes}}
  %0 = norm.rms_norm epsilon(1.0) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {epsilon = 2.0 : f64} -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// -----

func.func @rms_norm_backward_accumulate_again(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %dgamma: memref<64xf32>) {
  // expected-error @below {{custom op 'norm.rms_norm_backward' expected 'accumulate' in its own place only, got unit among the other attributes}}
  norm.rms_norm_backward accumulate ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) weight_grad(%dgamma : memref<64xf32>) {accumulate}
  return
}

// -----

func.func @rms_norm_results(%x: tensor<8x64xf32>) {
  // expected-error @below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>)
  return
}

// -----

func.func @rms_norm_result_type(%x: tensor<8x64xf32>) {
  // expected-error @below {{expected type of operand #1 ('tensor<8x64xf32>') to match type of corresponding result ('tensor<8x63xf32>')}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x63xf32>
  return
}

// -----

func.func @rms_norm_unranked(%x: tensor<*xf32>) {
  // expected-error @below {{'norm.rms_norm' op operand #0 must be}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<*xf32>) outs(%x : tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @rms_norm_map_layout(%x: memref<8x64xf32, affine_map<(m, n) -> (m floordiv 2, n)>>) {
  // expected-error @below {{'norm.rms_norm' op operand #0 must be}}
  norm.rms_norm epsilon(1.0e-05) ins(%x : memref<8x64xf32, affine_map<(m, n) -> (m floordiv 2, n)>>) outs(%x : memref<8x64xf32, affine_map<(m, n) -> (m floordiv 2, n)>>)
  return
}

// -----

func.func @rms_norm_no_epsilon(%x: tensor<8x64xf32>) {
  // expected-error @below {{expected 'epsilon'}}
  %0 = norm.rms_norm ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// norm.rms_norm_backward
//===----------------------------------------------------------------------===//

func.func @rms_norm_backward_c1(%x: tensor<f32>) {
  // expected-error @below {{'norm.rms_norm_backward' op rms_norm_backward_c1: expected x of rank >= 1, got rank 0}}
  %0 = norm.rms_norm_backward ins(%x, %x, %x : tensor<f32>, tensor<f32>, tensor<f32>) input_grad(%x : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @rms_norm_backward_c2(%x: tensor<8x0xf32>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c2: expected x with N >= 1 columns, got N = 0}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x0xf32>, tensor<8x0xf32>, tensor<8xf32>) input_grad(%x : tensor<8x0xf32>) -> tensor<8x0xf32>
  return
}

// -----

func.func @rms_norm_backward_c3_x(%x: tensor<8x64xf64>, %dy: tensor<8x64xf32>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c3: expected x of element type f32, f16 or bf16, got 'f64'}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf64>, tensor<8x64xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c3_dy(%x: tensor<8x64xf32>, %dy: tensor<8x64xi16>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c3: expected dy of element type f32, f16 or bf16, got 'i16'}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf32>, tensor<8x64xi16>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c3_gamma(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<64xindex>) {
  // expected-error @below {{rms_norm_backward_c3: expected gamma of element type f32, f16 or bf16, got 'index'}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xindex>) input_grad(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_backward_c3_input_grad(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dx: tensor<8x64xtf32>) {
  // expected-error @below {{rms_norm_backward_c3: expected input_grad of element type f32, f16 or bf16, got 'tf32'}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) input_grad(%dx : tensor<8x64xtf32>) -> tensor<8x64xtf32>
  return
}

// -----

func.func @rms_norm_backward_c3_weight_grad(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dgamma: tensor<64xf64>) {
  // expected-error @below {{rms_norm_backward_c3: expected weight_grad of element type f32, f16 or bf16, got 'f64'}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%dgamma : tensor<64xf64>) -> tensor<64xf64>
  return
}

// -----

func.func @rms_norm_backward_c4_gamma(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c4: expected gamma of shape [64], got [8]}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>) input_grad(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_backward_c4_weight_grad(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dgamma: tensor<65xf32>) {
  // expected-error @below {{rms_norm_backward_c4: expected weight_grad of shape [64], got [65]}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%dgamma : tensor<65xf32>) -> tensor<65xf32>
  return
}

// -----

func.func @rms_norm_backward_c5_dy(%x: tensor<8x64xf32>, %dy: tensor<7x64xf32>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c5: expected dy of shape [8, 64], got [7, 64]}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf32>, tensor<7x64xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c5_input_grad(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dx: tensor<512xf32>) {
  // expected-error @below {{rms_norm_backward_c5: expected input_grad of shape [8, 64], got [512]}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) input_grad(%dx : tensor<512xf32>) -> tensor<512xf32>
  return
}

// -----

func.func @rms_norm_backward_c5_element(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %dx: tensor<8x64xf16>) {
  // expected-error @below {{rms_norm_backward_c5: expected input_grad of element type 'bf16' as x has, got 'f16'}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) input_grad(%dx : tensor<8x64xf16>) -> tensor<8x64xf16>
  return
}

// -----

func.func @rms_norm_backward_c6_shape(%x: tensor<8x64xf32>, %rstd: tensor<8x1xf32>) {
  // expected-error @below {{rms_norm_backward_c6: expected rstd of shape [8], got [8, 1]}}
  norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x1xf32>)
  return
}

// -----

func.func @rms_norm_backward_c6_element(%x: tensor<8x64xf32>, %rstd: tensor<8xf64>) {
  // expected-error @below {{rms_norm_backward_c6: expected rstd of element type f32, got 'f64'}}
  norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf64>)
  return
}

// -----

func.func @rms_norm_backward_c7_gamma(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<64xbf16>, %dgamma: tensor<64xf32>) {
  // expected-error @below {{rms_norm_backward_c7: expected weight_grad of element type 'bf16' as gamma has, got 'f32'}}
  %0, %1 = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xbf16>)
      input_grad(%x : tensor<8x64xf32>) weight_grad(%dgamma : tensor<64xf32>) -> tensor<8x64xf32>, tensor<64xf32>
  return
}

// -----

func.func @rms_norm_backward_c7_accumulate(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dgamma: tensor<64xbf16>) {
  // expected-error @below {{rms_norm_backward_c7: expected weight_grad of element type f32 with accumulate, got 'bf16'}}
  %0 = norm.rms_norm_backward accumulate ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) weight_grad(%dgamma : tensor<64xbf16>) -> tensor<64xbf16>
  return
}

// -----

func.func @rms_norm_backward_c8_nan(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %gamma: tensor<64xf32>) {
  // expected-error @below {{rms_norm_backward_c8: expected a finite gamma_offset, got }}
  %0 = norm.rms_norm_backward gamma_offset(0x7FC00000) ins(%x, %x, %rstd, %gamma : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<64xf32>) input_grad(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_backward_c8_no_gamma(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c8: expected gamma_offset 0 without gamma, got -5.000000e-01}}
  %0 = norm.rms_norm_backward gamma_offset(-0.5) ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>) input_grad(%x : tensor<8x64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @rms_norm_backward_c9(%x: memref<8x64xf32>, %rstd: tensor<8xf32>) {
  // expected-error @below {{rms_norm_backward_c9: expected all operands to be memrefs as x is, got rstd of type 'tensor<8xf32>'}}
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c10_x(%x: memref<8x64xf32, strided<[64, 0]>>, %dy: memref<8x64xf32>, %rstd: memref<8xf32>) {
  // expected-error @below {{rms_norm_backward_c10: expected the last axis of x to have stride 1, got 0}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<8x64xf32, strided<[64, 0]>>, memref<8x64xf32>, memref<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c10_dy(%x: memref<8x64xf32>, %dy: memref<8x64xf32, strided<[128, 2]>>, %rstd: memref<8xf32>) {
  // expected-error @below {{rms_norm_backward_c10: expected the last axis of dy to have stride 1, got 2}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<8x64xf32>, memref<8x64xf32, strided<[128, 2]>>, memref<8xf32>)
  return
}

// -----

// One buffer of stride 0 for both x and dy is refused for x.
func.func @rms_norm_backward_c10_same(%x: memref<8x64xf32, strided<[64, 0]>>, %rstd: memref<8xf32>) {
  // expected-error @below {{rms_norm_backward_c10: expected the last axis of x to have stride 1, got 0}}
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<8x64xf32, strided<[64, 0]>>, memref<8x64xf32, strided<[64, 0]>>, memref<8xf32>)
  return
}

// -----

func.func @rms_norm_backward_c10_weight_grad(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %dgamma: memref<64xf32, strided<[2]>>) {
  // expected-error @below {{rms_norm_backward_c10: expected the last axis of weight_grad to have stride 1, got 2}}
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>) weight_grad(%dgamma : memref<64xf32, strided<[2]>>)
  return
}

// -----

func.func @rms_norm_backward_c11_both(%x: memref<64xf32>, %rstd: memref<f32>, %both: memref<64xf32>) {
  // expected-error @below {{rms_norm_backward_c11: expected input_grad to be a memref of its own or x or dy, got weight_grad}}
  norm.rms_norm_backward ins(%x, %x, %rstd : memref<64xf32>, memref<64xf32>, memref<f32>) input_grad(%both : memref<64xf32>) weight_grad(%both : memref<64xf32>)
  return
}

// -----

func.func @rms_norm_backward_c11_gamma(%x: memref<8x64xf32>, %rstd: memref<8xf32>, %gamma: memref<64xf32>) {
  // expected-error @below {{rms_norm_backward_c11: expected weight_grad to be a memref of its own, got gamma}}
  norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : memref<8x64xf32>, memref<8x64xf32>, memref<8xf32>, memref<64xf32>) input_grad(%x : memref<8x64xf32>) weight_grad(%gamma : memref<64xf32>)
  return
}

// -----

func.func @rms_norm_backward_c11_x(%x: memref<64xf32>, %dy: memref<64xf32>, %rstd: memref<f32>) {
  // expected-error @below {{rms_norm_backward_c11: expected weight_grad to be a memref of its own, got x}}
  norm.rms_norm_backward ins(%x, %dy, %rstd : memref<64xf32>, memref<64xf32>, memref<f32>) weight_grad(%x : memref<64xf32>)
  return
}

// -----

func.func @rms_norm_backward_results(%x: tensor<8x64xf32>, %rstd: tensor<8xf32>, %dgamma: tensor<64xf32>) {
  // expected-error @below {{expected the number of tensor results (1) to be equal to the number of output tensors (2)}}
  %0 = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>)
      input_grad(%x : tensor<8x64xf32>) weight_grad(%dgamma : tensor<64xf32>) -> tensor<8x64xf32>
  return
}
