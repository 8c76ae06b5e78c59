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

// expected-error @below {{expected threads to be 0, a power of two <= 32 or a multiple of 32 <= 1024, got 48}}
"test.op"() {schedule = #norm.schedule<threads = 48>} : () -> ()

// -----

// expected-error @below {{expected threads to be 0, a power of two <= 32 or a multiple of 32 <= 1024, got 6}}
"test.op"() {schedule = #norm.schedule<threads = 6>} : () -> ()

// -----

// expected-error @below {{expected threads to be 0, a power of two <= 32 or a multiple of 32 <= 1024, got 1056}}
"test.op"() {schedule = #norm.schedule<threads = 1056>} : () -> ()

// -----

// expected-error @below {{expected rows in 1..1024, got 0}}
"test.op"() {schedule = #norm.schedule<rows = 0>} : () -> ()

// -----

// expected-error @below {{expected stages in 1..8, got 9}}
"test.op"() {schedule = #norm.schedule<stages = 9>} : () -> ()

// -----

// expected-error @below {{expected extra in 0..63, got 64}}
"test.op"() {schedule = #norm.schedule<extra = 64>} : () -> ()

// -----

// expected-error @below {{expected blocks in 0..32, got 33}}
"test.op"() {schedule = #norm.schedule<blocks = 33>} : () -> ()

// -----

// expected-error @below {{expected merge_columns to be a power of two in 1..1024, got 24}}
"test.op"() {schedule = #norm.schedule<merge_columns = 24>} : () -> ()

// -----

// expected-error @below {{expected stage to be one of registers, shared, reload, loop, got 'local'}}
"test.op"() {schedule = #norm.schedule<stage = local>} : () -> ()

// -----

// Keywords have no numbers.
// expected-error @below {{expected stage to be one of registers, shared, reload, loop, got '1'}}
"test.op"() {schedule = #norm.schedule<stage = 1>} : () -> ()

// -----

// expected-error @below {{expected gamma to be one of registers, reload, shared, got 'loop'}}
"test.op"() {schedule = #norm.schedule<gamma = loop>} : () -> ()

// -----

// expected-error @below {{expected store to be one of normal, evict_first, evict_last, no_allocate, streaming, got 'write_back'}}
"test.op"() {schedule = #norm.schedule<store = write_back>} : () -> ()

// -----

// expected-error @below {{unknown field 'thread' of a schedule; the fields are vector, unroll, parts, prefetch, nontemporal, threads, rows, stage, stages, extra, gamma, blocks, first_read, second_read, store, merge_columns, strips}}
"test.op"() {schedule = #norm.schedule<thread = 128>} : () -> ()

// -----

// expected-error @below {{field 'vector' is given twice}}
"test.op"() {schedule = #norm.schedule<vector = 8, vector = 8>} : () -> ()

// -----

// expected-error @below {{expected unroll in 1..16, got 'wide'}}
"test.op"() {schedule = #norm.schedule<unroll = wide>} : () -> ()

// -----

// expected-error @below {{expected integer value}}
"test.op"() {schedule = #norm.schedule<unroll = "2">} : () -> ()

// -----

// expected-error @below {{expected '='}}
"test.op"() {schedule = #norm.schedule<unroll 2>} : () -> ()

// -----

// expected-error @below {{expected '>' in the fields of a schedule}}
"test.op"() {schedule = #norm.schedule<unroll = 2 vector = 8>} : () -> ()

// -----

// expected-error @below {{expected '<' in the fields of a schedule}}
"test.op"() {schedule = #norm.schedule} : () -> ()

// -----

// expected-error @below {{integer value too large}}
"test.op"() {schedule = #norm.schedule<nontemporal = 9223372036854775808>} : () -> ()

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

// -----

// expected-error @below {{'test.op' op expected 'norm.launch' to be distinct[N]<#norm.schedule<...>>, got #norm.schedule<>}}
"test.op"() {norm.launch = #norm.schedule<>} : () -> ()

// -----

// expected-error @below {{'test.op' op expected 'norm.launch' to be distinct[N]<#norm.schedule<...>>, got distinct[0]<8 : i64>}}
"test.op"() {norm.launch = distinct[0]<8>} : () -> ()

// -----

// expected-error @below {{expected strips in 0..65536, got -1}}
"test.op"() {schedule = #norm.schedule<strips = -1>} : () -> ()
