// RUN: rudnn-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// expected-error @below {{expected vector to be a power of two in 1..64, got 0}}
"test.op"() {schedule = #norm.schedule<vector = 0>} : () -> ()

// -----

// expected-error @below {{expected vector to be a power of two in 1..64, got 12}}
"test.op"() {schedule = #norm.schedule<vector = 12>} : () -> ()

// -----

// expected-error @below {{expected vector to be a power of two in 1..64, got 128}}
"test.op"() {schedule = #norm.schedule<vector = 128>} : () -> ()

// -----

// expected-error @below {{expected vector to be a power of two in 1..64, got -8}}
"test.op"() {schedule = #norm.schedule<vector = -8>} : () -> ()

// -----

// expected-error @below {{expected unroll in 1..16, got 0}}
"test.op"() {schedule = #norm.schedule<unroll = 0>} : () -> ()

// -----

// expected-error @below {{expected unroll in 1..16, got 17}}
"test.op"() {schedule = #norm.schedule<unroll = 17>} : () -> ()

// -----

// expected-error @below {{expected parts in 0..65536, got -1}}
"test.op"() {schedule = #norm.schedule<parts = -1>} : () -> ()

// -----

// expected-error @below {{expected parts in 0..65536, got 65537}}
"test.op"() {schedule = #norm.schedule<parts = 65537>} : () -> ()

// -----

// expected-error @below {{expected prefetch in 0..64 rows, got -1}}
"test.op"() {schedule = #norm.schedule<prefetch = -1>} : () -> ()

// -----

// expected-error @below {{expected prefetch in 0..64 rows, got 65}}
"test.op"() {schedule = #norm.schedule<prefetch = 65>} : () -> ()

// -----

// expected-error @below {{expected nontemporal to be a number of bytes >= 0, got -1}}
"test.op"() {schedule = #norm.schedule<nontemporal = -1>} : () -> ()

// -----

// expected-error @below {{duplicate or unknown struct parameter name: threads}}
"test.op"() {schedule = #norm.schedule<threads = 128>} : () -> ()

// -----

// expected-error @below {{duplicate or unknown struct parameter name: vector}}
"test.op"() {schedule = #norm.schedule<vector = 8, vector = 8>} : () -> ()

// -----

// expected-error @below {{expected integer value}}
// expected-error @below {{failed to parse Norm_ScheduleAttr parameter 'vector'}}
"test.op"() {schedule = #norm.schedule<vector = wide>} : () -> ()

// -----

// expected-error @below {{unknown attribute `plan` in dialect `norm`}}
"test.op"() {schedule = #norm.plan<vector = 8>} : () -> ()

// -----

// expected-error @below {{'test.op' op unknown attribute 'norm.plan'}}
"test.op"() {norm.plan = 1} : () -> ()

// -----

// expected-error @below {{'test.op' op expected 'norm.schedule' to be a #norm.schedule, got 8 : i64}}
"test.op"() {norm.schedule = 8} : () -> ()

// -----

func.func @f(%x: tensor<8x64xf32>) {
  // expected-error @below {{failed to satisfy constraint}}
  %0 = norm.rms_norm epsilon(1.0e-05) ins(%x : tensor<8x64xf32>) outs(%x : tensor<8x64xf32>) {schedule = 8} -> tensor<8x64xf32>
  return
}

// -----

// expected-error @below {{expected integer value}}
// expected-error @below {{failed to parse Norm_TaskAttr parameter 'dim'}}
"test.op"() {mapping = [#norm.task<x>]} : () -> ()
