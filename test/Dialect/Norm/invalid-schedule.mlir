// RUN: rudnn-opt %s --verify-diagnostics --split-input-file

// Schedules that do not fit their op.

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{'norm.rms_norm' op schedule: expected rows = 1 with threads = 0 (a CPU), got 2}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<rows = 2>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{schedule: expected stage = registers with threads = 0 (a CPU), got loop}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<stage = loop>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{schedule: expected nontemporal = 0 with threads = 32 (a GPU), got 4096}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 32, nontemporal = 4096>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{schedule: expected rows * threads <= 1024, got 4 * 512 = 2048}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 512, rows = 4>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{schedule: expected rows * threads to be a multiple of 32, got 3 * 16 = 48}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 4, threads = 16, rows = 3>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @f(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  // expected-error @below {{schedule: expected blocks * rows * threads <= 2048, got 5 * 1 * 512 = 2560}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x4096xf32>) outs(%x : tensor<8x4096xf32>) {schedule = #norm.schedule<vector = 4, threads = 512, blocks = 5>} -> tensor<8x4096xf32>
  return %y : tensor<8x4096xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  // expected-error @below {{schedule: expected vector <= 4 (16 bytes of f32, the narrowest element of a row), got 8}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = #norm.schedule<vector = 8, threads = 32>} -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

// The narrowest element is that of dy.
func.func @f(%x: tensor<8x64xf32>, %dy: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{schedule: expected vector <= 8 (16 bytes of bf16, the narrowest element of a row), got 16}}
  %dw = norm.rms_norm_backward ins(%x, %dy, %rstd : tensor<8x64xf32>, tensor<8x64xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<threads = 32>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

func.func @f(%x: tensor<?x64xf16>) -> tensor<?x64xf16> {
  // expected-error @below {{schedule: expected rows other than the 64 columns of a row, got rows = 64}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x64xf16>) outs(%x : tensor<?x64xf16>) {schedule = #norm.schedule<vector = 8, threads = 8, rows = 64>} -> tensor<?x64xf16>
  return %y : tensor<?x64xf16>
}

// -----

func.func @f(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  // expected-error @below {{schedule: expected rows = 1 where a row is walked in steps (stage = loop), got rows = 32}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<?x?xf16>) outs(%x : tensor<?x?xf16>) {schedule = #norm.schedule<vector = 1, threads = 32, rows = 32, stage = loop>} -> tensor<?x?xf16>
  return %y : tensor<?x?xf16>
}

// -----

func.func @f(%x: tensor<8x?xbf16>) -> tensor<8x?xbf16> {
  // expected-error @below {{schedule: expected stage = loop where N is dynamic, got stage = reload}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x?xbf16>) outs(%x : tensor<8x?xbf16>) {schedule = #norm.schedule<vector = 1, threads = 32, stage = reload>} -> tensor<8x?xbf16>
  return %y : tensor<8x?xbf16>
}

// -----

func.func @f(%x: tensor<8x16385xbf16>) -> tensor<8x16385xbf16> {
  // expected-error @below {{schedule: expected N <= 64 * threads * vector unless stage = loop, got N = 16385 > 64 * 32 * 8 = 16384}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x16385xbf16>) outs(%x : tensor<8x16385xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32>} -> tensor<8x16385xbf16>
  return %y : tensor<8x16385xbf16>
}

// -----

func.func @f(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{schedule: expected prefetch <= 4 with threads > 0, got 5}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, prefetch = 5>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

func.func @f(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{schedule: expected prefetch > 0 only with stage = registers, got stage = shared}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, prefetch = 1, stage = shared>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

func.func @f(%x: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  // expected-error @below {{schedule: expected prefetch > 0 only where a block walks over rows, which it does for a weight gradient and with parts > 0}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xbf16>) outs(%x : tensor<8x64xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32, prefetch = 1>} -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

// dx alone has no walk either.
func.func @f(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>) -> tensor<8x64xbf16> {
  // expected-error @below {{schedule: expected stage = shared only where a block walks over rows, which it does for a weight gradient and with parts > 0}}
  %dx = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) input_grad(%x : tensor<8x64xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32, stage = shared>} -> tensor<8x64xbf16>
  return %dx : tensor<8x64xbf16>
}

// -----

func.func @f(%x: tensor<8x64xbf16>, %gamma: tensor<64xf32>) -> tensor<8x64xbf16> {
  // expected-error @below {{schedule: expected gamma = shared only where a block walks over rows, which it does for a weight gradient and with parts > 0}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x, %gamma : tensor<8x64xbf16>, tensor<64xf32>) outs(%x : tensor<8x64xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32, gamma = shared>} -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

func.func @f(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %gamma: tensor<64xf32>) -> (tensor<8x64xbf16>, tensor<64xf32>) {
  // expected-error @below {{schedule: expected gamma = registers or reload with stage = loop, got shared}}
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>, tensor<64xf32>) input_grad(%x : tensor<8x64xbf16>) weight_grad(%gamma : tensor<64xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, stage = loop, gamma = shared>} -> tensor<8x64xbf16>, tensor<64xf32>
  return %dx, %dw : tensor<8x64xbf16>, tensor<64xf32>
}

// -----

func.func @f(%x: tensor<8x63xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<63xf32>) -> tensor<63xf32> {
  // expected-error @below {{schedule: expected vectors of >= 4 bytes with stage = shared, got 1 * 2 = 2}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x63xbf16>, tensor<8x63xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<63xf32>) {schedule = #norm.schedule<vector = 1, threads = 32, stage = shared>} -> tensor<63xf32>
  return %dw : tensor<63xf32>
}

// -----

func.func @f(%x: tensor<8x63xf32>, %rstd: tensor<8xf32>, %dw0: tensor<63xf32>) -> tensor<63xf32> {
  // expected-error @below {{schedule: expected threads * vector >= 2 with stage = shared, got 1 * 1}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x63xf32>, tensor<8x63xf32>, tensor<8xf32>) weight_grad(%dw0 : tensor<63xf32>) {schedule = #norm.schedule<vector = 1, threads = 1, rows = 32, stage = shared>} -> tensor<63xf32>
  return %dw : tensor<63xf32>
}

// -----

func.func @f(%x: tensor<8x512xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  // expected-error @below {{schedule: expected extra = 0 unless stage = shared, got extra = 1 with stage = reload}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x512xbf16>, tensor<8x512xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<512xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, stage = reload, extra = 1>} -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// -----

func.func @f(%x: tensor<8x512xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<512xf32>) -> tensor<512xf32> {
  // expected-error @below {{schedule: expected extra < 2, the vectors that a thread has of a row, got 2; for a row more there is stages}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x512xbf16>, tensor<8x512xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<512xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, stage = shared, extra = 2>} -> tensor<512xf32>
  return %dw : tensor<512xf32>
}

// -----

// x and dy of 2 and 4 bytes, in whole pieces of 1024 threads; gamma of 4 bytes.
func.func @f(%x: tensor<?x16000xbf16>, %dy: tensor<?x16000xf32>, %rstd: tensor<?xf32>, %gamma: tensor<16000xf32>) -> (tensor<?x16000xbf16>, tensor<16000xf32>) {
  // expected-error @below {{schedule: expected <= 230400 bytes of shared memory, got 262144: 2 stages * 1 rows of 16384 * 6 bytes + gamma of 16384 * 4 bytes}}
  %dx, %dw = norm.rms_norm_backward ins(%x, %dy, %rstd, %gamma : tensor<?x16000xbf16>, tensor<?x16000xf32>, tensor<?xf32>, tensor<16000xf32>) input_grad(%x : tensor<?x16000xbf16>) weight_grad(%gamma : tensor<16000xf32>) {schedule = #norm.schedule<vector = 8, threads = 1024, stage = shared, gamma = shared>} -> tensor<?x16000xbf16>, tensor<16000xf32>
  return %dx, %dw : tensor<?x16000xbf16>, tensor<16000xf32>
}

// -----

// One row of four pieces, and three pieces of the next.
func.func @f(%x: tensor<?x32768xbf16>, %rstd: tensor<?xf32>, %gamma: tensor<32768xbf16>) -> (tensor<?x32768xbf16>, tensor<32768xbf16>) {
  // expected-error @below {{schedule: expected <= 230400 bytes of shared memory, got 294912: 1 stages * 1 rows of 32768 * 4 bytes + 3 extra * 1 pieces of 8192 * 4 bytes + gamma of 32768 * 2 bytes}}
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<?x32768xbf16>, tensor<?x32768xbf16>, tensor<?xf32>, tensor<32768xbf16>) input_grad(%x : tensor<?x32768xbf16>) weight_grad(%gamma : tensor<32768xbf16>) {schedule = #norm.schedule<vector = 8, threads = 1024, stage = shared, stages = 1, extra = 3, gamma = shared>} -> tensor<?x32768xbf16>, tensor<32768xbf16>
  return %dx, %dw : tensor<?x32768xbf16>, tensor<32768xbf16>
}

// -----

// The rows of a block add their sums up.
func.func @f(%x: tensor<?x8192xbf16>, %rstd: tensor<?xf32>, %dw0: tensor<8192xf32>) -> tensor<8192xf32> {
  // expected-error @below {{schedule: expected <= 230400 bytes of shared memory, got 262144: 8 sums of 8192 * 4 bytes}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<?x8192xbf16>, tensor<?x8192xbf16>, tensor<?xf32>) weight_grad(%dw0 : tensor<8192xf32>) {schedule = #norm.schedule<vector = 8, threads = 128, rows = 8>} -> tensor<8192xf32>
  return %dw : tensor<8192xf32>
}

// -----

// Strips are of the weight gradient.
func.func @f(%x: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  // expected-error @below {{schedule: expected strips = 0 without a weight gradient, got 2}}
  %y = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xbf16>) outs(%x : tensor<8x64xbf16>) {schedule = #norm.schedule<vector = 8, threads = 32, strips = 2>} -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

func.func @f(%x: tensor<8x64xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @below {{schedule: expected strips = 0 with threads = 0 (a CPU), got 2}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<64xf32>) {schedule = #norm.schedule<vector = 8, strips = 2>} -> tensor<64xf32>
  return %dw : tensor<64xf32>
}

// -----

func.func @f(%x: tensor<8x?xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{schedule: expected strips = 0 where N is dynamic, got 2}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x?xbf16>, tensor<8x?xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<?xf32>) {schedule = #norm.schedule<vector = 1, threads = 32, stage = loop, strips = 2>} -> tensor<?xf32>
  return %dw : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<8x100xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<100xf32>) -> tensor<100xf32> {
  // expected-error @below {{schedule: expected strips <= 13 (N = 100 in vectors of 8), got 14}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x100xbf16>, tensor<8x100xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<100xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, strips = 14>} -> tensor<100xf32>
  return %dw : tensor<100xf32>
}

// -----

func.func @f(%x: tensor<8x1024xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<1024xf32>) -> tensor<1024xf32> {
  // expected-error @below {{schedule: expected cluster = 1 with strips > 0, got 2}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x1024xbf16>, tensor<8x1024xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<1024xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, strips = 2, cluster = 2>} -> tensor<1024xf32>
  return %dw : tensor<1024xf32>
}

// -----

func.func @f(%x: tensor<8x1024xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<1024xf32>) -> tensor<1024xf32> {
  // expected-error @below {{schedule: expected stage = registers or shared for strips of a weight gradient alone, got loop}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x1024xbf16>, tensor<8x1024xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<1024xf32>) {schedule = #norm.schedule<vector = 8, threads = 32, stage = loop, strips = 2>} -> tensor<1024xf32>
  return %dw : tensor<1024xf32>
}

// -----

// 8 threads of 8 columns for a strip, and 64 rows of them.
func.func @f(%x: tensor<8x4096xbf16>, %rstd: tensor<8xf32>, %dw0: tensor<4096xf32>) -> tensor<4096xf32> {
  // expected-error @below {{schedule: for a strip of 64 columns, 64 rows at a time: expected rows other than the 64 columns of a row, got rows = 64}}
  %dw = norm.rms_norm_backward ins(%x, %x, %rstd : tensor<8x4096xbf16>, tensor<8x4096xbf16>, tensor<8xf32>) weight_grad(%dw0 : tensor<4096xf32>) {schedule = #norm.schedule<vector = 8, threads = 512, strips = 64>} -> tensor<4096xf32>
  return %dw : tensor<4096xf32>
}

// -----

// dx has no walk that a ring could serve.
func.func @f(%x: tensor<8x1024xbf16>, %rstd: tensor<8xf32>, %gamma: tensor<1024xf32>) -> (tensor<8x1024xbf16>, tensor<1024xf32>) {
  // expected-error @below {{schedule: for dx beside strips: expected stage = shared only where a block walks over rows, which it does for a weight gradient and with parts > 0}}
  %dx, %dw = norm.rms_norm_backward ins(%x, %x, %rstd, %gamma : tensor<8x1024xbf16>, tensor<8x1024xbf16>, tensor<8xf32>, tensor<1024xf32>) input_grad(%x : tensor<8x1024xbf16>) weight_grad(%gamma : tensor<1024xf32>) {schedule = #norm.schedule<vector = 8, threads = 128, stage = shared, strips = 2>} -> tensor<8x1024xbf16>, tensor<1024xf32>
  return %dx, %dw : tensor<8x1024xbf16>, tensor<1024xf32>
}
